//! A clause that waits does not borrow.

use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;

#[derive(Debug)]
pub struct Store;

#[derive(Debug, Term)]
pub struct Put<'a>(&'a str);

#[gen_server]
impl GenServer for Store {
    type Args = ();

    fn init(_: ()) -> impl InitReturn<Self> {
        (ok, Store)
    }

    async fn handle_cast(&mut self, Put(_key): Put<'_>, cx: &Cx<'_>) -> Result<HandleCast> {
        cx.sleep(std::time::Duration::ZERO).await?;
        Ok(noreply())
    }
}

fn main() {}
