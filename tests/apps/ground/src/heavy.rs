//! A server that computes for long, and reports on which schedulers.
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;
use otp_bridge::{atom, try_join};

use crate::gate::{Gate, Patience, Slow, Waited, Written};

/// Number of states that were dropped.
static DROPPED: AtomicU64 = AtomicU64::new(0);

/// The process to notify when a computation starts.
#[derive(Debug)]
pub struct Heavy {
    observer: Pid,
}

impl Drop for Heavy {
    fn drop(&mut self) {
        DROPPED.fetch_add(1, Ordering::Relaxed);
    }
}

/// `{cpu, Gate}`: runs the whole callback on a dirty scheduler, until the gate opens.
#[derive(Debug, Term)]
#[reply(Waited)]
pub struct Cpu(pub Gate);

/// `{io, Gate}`: like `Cpu`, on a dirty IO scheduler.
#[derive(Debug, Term)]
#[reply(Waited)]
pub struct Io(pub Gate);

/// `{across, Gate}`: like `Cpu`, after an await.
#[derive(Debug, Term)]
#[reply(Waited)]
pub struct Across(pub Gate);

/// Parts of callbacks.
#[derive(Debug, Term)]
#[reply(Waited)]
pub enum Part {
    /// `{dirty, Gate}`: `Cx::dirty`
    Dirty(Gate),
    /// `{blocking, Gate}`: `Cx::blocking`
    Blocking(Gate),
    /// `{checkpoint, Gate}`: a loop with checkpoints.
    Checkpoint(Gate),
    /// `{politely, Gate}`: a loop over elements.
    Politely(Gate),
    /// `{yielding, Gate}`: a loop that yields in each round.
    Yielding(Gate),
}

/// `dropped`: returns the number of states that were dropped.
#[derive(Debug, Term)]
#[reply(u64)]
pub struct Dropped;

/// `{read, Numbers}`: takes long to decode: until the gates with the numbers in it are open.
#[derive(Debug, Term)]
#[reply(Waited)]
pub struct Read(pub Vec<Vec<Slow>>);

/// Results of operations that take long to decode: until the gates with the numbers in them are
/// open.
#[derive(Debug, Term)]
#[reply(Waited)]
pub enum Results {
    /// `alone`: the result of the only operation.
    Alone,
    /// `beside`: the result of one of several operations.
    Beside,
    /// `received`: a message that is awaited together with other operations.
    Received,
}

/// `{numbers, Numbers}`
#[derive(Debug, Term)]
pub struct Numbers(pub Vec<Vec<Slow>>);

/// `{write, Count, Gate}`: replies with a list of this length, whose last element is encoded when
/// the gate is open.
#[derive(Debug, Term)]
#[reply(Vec<Written>)]
pub struct Write(pub usize, pub Gate);

/// `{hold, Milliseconds}`: holds its scheduler.
#[derive(Debug, Term)]
#[reply(Atom)]
pub struct Hold(pub u64);

/// `fail`: panics.
#[derive(Debug, Term)]
#[reply(Atom)]
pub struct Fail;

/// `{rest, Milliseconds}`: sleeps, and blocks its scheduler.
#[derive(Debug, Term)]
#[reply(Atom)]
pub struct Rest(pub u64);

impl Heavy {
    /// Computes until the gate opens, after notifying the observer of the start.
    fn spin(&self, gate: Gate, cx: &Cx<'_>) -> Waited {
        cx.send(&self.observer, (cx.pid(), atom!("spinning")));
        gate.hold()
    }
}

#[gen_server]
impl GenServer for Heavy {
    type Args = Pid;

    fn init(observer: Pid) -> impl InitReturn<Self> {
        (ok, Heavy { observer })
    }

    #[dirty(cpu)]
    fn handle_call(&mut self, Cpu(gate): Cpu, cx: &Cx<'_>) -> HandleCall<Waited> {
        reply(self.spin(gate, cx))
    }

