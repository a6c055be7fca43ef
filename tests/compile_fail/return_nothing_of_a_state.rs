//! The function of a state returns something.

use otp_bridge::gen_statem::prelude::*;

#[derive(Debug)]
struct Light;

#[derive(Debug, Term)]
enum Switch {
    Off,
}

#[derive(Debug, Term)]
struct Push;

#[gen_statem]
impl GenStatem for Light {
    type Args = ();
    type State = Switch;

    fn init(_: ()) -> Init<Switch, Self> {
        Init::Ok(Switch::Off, Light)
    }

    #[state_name]
    async fn off(&mut self, _: cast, _: Push) {}
}

fn main() {}
