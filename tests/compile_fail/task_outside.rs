//! A task is started by a callback's context: elsewhere there is none.

use otp_bridge_novm as _;

struct Server;

impl Server {
    fn start(&self) {
        cx.spawn(async |_| Ok(()));
    }
}

fn main() {}