    #[dirty(io)]
    fn handle_call(&mut self, Io(gate): Io, cx: &Cx<'_>) -> HandleCall<Waited> {
        reply(self.spin(gate, cx))
    }

    #[dirty(cpu)]
    async fn handle_call(
        &mut self,
        Across(gate): Across,
        cx: &Cx<'_>,
    ) -> Result<HandleCall<Waited>> {
        cx.sleep(Duration::from_millis(1)).await?;
        reply(self.spin(gate, cx))
    }

    async fn handle_call(&mut self, part: Part, cx: &Cx<'_>) -> Result<HandleCall<Waited>> {
        let patience = Patience::new();
        reply(match part {
            Part::Dirty(gate) => {
                let waited = cx.dirty(|| self.spin(gate, cx)).await;
                // If the process was killed, this is not sent.
                cx.send(&self.observer, (cx.pid(), atom!("over")));
                cx.sleep(Duration::from_millis(1)).await?;
                waited
            }
            Part::Blocking(gate) => cx.blocking(|| self.spin(gate, cx)).await,
            Part::Checkpoint(gate) => {
                cx.send(&self.observer, (cx.pid(), atom!("spinning")));
                while !gate.is_open() && !patience.is_over() {
                    cx.checkpoint().await;
                }
                opened(gate)
            }
            Part::Politely(gate) => {
                cx.send(&self.observer, (cx.pid(), atom!("spinning")));
                let mut items = cx.yielding(0_u64..);
                while items.next().await.is_some() && !gate.is_open() && !patience.is_over() {}
                opened(gate)
            }
            Part::Yielding(gate) => {
                cx.send(&self.observer, (cx.pid(), atom!("spinning")));
                while !gate.is_open() && !patience.is_over() {
                    cx.yield_now().await;
                }
                opened(gate)
            }
        })
    }

    fn handle_call(&self, _: Dropped) -> HandleCall<u64> {
        reply(DROPPED.load(Ordering::Relaxed))
    }

    fn handle_call(&self, Read(numbers): Read) -> HandleCall<Waited> {
        reply(last(numbers))
    }

    async fn handle_call(&mut self, operation: Results, cx: &Cx<'_>) -> Result<HandleCall<Waited>> {
        let get = || cx.apply::<Numbers, _>("persistent_term", "get", (atom!("numbers"),));
        let Numbers(numbers) = match operation {
            Results::Alone => get().await?,
            Results::Beside => {
                try_join!(get(), cx.sleep(Duration::from_millis(1)))
                    .await?
                    .0
            }
            Results::Received => {
                cx.send(&self.observer, (cx.pid(), atom!("receiving")));
                let message = cx.receive::<Numbers>();
                try_join!(message, cx.sleep(Duration::from_millis(1)))
                    .await?
                    .0
            }
        };
        reply(last(numbers))
    }

    fn handle_call(&self, Write(count, gate): Write) -> HandleCall<Vec<Written>> {
        let mut elements: Vec<Written> = (1..count).map(|_| Written(None)).collect();
        elements.push(Written(Some(gate)));
        reply(elements)
    }

    fn handle_call(&self, _: Fail) -> HandleCall<Atom> {
        panic!("told to");
    }

    #[normal]
    fn handle_call(&self, Rest(time): Rest) -> HandleCall<Atom> {
        std::thread::sleep(Duration::from_millis(time));
        reply(ok.into())
    }

    #[normal]
    fn handle_call(&self, Hold(time): Hold) -> HandleCall<Atom> {
        let began = Instant::now();
        while began.elapsed() < Duration::from_millis(time) {
            std::hint::spin_loop();
        }
        reply(ok.into())
    }
}

/// Returns how the waiting in the last number ended.
fn last(numbers: Vec<Vec<Slow>>) -> Waited {
    let last = numbers.into_iter().flatten().next_back();
    last.map_or(Waited::GaveUp, |Slow(waited)| waited)
}

fn opened(gate: Gate) -> Waited {
    match gate.is_open() {
        true => Waited::Released,
        false => Waited::GaveUp,
    }
}
