//! A server for which a thread of its own calls.
use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;

use crate::counter::Build;

/// How often the thread has had a reply, and why it has no more, once it has ended.
#[derive(Debug, Term)]
pub struct Dialer {
    ended: Option<(u64, Term)>,
}

/// `{ended, Replies, Reason}`
#[derive(Debug, Term)]
pub struct Ended(u64, Term);

/// `how`: how the thread has ended.
#[derive(Debug, Term)]
#[reply(Option<(u64, Term)>)]
pub struct How;

#[gen_server]
impl GenServer for Dialer {
    /// Whom the thread calls.
    type Args = Pid;

    fn init(counter: Pid, cx: &Cx<'_>) -> impl InitReturn<Self> {
        let (client, sender) = (cx.client(10), cx.sender::<Ended>());
        std::thread::spawn(move || {
            let mut replies = 0;
            loop {
                match client.call(&counter, Build).wait() {
                    Ok(_) => replies += 1,
                    Err(exit) => return sender.send(Ended(replies, exit.into_reason())),
                }
            }
        });
        (ok, Dialer { ended: None })
    }

    fn handle_call(&mut self, _: How) -> HandleCall<Option<(u64, Term)>> {
        reply(self.ended.clone())
    }

    fn handle_info(&mut self, Ended(replies, why): Ended) -> HandleInfo {
        self.ended = Some((replies, why));
        noreply()
    }
}
