//! A server that exhausts its stacks, or uses them after its library was unloaded.
use std::hint::black_box;
use std::sync::mpsc;
use std::thread;

use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;
use otp_bridge::term::on_large_stack;

/// The state.
#[derive(Debug)]
pub struct Abyss;

/// `{threads, Count}`: starts threads that switch to their large stacks and back for ever.
#[derive(Debug, Term)]
#[reply(Atom)]
pub struct Threads(u64);

/// `fall`: recurs without end.
#[derive(Debug, Term)]
#[reply(u64)]
pub struct Fall;

/// `dive`: like `Fall`, on a dirty scheduler.
#[derive(Debug, Term)]
#[reply(u64)]
pub struct Dive;

#[expect(unconditional_recursion, reason = "that is what it is for")]
fn deeper(level: u64) -> u64 {
    let bytes = black_box([level; 64]);
    deeper(level + 1) + bytes[0]
}

fn work() -> u64 {
    let bytes = black_box([1_u64; 8192]);
    bytes.iter().sum()
}

#[gen_server]
impl GenServer for Abyss {
    type Args = ();

    fn init(_: ()) -> impl InitReturn<Self> {
        (ok, Abyss)
    }

    fn handle_call(&mut self, Threads(count): Threads) -> HandleCall<Atom> {
        let (begun, all) = mpsc::channel();
        for _ in 0..count {
            let begun = begun.clone();
            thread::spawn(move || {
                on_large_stack(|| begun.send(())).expect("somebody waits");
                loop {
                    black_box(on_large_stack(work));
                }
            });
        }
        drop(begun);
        assert_eq!(all.iter().take(count as usize).count() as u64, count);
        reply(ok.into())
    }

    fn handle_call(&mut self, Fall: Fall) -> HandleCall<u64> {
        reply(deeper(0))
    }

    #[dirty(cpu)]
    fn handle_call(&mut self, Dive: Dive) -> HandleCall<u64> {
        reply(deeper(0))
    }
}
