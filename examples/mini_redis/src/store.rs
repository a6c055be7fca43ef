//! The store: the data, and the sessions that wait for an element of a list.

use std::time::{SystemTime, UNIX_EPOCH};

use bytes::Bytes;
use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;
use otp_bridge::messages::Down;
use otp_bridge::process::Monitor;
use otp_bridge::{Atom, atom};

use crate::command::Command;
use crate::data::Data;
use crate::journal::{Append, Change, Changes, JOURNAL, Replace};
use crate::resp::Reply;
use crate::session::{Answer, Session};

/// The server, registered under the name of its module.
pub static STORE: Server<Store> = Server::registered();

/// The state.
#[derive(Debug, Term)]
pub struct Store {
    data: Data,
    waiting: Vec<Waiting>,
    /// The store of the other node, if there is one.
    others: Vec<Pid>,
}

/// A session that waits for an element of one of these lists.
#[derive(Debug, Term)]
struct Waiting {
    session: Pid,
    monitor: Monitor,
    keys: Vec<Bytes>,
}

/// `{run, Commands}`: runs commands without any other between them. The changes are in the journal
/// when the replies arrive.
#[derive(Debug, Term)]
#[reply(Vec<Reply>)]
pub struct Run(pub Vec<Command>);

/// `{wait, Session, Keys}`: the session wants the first element of one of these lists. It gets an
/// [`Answer`] now or later.
#[derive(Debug, Term)]
pub struct Wait(pub Pid, pub Vec<Bytes>);

/// `{give_up, Session}`: the session does not want to wait any longer. If it has no answer yet, it
/// gets one without an element.
#[derive(Debug, Term)]
pub struct GiveUp(pub Pid);

/// `{join, Store}`: the store of another node takes part. The reply is this store, and its data as
/// commands. All later changes of either follow as [`Changed`].
#[derive(Debug, Term)]
#[reply((Pid, Vec<Command>))]
pub struct Join(pub Pid);

/// `{changed, Changes}`: the store of the other node has changed its data.
#[derive(Debug, Clone, Term)]
pub struct Changed(pub Vec<Change>);

#[gen_server]
impl GenServer for Store {
    /// The other node, if this is the second one.
    type Args = Option<Atom>;

    async fn init(peer: Option<Atom>, cx: &Cx<'_>) -> Result<impl InitReturn<Self>> {
        let (mut data, mut others) = (Data::default(), Vec::new());
        if let Some(node) = peer {
            let peer = Server::<Store>::on_node(atom!("store"), node);
            let (peer, commands) = cx.call(&peer, Join(cx.pid())).await?;
            for command in commands {
                data.run(&command, 0);
            }
            cx.monitor(&peer).await?;
            others.push(peer);
        } else {
            for Change(time, command) in cx.call(&JOURNAL, Changes).await? {
                data.run(&command, time);
            }
        }
        // Starts with a short journal.
        let changes = data.commands().map(|command| Change(0, command)).collect();
        cx.call(&JOURNAL, Replace(changes)).await?;
        Ok((
            ok,
            Store {
                data,
                waiting: Vec::new(),
                others,
            },
        ))
    }

    async fn handle_call(
        &mut self,
        Run(commands): Run,
        cx: &Cx<'_>,
    ) -> Result<HandleCall<Vec<Reply>>> {
        let now = now();
        let mut changes = Vec::new();
        let mut replies = Vec::new();
        for command in &commands {
            let (reply, change) = self.data.run(command, now);
            replies.push(reply);
            changes.extend(change.map(|change| Change(now, change)));
        }
        self.complete(changes, cx).await?;
        reply(replies)
    }

    async fn handle_cast(&mut self, Wait(session, keys): Wait, cx: &Cx<'_>) -> Result<HandleCast> {
        let monitor = cx.monitor(&session).await?;
        self.waiting.push(Waiting {
            session,
            monitor,
            keys,
        });
        self.complete(Vec::new(), cx).await?;
        noreply()
    }

    async fn handle_cast(&mut self, GiveUp(session): GiveUp, cx: &Cx<'_>) -> Result<HandleCast> {
        if let Some(waiting) = self
            .waiting
            .extract_if(.., |it| it.session == session)
            .next()
        {
            answer(&waiting, Reply::NilArray, cx).await?;
        }
        noreply()
    }

    async fn handle_call(
        &mut self,
        Join(other): Join,
        cx: &Cx<'_>,
    ) -> Result<HandleCall<(Pid, Vec<Command>)>> {
        cx.monitor(&other).await?;
        self.others.push(other);
        reply((cx.pid(), self.data.commands().collect()))
    }

    async fn handle_cast(&mut self, Changed(changes): Changed, cx: &Cx<'_>) -> Result<HandleCast> {
        for Change(time, command) in &changes {
            self.data.run(command, *time);
        }
        cx.call(&JOURNAL, Append(changes)).await?;
        self.complete(Vec::new(), cx).await?;
        noreply()
    }

    /// A session that waits has ended, or the other node is lost.
    fn handle_info(&mut self, down: Down) -> HandleInfo {
        self.waiting.retain(|waiting| !waiting.monitor.is(&down));
        self.others.retain(|other| down.object != *other);
        noreply()
    }
}

impl Store {
    /// Gives elements to sessions that wait, the longest wait first. Keeps and sends all changes.
    async fn complete(&mut self, mut changes: Vec<Change>, cx: &Cx<'_>) -> Result<()> {
        let now = now();
        let (data, mut answers) = (&mut self.data, Vec::new());
        for waiting in std::mem::take(&mut self.waiting) {
            match first_element(data, &waiting.keys, now) {
                Some((reply, change)) => {
                    changes.extend(change.map(|change| Change(now, change)));
                    answers.push((waiting, reply));
                }
                None => self.waiting.push(waiting),
            }
        }
        if !changes.is_empty() {
            cx.call(&JOURNAL, Append(changes.clone())).await?;
            for other in &self.others {
                cx.cast(
                    &Server::<Store>::from(other.clone()),
                    Changed(changes.clone()),
                );
            }
        }
        for (waiting, reply) in answers {
            answer(&waiting, reply, cx).await?;
        }
        Ok(())
    }
}

/// Removes the first element of the first of these lists that has one. Returns the reply to
/// `BLPOP`, and the change.
fn first_element(data: &mut Data, keys: &[Bytes], now: i64) -> Option<(Reply, Option<Command>)> {
    keys.iter()
        .find_map(|key| match data.run(&Command::Pop(key.clone()), now) {
            (Reply::Nil, _) => None,
            (Reply::Error(text), _) => Some((Reply::Error(text), None)),
            (element, change) => Some((
                Reply::Array(vec![Reply::Bulk(key.clone()), element]),
                change,
            )),
        })
}

async fn answer(waiting: &Waiting, reply: Reply, cx: &Cx<'_>) -> Result<()> {
    cx.demonitor(&waiting.monitor).await?;
    cx.cast(
        &Server::<Session>::from(waiting.session.clone()),
        Answer(reply),
    );
    Ok(())
}

/// Returns the time in milliseconds since 1970.
pub fn now() -> i64 {
    let since = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}
