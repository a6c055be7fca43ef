//! A server that awaits a very large number of operations at once.
use std::time::Duration;

use futures_util::stream::{FuturesUnordered, StreamExt};
use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;
use otp_bridge::join_all;

use crate::desk::{Desk, Echo};

/// Messages that no callback waited for.
#[derive(Debug)]
pub struct Crowd {
    seen: u64,
}

/// Requests whose reply is a sum. The last argument is the number of operations.
#[derive(Debug, Term)]
#[reply(u64)]
pub enum Do {
    /// `seen`: returns the number of messages.
    Seen,
    /// `{calls, Desk, Count}`
    Calls(Pid, u64),
    /// `{each, [Desk]}`: calls through references that are dropped before the calls start.
    Each(Vec<Pid>),
    /// `{unordered_calls, Desk, Count}`
    UnorderedCalls(Pid, u64),
    /// `{unordered_sleeps, Count}`
    UnorderedSleeps(u64),
    /// `{functions, Count}`
    Functions(u64),
}

#[gen_server]
impl GenServer for Crowd {
    type Args = ();

    fn init(_: ()) -> impl InitReturn<Self> {
        (ok, Crowd { seen: 0 })
    }

    async fn handle_call(&mut self, request: Do, cx: &Cx<'_>) -> Result<HandleCall<u64>> {
        let mut sum = 0;
        match request {
            Do::Seen => sum = self.seen,
            Do::Calls(desk, count) => {
                let calls = (1..=count).map(|value| cx.call(&desk, Echo(value)));
                for answer in join_all(calls).await {
                    sum += answer?;
                }
            }
            Do::Each(desks) => {
                let call = |desk| cx.call(Server::<Desk>::from(desk), Echo(7));
                let calls: Vec<_> = desks.into_iter().map(call).collect();
                for answer in join_all(calls).await {
                    sum += answer?;
                }
            }
            Do::UnorderedCalls(desk, count) => {
                let calls = (1..=count).map(|value| cx.call(&desk, Echo(value)));
                let mut calls: FuturesUnordered<_> = calls.collect();
                while let Some(answer) = calls.next().await {
                    sum += answer?;
                }
            }
            Do::UnorderedSleeps(count) => {
                let sleep = async |value: u64| {
                    let slept = cx.sleep(Duration::from_millis(value % 10)).await;
                    slept.map(|()| value)
                };
                let mut sleeps: FuturesUnordered<_> = (1..=count).map(sleep).collect();
                while let Some(value) = sleeps.next().await {
                    sum += value?;
                }
            }
            Do::Functions(count) => {
                let calls = (1..=count).map(|value| cx.apply::<u64, _>("erlang", "abs", (value,)));
                for value in join_all(calls).await {
                    sum += value?;
                }
            }
        }
        reply(sum)
    }

    fn handle_info(&mut self, _: Term) -> HandleInfo {
        self.seen += 1;
        noreply()
    }
}
