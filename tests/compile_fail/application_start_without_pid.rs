use otp_bridge::atoms::ok;
use otp_bridge::application::prelude::*;
use otp_bridge_novm as _;

#[derive(Debug)]
struct Shop;

#[application]
impl Application for Shop {
    type StartArgs = Vec<String>;

    // `{ok, Pid, State}`
    fn start(_: StartType, _: Vec<String>) -> impl StartReturn<Self> {
        (ok, Shop)
    }

    fn stop(&mut self) {}
}

fn main() {}
