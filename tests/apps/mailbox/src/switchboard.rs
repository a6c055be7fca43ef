//! A server that calls for threads.
use std::sync::{Mutex, PoisonError};
use std::task::{Context, Poll, Waker};
use std::thread;
use std::time::Duration;

use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;
use otp_bridge::task::Client;

use crate::courier::Count;

/// The client of the last one that was started, for threads of others.
static LAST: Mutex<Option<Client>> = Mutex::new(None);

/// Threads call by it.
#[derive(Debug)]
pub struct Switchboard {
    client: Client,
}

/// `{outcome, What}`: what a thread has found out.
#[derive(Debug, Term)]
pub struct Outcome(Term);

/// Requests: what a thread does with a process.
#[derive(Debug, Term)]
#[reply(Term)]
pub enum Dial {
    /// `{many, Process, Threads, Count}`: each thread calls so often; the sum of the replies.
    Many(Pid, u64, u64),
    /// `{ask, Process}`: one call, and how it ended.
    Ask(Pid),
    /// `{ask_other, Process}`: the same by the client of the switchboard that was started last.
    AskOther(Pid),
    /// `{within, Process, Milliseconds}`: the same with a time limit.
    Within(Pid, u64),
    /// `{dropped, Process, Count}`: calls whose futures are dropped; how many are under way at
    /// once.
    Dropped(Pid, u64),
    /// `{crowd, Process}`: more calls than there may be.
    Crowd(Pid),
    /// `{tell, Process, Count}`: casts.
    Tell(Pid, u64),
    /// `{apply, Text}`: a function of Erlang.
    Apply(String),
    /// `outstanding`: how many calls are under way.
    Outstanding,
    /// `held`: a call that would hold a scheduler.
    Held,
}

/// `{number, Number}`
#[derive(Debug, Clone, Term)]
pub struct Number(u64);

#[gen_server]
impl GenServer for Switchboard {
    /// How many calls there may be.
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

/// In a thread that the VM does not know.
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

/// Waits on a scheduler, which the client refuses. In the block it would not compile.
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
