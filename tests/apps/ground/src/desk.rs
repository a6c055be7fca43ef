//! A server that replies on command.
use otp_bridge::atom;
use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;

/// The process to notify of requests, and the waiting callers.
#[derive(Debug, Term)]
pub struct Desk {
    observer: Pid,
    waiting: Vec<Waiting>,
}

/// `{waiting, Tag, Caller}`
#[derive(Debug, Term)]
pub struct Waiting(pub Atom, pub Caller<u64>);

/// `{ask, Tag}`: waits for its reply until `{answer, Tag, Value}`.
#[derive(Debug, Term)]
#[reply(u64)]
pub struct Ask(pub Atom);

/// `{echo, Value}`: gets a reply at once.
#[derive(Debug, Term)]
#[reply(u64)]
pub struct Echo(pub u64);

/// `{hand, Pid}`: hands the caller to that process, which replies.
#[derive(Debug, Term)]
#[reply(u64)]
pub struct Hand(pub Pid);

/// `{mislay, Pid}`: hands the caller to that process, which forgets it.
#[derive(Debug, Term)]
#[reply(u64)]
pub struct Mislay(pub Pid);

/// `untype`: takes the type from its caller, and forgets it.
#[derive(Debug, Term)]
#[reply(u64)]
pub struct Untype;

/// `counter`: starts a process that takes calls with `receive`. Returns its pid.
#[derive(Debug, Term)]
#[reply(Pid)]
pub struct Counter;

/// Requests to that process.
#[derive(Debug, Term)]
#[reply(u64)]
pub enum DeskRequest {
    /// `answer`
    Answer,
    /// `lose`: continues without a reply.
    Lose,
    /// `burn`: ends without a reply.
    Burn,
}

/// `forget`: never replies.
#[derive(Debug, Term)]
#[reply(u64)]
pub struct Forget;

/// Ends the desk without a reply.
#[derive(Debug, Term)]
#[reply(u64)]
pub enum End {
    /// `panic`
    Panic,
    /// `nobody`: calls a server that does not exist.
    Nobody,
    /// `stop`
    Stop,
}

/// `{handed, Caller}`
#[derive(Debug, Term)]
pub struct Handed(pub Caller<u64>);

/// `{mislaid, [#{by => Caller}]}`
#[derive(Debug, Term)]
pub struct Mislaid(pub Vec<Note>);

/// `#{by => Caller}`
#[derive(Debug, Term)]
pub struct Note {
    #[term(optional)]
    pub by: Option<Box<Caller<u64>>>,
}

/// Casts to the desk.
#[derive(Debug, Term)]
pub enum Do {
    /// `{answer, Tag, Value}`: replies, and then sends `{answered, Tag}` to `Pid`.
    Answer(Atom, u64, Pid),
    /// `clear`: forgets all waiting callers.
    Clear,
}

#[gen_server]
impl GenServer for Desk {
    type Args = Pid;

    fn init(observer: Pid) -> impl InitReturn<Self> {
        let waiting = Vec::new();
        (ok, Desk { observer, waiting })
    }

    fn handle_call(
        &mut self,
        Ask(tag): Ask,
        caller: Caller<u64>,
        cx: &Cx<'_>,
    ) -> HandleCallNoreply {
        cx.send(&self.observer, (cx.pid(), (atom!("asked"), &tag)));
        self.waiting.push(Waiting(tag, caller));
        noreply()
    }

    fn handle_call(&self, Echo(value): Echo) -> HandleCall<u64> {
        reply(value)
    }

    fn handle_call(
        &self,
        Hand(other): Hand,
        caller: Caller<u64>,
        cx: &Cx<'_>,
    ) -> HandleCallNoreply {
        cx.send(&other, Handed(caller));
        noreply()
    }

    fn handle_call(
        &self,
        Mislay(other): Mislay,
        caller: Caller<u64>,
        cx: &Cx<'_>,
    ) -> HandleCallNoreply {
        let by = Some(Box::new(caller));
        cx.send(&other, Mislaid(vec![Note { by: None }, Note { by }]));
        noreply()
    }

    fn handle_call(&self, _: Untype, caller: Caller<u64>) -> HandleCallNoreply {
        drop(caller.untyped());
        noreply()
    }

    fn handle_call(&self, _: Forget, caller: Caller<u64>) -> HandleCallNoreply {
        drop(caller);
        noreply()
    }

    async fn handle_call(&self, _: Counter, cx: &Cx<'_>) -> Result<HandleCall<Pid>> {
        reply(cx.spawn_process(counter).await?)
    }

    async fn handle_call(
        &self,
        end: End,
        _caller: Caller<u64>,
        cx: &Cx<'_>,
    ) -> Result<HandleCallNoreply> {
        match end {
            End::Panic => panic!("told to"),
            End::Nobody => {
                cx.call(&atom!("nobody_there"), Forget).await?;
            }
            End::Stop => {}
        }
        stop(atom!("stopped"))
    }

    fn handle_cast(&mut self, request: Do, cx: &Cx<'_>) -> HandleCast {
        match request {
            Do::Answer(tag, value, then) => {
                let place = self.waiting.iter().position(|it| it.0 == tag);
                if let Some(place) = place {
                    let Waiting(tag, caller) = self.waiting.remove(place);
                    caller.reply(cx, value);
                    cx.send(&then, (atom!("answered"), tag));
                }
            }
            Do::Clear => self.waiting.clear(),
        }
        noreply()
    }

    fn handle_info(&self, Handed(caller): Handed, cx: &Cx<'_>) -> HandleInfo {
        caller.reply(cx, 99);
        noreply()
    }

    fn handle_info(&self, _: Mislaid) -> HandleInfo {
        noreply()
    }

    fn terminate(&mut self, _: &TerminateReason) {}
}

/// `{'$gen_call', Caller, DeskRequest}`
async fn counter(cx: &Cx<'_>) -> Result<()> {
    loop {
        let (_, caller, asked): (Atom, Caller<u64>, DeskRequest) = cx.receive().await?;
        match asked {
            DeskRequest::Answer => caller.reply(cx, 7),
            DeskRequest::Lose => drop(caller),
            DeskRequest::Burn => return Ok(()),
        }
    }
}
