//! A server that tests terminate at arbitrary points.
use std::time::Duration;

use otp_bridge::atoms::{kill, ok};
use otp_bridge::gen_server::prelude::*;
use otp_bridge::{Resource, Result, atom};

use crate::clerk::{Clerk, Echo, Never};
use crate::living::Counted;
use crate::living::functions::Token;
use crate::walk::Operation;

/// The state. It is counted until it is dropped.
#[derive(Debug)]
pub struct Victim {
    tokens: Vec<Resource<Token>>,
    _counted: Counted,
}

/// Ways in which a victim ends.
#[derive(Debug, Clone, Copy, Term)]
pub enum Blow {
    /// `none`: it continues.
    None,
    /// `panic`
    Panic,
    /// `exit`: the callback returns an error.
    Exit,
    /// `kill`: it kills itself.
    Kill,
    /// `stop`: the callback's result stops it, with a reply if there was none yet.
    Stop,
}

/// Requests with a number as their reply.
#[derive(Debug, Term)]
#[reply(u64)]
pub enum Do {
    /// `{echo, Value}`
    Echo(u64),
    /// `{walk, Operations, At, Blow}`: awaits the operations, and ends before the one with this
    /// index. Replies with the number of operations.
    Walk(Vec<Operation>, usize, Blow),
    /// `{hold, Operation, Observer}`: notifies the observer, and awaits the operation until the
    /// process is terminated.
    Hold(Operation, Pid),
}

/// `{answer_and, Operation, Blow}`: replies, awaits the operation, and ends.
#[derive(Debug, Term)]
#[reply(u64)]
pub struct AnswerAnd(Operation, Blow);

/// `last`: replies while it ends.
#[derive(Debug, Term)]
#[reply(u64)]
pub struct Last;

/// `forget`: never replies.
#[derive(Debug, Term)]
#[reply(u64)]
pub struct Forget;

/// `{keep, Resource}`: keeps a resource. Returns how many it has.
#[derive(Debug, Term)]
#[reply(usize)]
pub struct Keep(Resource<Token>);

/// Calls the clerk of another node. The reply tells how the call ended.
#[derive(Debug, Term)]
#[reply(Result<u64, Term>)]
pub enum Far {
    /// `{far_echo, Node}`
    FarEcho(Atom),
    /// `{far_never, Node}`
    FarNever(Atom),
}

/// `{ticks, Count, Observer}`: runs this many timers, one after the other, and then notifies the
/// observer.
#[derive(Debug, Term)]
pub struct Ticks(u64, Pid);

/// `{later, Count}`: starts this many timers that will not expire before its end.
#[derive(Debug, Term)]
pub struct Later(u64);

#[gen_server]
impl GenServer for Victim {
    type Args = ();

    fn init(_: ()) -> impl InitReturn<Self> {
        let victim = Victim {
            tokens: Vec::new(),
            _counted: Counted::state(),
        };
        (ok, victim)
    }

    async fn handle_call(&mut self, request: Do, cx: &Cx<'_>) -> Result<HandleCall<u64>> {
        match request {
            Do::Echo(value) => reply(value),
            Do::Walk(operations, at, blow) => {
                let mut done = 0;
                for (index, operation) in operations.iter().enumerate() {
                    if index == at && end(blow, cx)? {
                        return stop_reply(atom!("stopped"), done);
                    }
                    assert_eq!(operation.run(done, cx).await?, done);
                    done += 1;
                }
                if at == operations.len() && end(blow, cx)? {
                    return stop_reply(atom!("stopped"), done);
                }
                reply(done)
            }
            Do::Hold(operation, observer) => {
                cx.send(&observer, (cx.pid(), atom!("holding")));
                reply(operation.hold(cx).await?)
            }
        }
    }

    async fn handle_call(
        &mut self,
        AnswerAnd(operation, blow): AnswerAnd,
        caller: Caller<u64>,
        cx: &Cx<'_>,
    ) -> Result<HandleCallNoreply> {
        caller.reply(cx, 42);
        operation.run(0, cx).await?;
        match end(blow, cx)? {
            true => stop(atom!("stopped")),
            false => noreply(),
        }
    }

    fn handle_call(&mut self, _: Last) -> HandleCall<u64> {
        stop_reply(atom!("stopped"), 43)
    }

    fn handle_call(&mut self, _: Forget, caller: Caller<u64>) -> HandleCallNoreply {
        drop(caller);
        noreply()
    }

    fn handle_call(&mut self, Keep(token): Keep) -> HandleCall<usize> {
        self.tokens.push(token);
        reply(self.tokens.len())
    }

    async fn handle_call(&mut self, far: Far, cx: &Cx<'_>) -> HandleCall<Result<u64, Term>> {
        let clerk = |node| Server::<Clerk>::on_node(atom!("clerk"), node);
        let answer = match far {
            Far::FarEcho(node) => cx.call(&clerk(node), Echo(7)).await,
            Far::FarNever(node) => cx.call(&clerk(node), Never).await,
        };
        reply(answer.map_err(Exit::into_reason))
    }

    fn handle_cast(&mut self, Later(count): Later, cx: &Cx<'_>) -> HandleCast {
        for _ in 0..count {
            cx.send_after(Duration::from_secs(3600), Ticks(0, cx.pid()));
        }
        noreply()
    }

    fn handle_info(&mut self, Ticks(left, observer): Ticks, cx: &Cx<'_>) -> HandleInfo {
        match left {
            0 => cx.send(&observer, (cx.pid(), atom!("ticked"))),
            left => {
                cx.send_after(Duration::from_millis(1), Ticks(left - 1, observer));
            }
        }
        noreply()
    }
}

/// Ends the process, or returns whether the callback should stop it.
fn end(blow: Blow, cx: &Cx<'_>) -> Result<bool> {
    match blow {
        Blow::None => Ok(false),
        Blow::Stop => Ok(true),
        Blow::Panic => panic!("told to"),
        Blow::Exit => Err(Exit::new(Term::of(&atom!("blown")))),
        Blow::Kill => {
            cx.exit(&cx.pid(), kill);
            Ok(false)
        }
    }
}
