//! A full mailbox: this cannot happen, because all mailboxes are unbounded.

use std::hint::spin_loop;
use std::time::{Duration, Instant};

use ractor::{Actor, ActorProcessingErr, ActorRef};

use super::{Ask, Load, Named, SERVICE, Tally, answer, observe};

const NOTES: u64 = 20_000;

/// The time that it takes to read a note.
const READING: Duration = Duration::from_micros(50);

type Done<T = ()> = Result<T, ActorProcessingErr>;

struct Produce;

/// Sends notes.
struct Producer;

impl Actor for Producer {
    type Msg = Produce;
    type State = ActorRef<ToConsumer>;
    type Arguments = ActorRef<ToConsumer>;

    async fn pre_start(
        &self,
        _: ActorRef<Produce>,
        consumer: ActorRef<ToConsumer>,
    ) -> Done<ActorRef<ToConsumer>> {
        Ok(consumer)
    }

    async fn handle(
        &self,
        _: ActorRef<Produce>,
        _: Produce,
        consumer: &mut ActorRef<ToConsumer>,
    ) -> Done {
        for number in 0..NOTES {
            consumer.cast(ToConsumer::Note(vec![number; 50]))?;
        }
        Ok(())
    }
}

enum ToConsumer {
    Ask(Ask),
    Note(#[allow(dead_code, reason = "only its size matters")] Vec<u64>),
}

impl From<Ask> for ToConsumer {
    fn from(ask: Ask) -> Self {
        ToConsumer::Ask(ask)
    }
}

/// Reads notes, and answers calls between them.
struct Consumer;

impl Actor for Consumer {
    type Msg = ToConsumer;
    type State = ActorRef<Produce>;
    type Arguments = ();

    async fn pre_start(&self, myself: ActorRef<ToConsumer>, (): ()) -> Done<ActorRef<Produce>> {
        let (producer, _) = Actor::spawn(None, Producer, myself).await?;
        Ok(producer)
    }

    async fn handle(
        &self,
        _: ActorRef<ToConsumer>,
        message: ToConsumer,
        producer: &mut ActorRef<Produce>,
    ) -> Done {
        match message {
            ToConsumer::Note(_) => {
                let begun = Instant::now();
                while begun.elapsed() < READING {
                    spin_loop();
                }
            }
            ToConsumer::Ask(Ask(call, reply)) => {
                if call.fault {
                    producer.cast(Produce)?;
                }
                // A client that no longer waits for its reply does not end the consumer.
                let _ = reply.send(answer(call.number));
            }
        }
        Ok(())
    }
}

pub(super) async fn run(load: Load) -> Tally {
    let name = Some(SERVICE.to_owned());
    let started = Actor::spawn(name, Consumer, ()).await;
    started.expect("it starts");
    observe(Named::<ToConsumer>::new(), load).await
}
