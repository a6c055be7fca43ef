//! A supervisor that does not say the type of its children starts none of a template.

use otp_bridge::atoms::ok;
use otp_bridge::gen_server::{self, GenServer, gen_server};
use otp_bridge::supervisor::prelude::*;

#[derive(Debug)]
struct Line(u64);

#[gen_server]
impl GenServer for Line {
    type Args = u64;

    fn init(number: u64) -> impl gen_server::InitReturn<Self> {
        (ok, Line(number))
    }
}

struct Lines;

#[supervisor]
impl Supervisor for Lines {
    type Args = ();

    fn init(_: ()) -> impl InitReturn {
        (ok, (SupFlags::simple_one_for_one(), vec![ChildSpec::template::<Line>()]))
    }
}

async fn use_it(cx: &Cx<'_>, lines: &Server<Lines>) -> Result<()> {
    cx.start_child(lines, 1).await?;
    Ok(())
}

fn main() {
    let _ = use_it;
}
