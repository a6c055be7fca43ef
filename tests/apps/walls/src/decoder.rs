//! A server whose native code crashes its VM on request.
use std::hint::black_box;
use std::process::Command;

use otp_bridge::Atom;
use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;
use otp_bridge::messages::Down;
use otp_bridge::process::{Monitor, Signals};
use otp_bridge::term::Binary;

/// Counts the numbers that it has decoded.
#[derive(Debug)]
pub struct Decoder {
    decoded: u64,
    watched: Option<(Monitor, Pid)>,
}

/// `{double, Number}`
#[derive(Debug, Term)]
#[reply(u64)]
pub struct Double(u64);

/// `decoded`: returns the count.
#[derive(Debug, Term)]
#[reply(u64)]
pub struct Decoded;

/// `{size, Bytes}`
#[derive(Debug, Term)]
#[reply(usize)]
pub struct Size(Binary);

/// `{count, Number}`: adds to the count.
#[derive(Debug, Term)]
pub struct Count(u64);

/// `{send, To, Message}`: sends from its own VM.
#[derive(Debug, Term)]
#[reply(Pid)]
pub struct Send(Pid, Term);

/// `{ask, Other, Number}`: lets another decoder double the number.
#[derive(Debug, Term)]
#[reply(u64)]
pub struct Ask(Server<Decoder>, u64);

/// `{watch, Process, Observer}`: notifies the observer when the process ends.
#[derive(Debug, Term)]
#[reply(Pid)]
pub struct Watch(Pid, Pid);

/// `{forge, What}`: sends frames that a correct child never sends.
#[derive(Debug, Term)]
#[reply(Atom)]
pub struct Forge(Atom);

/// `{fail, Way}`: never returns.
#[derive(Debug, Term)]
#[reply(u64)]
pub struct Fail(Way);

/// Ways to fail.
#[derive(Debug, Term)]
pub enum Way {
    /// `panic`: ends only the process.
    Panic,
    /// `abort`: aborts with a message.
    Abort,
    /// `overflow`: overflows a thread's stack.
    Overflow,
    /// `memory`: allocates more memory than there is.
    Memory,
    /// `spin`: never yields its scheduler.
    Spin,
    /// `{signal, Name}`: raises a signal such as `SEGV`.
    Signal(String),
    /// `{exit, Status}`
    Exit(i32),
}

#[gen_server]
impl GenServer for Decoder {
    type Args = u64;

    fn init(decoded: u64) -> impl InitReturn<Self> {
        (
            ok,
            Decoder {
                decoded,
                watched: None,
            },
        )
    }

    fn handle_call(&mut self, Double(number): Double) -> HandleCall<u64> {
        self.decoded += 1;
        reply(number * 2)
    }

    fn handle_call(&self, Size(bytes): Size) -> HandleCall<usize> {
        reply(bytes.len())
    }

    fn handle_call(&self, _: Decoded) -> HandleCall<u64> {
        reply(self.decoded)
    }

    fn handle_call(&self, Send(to, message): Send, cx: &Cx<'_>) -> HandleCall<Pid> {
        cx.send(&to, message);
        reply(cx.pid())
    }

    async fn handle_call(&self, Ask(other, number): Ask, cx: &Cx<'_>) -> Result<HandleCall<u64>> {
        reply(cx.call(&other, Double(number)).await?)
    }

    async fn handle_call(
        &mut self,
        Watch(process, observer): Watch,
        cx: &Cx<'_>,
    ) -> Result<HandleCall<Pid>> {
        self.watched = Some((cx.monitor(&process).await?, observer));
        reply(process)
    }

    fn handle_info(&mut self, down: Down, cx: &Cx<'_>) -> HandleInfo {
        if let Some((_, observer)) = self.watched.take() {
            cx.send(&observer, down);
        }
        noreply()
    }

    fn handle_info(&self, _: Term) -> HandleInfo {
        noreply()
    }

    async fn handle_call(&self, Forge(what): Forge, cx: &Cx<'_>) -> Result<HandleCall<Atom>> {
        reply(cx.apply("forger", "forge", (what,)).await?)
    }

    fn handle_call(&self, Fail(way): Fail) -> HandleCall<u64> {
        reply(fail(way))
    }

    fn handle_cast(&mut self, Count(more): Count) -> HandleCast {
        self.decoded += more;
        noreply()
    }
}

fn fail(way: Way) -> u64 {
    match way {
        Way::Panic => panic!("told to"),
        Way::Abort => {
            eprintln!("these are the last words");
            std::process::abort()
        }
        Way::Overflow => {
            let thread = std::thread::spawn(|| deeper(1));
            thread.join().unwrap_or(0)
        }
        Way::Memory => {
            let mut all: Vec<Vec<u8>> = Vec::new();
            loop {
                all.push(vec![1; 1 << 26]);
                black_box(&all);
            }
        }
        Way::Spin => loop {
            black_box(1);
        },
        Way::Signal(name) => {
            let process = std::process::id().to_string();
            let killed = Command::new("kill").args(["-s", &name, &process]).spawn();
            killed.map_or(0, |_| {
                loop {
                    std::thread::park();
                }
            })
        }
        Way::Exit(status) => std::process::exit(status),
    }
}

fn deeper(level: u64) -> u64 {
    match black_box([level; 64])[63] {
        u64::MAX => 0,
        level => deeper(black_box(level + 1)) + 1,
    }
}
