//! A thread of the operating system for each actor, and the standard library's channels.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use crate::load::{compute, due, workers};
use crate::program::{Programs, delay, taken, timed, worked};

pub(crate) struct Threads;

/// Waits for one message from each actor.
fn all<T>(messages: &Receiver<T>, number: usize) {
    assert_eq!(messages.iter().take(number).count(), number);
}

/// A mailbox for each actor.
fn mailboxes<T>(number: usize) -> (Vec<Sender<T>>, Vec<Receiver<T>>) {
    (0..number).map(|_| channel()).unzip()
}

impl Programs for Threads {
    fn ring(&self, members: usize, hops: u64) -> Duration {
        let (senders, receivers) = mailboxes::<u64>(members);
        let (ended, end) = channel();
        for (index, mailbox) in receivers.into_iter().enumerate() {
            let next = senders[(index + 1) % members].clone();
            let ended = ended.clone();
            thread::spawn(move || {
                for hops in mailbox {
                    let _ = match hops {
                        0 => ended.send(()).ok(),
                        _ => next.send(hops - 1).ok(),
                    };
                }
            });
        }
        timed(|| {
            senders[0].send(hops).expect("it runs");
            all(&end, 1);
        })
    }

    fn throughput(&self, actors: usize, messages: u64) -> Duration {
        let (senders, receivers) = mailboxes::<()>(actors);
        let (ended, end) = channel();
        for mailbox in receivers {
            let ended = ended.clone();
            thread::spawn(move || {
                all(&mailbox, messages as usize);
                let _ = ended.send(());
            });
        }
        timed(|| {
            for _ in 0..messages {
                for sender in &senders {
                    sender.send(()).expect("it runs");
                }
            }
            all(&end, actors);
        })
    }

    fn creation(&self, actors: usize) -> Duration {
        let (started, start) = channel();
        timed(|| {
            for _ in 0..actors {
                let started = started.clone();
                thread::spawn(move || started.send(()));
            }
            all(&start, actors);
        })
    }

    fn big(&self, actors: usize) -> Duration {
        let (senders, receivers) = mailboxes::<()>(actors);
        let (ended, end) = channel();
        let (starts, starting) = mailboxes::<()>(actors);
        for (index, (mailbox, start)) in receivers.into_iter().zip(starting).enumerate() {
            let others = others(&senders, index);
            let ended = ended.clone();
            thread::spawn(move || {
                all(&start, 1);
                for other in &others {
                    other.send(()).expect("it runs");
                }
                all(&mailbox, others.len());
                let _ = ended.send(());
            });
        }
        timed(|| {
            for start in &starts {
                start.send(()).expect("it runs");
            }
            all(&end, actors);
        })
    }

    fn idle(&self, actors: usize) -> u64 {
        taken(|| {
            let (senders, receivers) = mailboxes::<()>(actors);
            let (started, start) = channel();
            for mailbox in receivers {
                let started = started.clone();
                thread::spawn(move || {
                    let _ = started.send(());
                    mailbox.iter().count()
                });
            }
            all(&start, actors);
            senders
        })
    }

    fn latency(&self, clients: usize) -> Vec<Duration> {
        let (asking, asked) = channel::<Sender<u64>>();
        thread::spawn(move || {
            for (count, client) in (1..).zip(asked) {
                let _ = client.send(count);
            }
        });
        for _ in 0..workers() {
            let (again, work) = channel();
            again.send(()).expect("it has its own");
            thread::spawn(move || {
                for () in work {
                    compute();
                    let _ = again.send(());
                }
            });
        }
        let (ended, end) = channel();
        for index in 0..clients {
            let (asking, ended) = (asking.clone(), ended.clone());
            thread::spawn(move || {
                let (client, answers) = channel();
                for due in due(index, clients) {
                    thread::sleep(due.saturating_duration_since(Instant::now()));
                    asking.send(client.clone()).expect("it runs");
                    all(&answers, 1);
                    ended.send(due.elapsed()).expect("the program waits");
                }
            });
        }
        drop(ended);
        end.iter().collect()
    }

    fn timers(&self, timers: usize) -> Duration {
        worked(|| {
            let threads: Vec<_> = (0..timers)
                .map(|index| thread::spawn(move || thread::sleep(delay(index))))
                .collect();
            for thread in threads {
                thread.join().expect("it sleeps");
            }
        })
    }
}

/// Returns all actors except the one at `index`.
pub(crate) fn others<T: Clone>(all: &[T], index: usize) -> Vec<T> {
    [&all[..index], &all[index + 1..]].concat()
}
