//! A full mailbox: it holds at most sixteen messages. `send` waits for a free place, so a producer
//! that waits for each note cannot fill the mailbox. (`do_send` ignores the limit.)

use std::hint::spin_loop;
use std::time::{Duration, Instant};

use actix::prelude::*;

use super::{Ask, answer};

const NOTES: u64 = 20_000;

/// The time that it takes to read a note.
const READING: Duration = Duration::from_micros(50);

#[derive(Message)]
#[rtype(result = "()")]
struct Produce;

#[derive(Message)]
#[rtype(result = "()")]
struct Note(#[allow(dead_code, reason = "only its size matters")] Vec<u64>);

/// Sends notes.
struct Producer {
    consumer: Addr<Consumer>,
}

impl Actor for Producer {
    type Context = Context<Self>;
}

impl Handler<Produce> for Producer {
    type Result = ResponseFuture<()>;

    fn handle(&mut self, _: Produce, _: &mut Context<Self>) -> Self::Result {
        let consumer = self.consumer.clone();
        Box::pin(async move {
            for number in 0..NOTES {
                if consumer.send(Note(vec![number; 50])).await.is_err() {
                    return;
                }
            }
        })
    }
}

/// Reads notes, and answers calls between them.
struct Consumer {
    producer: Option<Addr<Producer>>,
}

impl Actor for Consumer {
    type Context = Context<Self>;

    fn started(&mut self, context: &mut Context<Self>) {
        let consumer = context.address();
        self.producer = Some(Producer { consumer }.start());
    }
}

impl Handler<Note> for Consumer {
    type Result = ();

    fn handle(&mut self, _: Note, _: &mut Context<Self>) {
        let begun = Instant::now();
        while begun.elapsed() < READING {
            spin_loop();
        }
    }
}

impl Handler<Ask> for Consumer {
    type Result = Option<u64>;

    fn handle(&mut self, Ask(call): Ask, _: &mut Context<Self>) -> Option<u64> {
        if call.fault {
            self.producer.as_ref()?.do_send(Produce);
        }
        Some(answer(call.number))
    }
}

pub(super) fn start(arbiter: &ArbiterHandle) -> Recipient<Ask> {
    let producer = None;
    Consumer::start_in_arbiter(arbiter, |_| Consumer { producer }).recipient()
}
