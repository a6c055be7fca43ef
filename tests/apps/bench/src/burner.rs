//! Computes for long, in each of the possible ways; `erlang/burner_erlang.erl` does it in Erlang.
use std::hint::black_box;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;

/// Nothing: it only computes.
#[derive(Debug)]
pub struct Burner;

/// `{work, Microseconds}`: computes for this time.
#[derive(Debug, Term)]
pub struct Work(pub u64);

/// `{polite, Deadline}`, in microseconds of the system's time: computes until then, and yields its
/// scheduler whenever its timeslice is used up.
#[derive(Debug, Term)]
pub struct Polite(pub u64);

/// `{dirty, Deadline}`: computes until then on a dirty scheduler.
#[derive(Debug, Term)]
pub struct Dirty(pub u64);

/// `{impolite, Deadline}`: computes until then and holds its scheduler.
#[derive(Debug, Term)]
pub struct Impolite(pub u64);

/// `ready`: gets its reply when everything before it is done.
#[derive(Debug, Term)]
#[reply(Atom)]
pub struct Ready;

#[gen_server]
impl GenServer for Burner {
    type Args = ();

    fn init(_: ()) -> impl InitReturn<Self> {
        (ok, Burner)
    }

    fn handle_call(&self, _: Ready) -> HandleCall<Atom> {
        reply(ok.into())
    }

    fn handle_cast(&self, Work(time): Work) -> HandleCast {
        let start = Instant::now();
        let time = Duration::from_micros(time);
        while start.elapsed() < time {
            step();
        }
        noreply()
    }

    async fn handle_cast(&self, Polite(deadline): Polite, cx: &Cx<'_>) -> HandleCast {
        while !is_over(deadline) {
            step();
            cx.checkpoint().await;
        }
        noreply()
    }

    #[dirty(cpu)]
    fn handle_cast(&self, Dirty(deadline): Dirty) -> HandleCast {
        burn(deadline);
        noreply()
    }

    fn handle_cast(&self, Impolite(deadline): Impolite) -> HandleCast {
        burn(deadline);
        noreply()
    }
}

fn burn(deadline: u64) {
    while !is_over(deadline) {
        step();
    }
}

fn is_over(deadline: u64) -> bool {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    now.is_ok_and(|now| now >= Duration::from_micros(deadline))
}

/// Some microseconds of work.
fn step() {
    for number in 0..5_000_u64 {
        black_box(number);
    }
}
