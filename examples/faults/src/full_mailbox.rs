//! A full mailbox. The fault makes the producer send twenty thousand notes at once, faster than the
//! consumer can read them. The VM kills a process whose heap, including its mailbox, exceeds a
//! limit, and its supervisor restarts it.

use std::hint::spin_loop;
use std::time::{Duration, Instant};

use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;
use otp_bridge::process::MessageQueueData;
use otp_bridge::start::{SpawnOption, StartOptions};
use otp_bridge::supervisor::{self, ChildSpec, SupFlags, Supervisor, supervisor};

use crate::ask::{Ask, SERVICE};

const NOTES: u64 = 20_000;

/// How long reading a note takes.
const READING: Duration = Duration::from_micros(50);

/// Eight megabytes, in words.
const LIMIT: u64 = 1_000_000;

static PRODUCER: Server<Producer> = Server::registered();

/// Starts the producer and the consumer. The consumer is killed when its mailbox is too large.
pub struct FullMailbox;

#[supervisor]
impl Supervisor for FullMailbox {
    /// Maximum number of restarts within a second.
    type Args = u64;

    fn init(restarts: u64) -> impl supervisor::InitReturn {
        let producer = ChildSpec::of::<Producer>(()).registered(&PRODUCER);
        // Only messages on the heap count towards the limit.
        let limit = [
            SpawnOption::MaxHeapSize(LIMIT),
            SpawnOption::MessageQueueData(MessageQueueData::OnHeap),
        ];
        let consumer = ChildSpec::of::<Consumer>(()).registered(SERVICE);
        let consumer = consumer.options(StartOptions::new().spawn_opt(limit));
        let flags = SupFlags::one_for_one().intensity(restarts).period(1);
        (ok, (flags, vec![producer, consumer]))
    }
}

/// Sends notes.
#[derive(Debug, Term)]
pub struct Producer;

/// `produce`
#[derive(Debug, Term)]
pub struct Produce;

#[gen_server]
impl GenServer for Producer {
    type Args = ();

    fn init(_: ()) -> impl InitReturn<Self> {
        (ok, Producer)
    }

    async fn handle_cast(&mut self, _: Produce, cx: &Cx<'_>) -> HandleCast {
        for number in 0..NOTES {
            cx.cast(&SERVICE, Note(vec![number; 50]));
            cx.checkpoint().await;
        }
        noreply()
    }
}

/// Reads notes, and answers calls in between.
#[derive(Debug, Term)]
pub struct Consumer;

/// `{note, Numbers}`
#[derive(Debug, Term)]
pub struct Note(pub Vec<u64>);

#[gen_server]
impl GenServer for Consumer {
    type Args = ();

    fn init(_: ()) -> impl InitReturn<Self> {
        (ok, Consumer)
    }

    fn handle_cast(&mut self, _: Note) -> HandleCast {
        let begun = Instant::now();
        while begun.elapsed() < READING {
            spin_loop();
        }
        noreply()
    }

    fn handle_call(&mut self, ask: Ask, cx: &Cx<'_>) -> HandleCall<u64> {
        if ask.fault {
            cx.cast(&PRODUCER, Produce);
        }
        reply(ask.answer())
    }
}
