//! A server whose threads call continuously, so that its mailbox always has messages of theirs.
use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;

use crate::counter::Build;

const THREADS: usize = 4;

/// How many replies each thread has got that has ended, and why it has ended.
#[derive(Debug, Term)]
pub struct Dialer {
    ended: Vec<(u64, Term)>,
}

/// `{ended, Replies, Reason}`
#[derive(Debug, Term)]
pub struct Ended(u64, Term);

/// `how`: returns how the threads have ended, after all have.
#[derive(Debug, Term)]
#[reply(Option<Vec<(u64, Term)>>)]
pub struct How;

#[gen_server]
impl GenServer for Dialer {
    /// The process that the threads call.
    type Args = Pid;

    fn init(counter: Pid, cx: &Cx<'_>) -> impl InitReturn<Self> {
        let client = cx.client(10);
        for _ in 0..THREADS {
            let (client, counter, sender) = (client.clone(), counter.clone(), cx.sender::<Ended>());
            std::thread::spawn(move || {
                let mut replies = 0;
                loop {
                    match client.call(&counter, Build).wait() {
                        Ok(_) => replies += 1,
                        Err(exit) => return sender.send(Ended(replies, exit.into_reason())),
                    }
                }
            });
        }
        (ok, Dialer { ended: Vec::new() })
    }

    fn handle_call(&mut self, _: How) -> HandleCall<Option<Vec<(u64, Term)>>> {
        let all_have = self.ended.len() == THREADS;
        reply(all_have.then(|| self.ended.clone()))
    }

    fn handle_info(&mut self, Ended(replies, why): Ended) -> HandleInfo {
        self.ended.push((replies, why));
        noreply()
    }
}
