//! A server that most supervisors here have as a child.
use otp_bridge::atom;
use otp_bridge::gen_server::prelude::*;

/// Its number.
#[derive(Debug)]
pub struct Hand {
    number: u64,
}

/// `number`: returns the number.
#[derive(Debug, Term)]
#[reply(u64)]
pub struct Number;

/// `fall`: ends the process.
#[derive(Debug, Term)]
pub struct Fall;

#[gen_server]
impl GenServer for Hand {
    type Args = u64;

    fn init(number: u64) -> Init<Self> {
        match number {
            0 => Init::Ignore,
            13 => Init::Stop(Term::of(&atom!("superstitious"))),
            number => Init::Ok(Hand { number }),
        }
    }

    fn handle_call(&mut self, _: Number) -> HandleCall<u64> {
        reply(self.number)
    }

    fn handle_cast(&mut self, _: Fall) -> HandleCast {
        stop(atom!("fallen"))
    }
}
