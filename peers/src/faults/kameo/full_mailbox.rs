//! A full mailbox: it holds at most 64 messages, and `tell` waits for a free place.

use std::hint::spin_loop;
use std::time::{Duration, Instant};

use kameo::error::Infallible;
use kameo::prelude::*;

use super::{Ask, Load, Tally, answer, observe};

const NOTES: u64 = 20_000;

/// The time that it takes to read a note.
const READING: Duration = Duration::from_micros(50);

/// Sends notes.
#[derive(Actor)]
struct Producer {
    consumer: ActorRef<Consumer>,
}

struct Produce;

impl Message<Produce> for Producer {
    type Reply = ();

    async fn handle(&mut self, _: Produce, _: &mut Context<Self, ()>) {
        for number in 0..NOTES {
            if self.consumer.tell(Note(vec![number; 50])).await.is_err() {
                return;
            }
        }
    }
}

struct Note(#[allow(dead_code, reason = "only its size matters")] Vec<u64>);

/// Reads notes, and answers calls between them.
struct Consumer {
    producer: ActorRef<Producer>,
}

impl Actor for Consumer {
    type Args = ();
    type Error = Infallible;

    async fn on_start((): (), consumer: ActorRef<Self>) -> Result<Self, Infallible> {
        let producer = Producer::spawn(Producer { consumer });
        Ok(Consumer { producer })
    }
}

impl Message<Note> for Consumer {
    type Reply = ();

    async fn handle(&mut self, _: Note, _: &mut Context<Self, ()>) {
        let begun = Instant::now();
        while begun.elapsed() < READING {
            spin_loop();
        }
    }
}

impl Message<Ask> for Consumer {
    type Reply = u64;

    async fn handle(&mut self, Ask(call): Ask, _: &mut Context<Self, u64>) -> u64 {
        if call.fault {
            // If the producer is busy, its mailbox still has a free place for this message, unless
            // there are too many faults.
            let _ = self.producer.tell(Produce).try_send();
        }
        answer(call.number)
    }
}

pub(super) async fn run(load: Load) -> Tally {
    let consumer = Consumer::spawn(());
    observe(consumer.reply_recipient::<Ask>(), load).await
}
