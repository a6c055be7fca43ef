//! An operation belongs to its call, too.

use std::time::Duration;

use otp_bridge::Result;
use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;

struct Keeper {
    sleep: Option<Box<dyn Future<Output = Result<()>> + Send>>,
}

impl std::fmt::Debug for Keeper {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Keeper")
    }
}

#[derive(Debug, Term)]
#[reply(u8)]
struct Get;

#[gen_server]
impl GenServer for Keeper {
    type Args = ();

    fn init(_: ()) -> impl InitReturn<Self> {
        (ok, Keeper { sleep: None })
    }

    fn handle_call(&mut self, _: Get, cx: &Cx<'_>) -> HandleCall<u8> {
        self.sleep = Some(Box::new(cx.sleep(Duration::from_secs(1))));
        reply(1)
    }
}

fn main() {}
