//! A server whose threads call processes.
use std::sync::{Mutex, PoisonError};
use std::task::{Context, Poll, Waker};
use std::thread;
use std::time::Duration;

use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;
use otp_bridge::task::Client;

use crate::courier::Count;

/// The client of the switchboard that was started last, for threads of others.
static LAST: Mutex<Option<Client>> = Mutex::new(None);

/// Its client is for threads.
#[derive(Debug)]
pub struct Switchboard {
    client: Client,
}

/// `{outcome, What}`: the result of a thread.
#[derive(Debug, Term)]
pub struct Outcome(Term);

/// Requests. Each one starts a thread that uses a process.
#[derive(Debug, Term)]
#[reply(Term)]
pub enum Dial {
    /// `{many, Process, Threads, Count}`: makes this many calls in each thread. Returns the sum of
    /// the replies.
    Many(Pid, u64, u64),
    /// `{ask, Process}`: makes a call. Returns how it ended.
    Ask(Pid),
    /// `{ask_other, Process}`: like `Ask`, with the client of the switchboard that was started
    /// last.
    AskOther(Pid),
    /// `{within, Process, Milliseconds}`: like `Ask`, with a time limit.
    Within(Pid, u64),
    /// `{dropped, Process, Count}`: makes calls whose futures are dropped. Returns how many are in
    /// progress at once.
    Dropped(Pid, u64),
    /// `{crowd, Process}`: makes more calls than the limit allows.
    Crowd(Pid),
    /// `{tell, Process, Count}`: sends casts.
    Tell(Pid, u64),
    /// `{apply, Text}`: calls an Erlang function.
    Apply(String),
    /// `outstanding`: returns the number of calls in progress.
    Outstanding,
    /// `held`: makes a call that would block a scheduler.
    Held,
}

/// `{number, Number}`
#[derive(Debug, Clone, Term)]
pub struct Number(u64);

#[gen_server]
impl GenServer for Switchboard {
    /// Maximum number of concurrent calls.
    type Args = u16;

    fn init(capacity: u16, cx: &Cx<'_>) -> impl InitReturn<Self> {
        let client = cx.client(usize::from(capacity));
        *LAST.lock().unwrap_or_else(PoisonError::into_inner) = Some(client.clone());
        (ok, Switchboard { client })
    }

    async fn handle_call(&mut self, request: Dial, cx: &Cx<'_>) -> Result<HandleCall<Term>> {
        let client = self.client.clone();
        match request {
            Dial::Outstanding => return reply(Term::of(&outstanding(&client))),
            Dial::Held => return reply(ended(held(&client, cx))),
            _ => {}
        }
        let sender = cx.sender::<Outcome>();
        thread::spawn(move || sender.send(Outcome(dial(&client, request))));
        let Outcome(what) = cx.receive().await?;
        reply(what)
    }
}

/// Handles a request in a thread that the VM does not know.
fn dial(client: &Client, request: Dial) -> Term {
    match request {
        Dial::Many(process, threads, count) => {
            let threads: Vec<_> = (0..threads)
                .map(|_| {
                    let (client, process) = (client.clone(), process.clone());
                    thread::spawn(move || {
                        let calls = (0..count).map(|_| client.call(&process, Count).wait());
                        calls.sum::<Result<u64>>()
                    })
                })
                .collect();
            let sums = threads.into_iter().map(thread::JoinHandle::join);
            ended(sums.map(|sum| sum.unwrap_or(Ok(0))).sum())
        }
        Dial::Ask(process) => ended(client.call(&process, Count).wait()),
        Dial::AskOther(process) => {
            let other = LAST.lock().unwrap_or_else(PoisonError::into_inner).clone();
            let other = other.unwrap_or_else(|| client.clone());
            ended(other.call(&process, Count).wait())
        }
        Dial::Within(process, milliseconds) => {
            let limit = Duration::from_millis(milliseconds);
            ended(client.call_within(&process, Count, limit).wait())
        }
        Dial::Dropped(process, count) => {
            let mut calls: Vec<_> = (0..count).map(|_| client.call(&process, Count)).collect();
            let mut context = Context::from_waker(Waker::noop());
            let mut poll = |call| {
                matches!(
                    Future::poll(std::pin::Pin::new(call), &mut context),
                    Poll::Pending
                )
            };
            let waiting = calls
                .iter_mut()
                .filter_map(|call| poll(call).then_some(()))
                .count();
            Term::of(&(waiting as u64, outstanding(client)))
        }
        Dial::Crowd(process) => {
            let calls: Vec<_> = (0..3).map(|_| client.call(&process, Count)).collect();
            Term::of(
                &calls
                    .into_iter()
                    .map(|call| ended(call.wait()))
                    .collect::<Vec<_>>(),
            )
        }
        Dial::Tell(process, count) => {
            let casts = (0..count).map(|number| client.cast(&process, Number(number)));
            ended(casts.map(|cast| cast.map(|()| 1)).sum())
        }
        Dial::Apply(text) => {
            let length = client.run(async move |cx| cx.apply("erlang", "byte_size", (text,)).await);
            ended(length.wait())
        }
        Dial::Outstanding | Dial::Held => unreachable!("these need no thread"),
    }
}

/// Waits on a scheduler, which the client refuses. In the attribute's block this would not compile.
fn held(client: &Client, cx: &Cx<'_>) -> Result<u64> {
    client.call(&cx.pid(), Count).wait()
}

fn outstanding(client: &Client) -> u64 {
    client.outstanding() as u64
}

fn ended(result: Result<u64>) -> Term {
    match result {
        Ok(number) => Term::of(&(ok, number)),
        Err(exit) => exit.into_reason(),
    }
}
