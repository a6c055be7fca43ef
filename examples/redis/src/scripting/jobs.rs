//! Requests that must run alone, and the process that runs them.

use std::collections::VecDeque;
use std::future::poll_fn;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Poll, Waker};

use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;
use otp_bridge::term::Shared;

use super::Scripts;
use crate::client::{Client, Next};
use crate::persistence::Wish;
use crate::resp::Replies;
use crate::server::Server;

/// Stack size of the thread that runs scripts. Lua limits the depth of its C calls to 200, but some
/// of its functions need 8 KiB each, and a dirty scheduler has only 320 KiB.
const STACK: usize = 16 << 20;

/// Number of jobs that run before the other clients get a turn again.
const AT_ONCE: usize = 32;

/// Runs a function on a thread with a stack on which Lua can run.
///
/// # Errors
/// The operating system cannot create a thread, or the function has panicked.
pub(super) fn on_large_stack<T: Send>(run: impl FnOnce() -> T + Send) -> std::io::Result<T> {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK);
        let done = thread.spawn_scoped(scope, run)?.join();
        done.map_err(|_| std::io::Error::other("a script has panicked"))
    })
}

/// Result of a job.
#[derive(Debug)]
pub struct Done {
    /// The client.
    pub client: Client,
    /// The requests that are not answered yet.
    pub input: Vec<u8>,
    /// The replies.
    pub output: Vec<u8>,
    /// Next action of the connection.
    pub next: Next,
}

#[derive(Debug, Default)]
enum Answer {
    #[default]
    Empty,
    Awaited(Waker),
    Done(Box<Done>),
    Gone,
}

/// A client with its requests.
#[derive(Debug)]
struct Job {
    client: Client,
    input: Vec<u8>,
    result: Ticket,
}

/// Place for the result of a job. Dropping it without a result tells the waiting client that none
/// will come.
#[derive(Debug, Default)]
struct Ticket(Arc<Mutex<Answer>>);

impl Ticket {
    fn put(&self, place: Answer) {
        let mut current = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if matches!(*current, Answer::Done(_)) {
            return;
        }
        if let Answer::Awaited(waker) = std::mem::replace(&mut *current, place) {
            waker.wake();
        }
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        self.put(Answer::Gone);
    }
}

/// Queue of jobs.
#[derive(Debug, Default)]
pub(super) struct Jobs {
    all: Mutex<VecDeque<Job>>,
    pub(super) wish: Wish,
}

impl Scripts {
    /// Runs a client's first request while no other client runs one. Returns `None` if the job
    /// failed.
    pub async fn alone(&self, client: Client, input: Vec<u8>) -> Option<Done> {
        let result = Ticket::default();
        let place = Arc::clone(&result.0);
        let job = Job {
            client,
            input,
            result,
        };
        self.jobs().push_back(job);
        self.jobs.wish.wish();
        poll_fn(|context| {
            let mut current = place.lock().unwrap_or_else(PoisonError::into_inner);
            match std::mem::take(&mut *current) {
                Answer::Done(done) => Poll::Ready(Some(*done)),
                Answer::Gone => Poll::Ready(None),
                Answer::Empty | Answer::Awaited(_) => {
                    *current = Answer::Awaited(context.waker().clone());
                    Poll::Pending
                }
            }
        })
        .await
    }

    fn jobs(&self) -> std::sync::MutexGuard<'_, VecDeque<Job>> {
        let jobs = self.jobs.all.lock();
        jobs.unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs waiting jobs. Returns whether there are more.
    fn work(&self, server: &Server) -> bool {
        if !self.jobs().is_empty() {
            let closed = self.gate.close();
            if on_large_stack(|| self.run_some(server)).is_err() {
                // There is no thread, or a job has panicked: dropping the jobs disconnects their
                // clients.
                self.jobs().clear();
            }
            drop(closed);
        }
        let mut retired = self.retired.lock().unwrap_or_else(PoisonError::into_inner);
        let unused = std::mem::take(&mut *retired);
        drop(retired);
        drop(unused);
        !self.jobs().is_empty()
    }

    fn run_some(&self, server: &Server) {
        for _ in 0..AT_ONCE {
            let Some(job) = self.jobs().pop_front() else {
                break;
            };
            job.run(server);
        }
    }
}

impl Job {
    fn run(self, server: &Server) {
        let Job {
            mut client,
            mut input,
            result,
        } = self;
        let (mut ranges, mut replies) = (Vec::new(), Replies::default());
        let (done, next) = client.answer_alone(server, &input, &mut ranges, &mut replies);
        input.drain(..done);
        result.put(Answer::Done(Box::new(Done {
            client,
            input,
            next: match replies.is_over() {
                true => Next::Overflows,
                false => next,
            },
            output: replies.bytes,
        })));
    }
}

/// The process that runs scripts, one after the other.
#[derive(Debug, Term)]
pub struct Scripter;

#[gen_server]
impl GenServer for Scripter {
    type Args = Shared<Server>;

    fn init(server: Shared<Server>, cx: &Cx<'_>) -> Result<impl InitReturn<Self>> {
        cx.spawn_task::<(), _>(async move |cx| {
            loop {
                server.scripts.jobs.wish.wished().await;
                while cx.blocking(|| server.scripts.work(&server)).await {
                    cx.checkpoint().await;
                }
            }
        })
        .linked();
        Ok((ok, Scripter))
    }
}
