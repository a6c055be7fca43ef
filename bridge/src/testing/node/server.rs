//! The loop of `gen_server`.

use super::callbacks::CallbackProcess;
use super::own::{NextMessage, OwnProcess, milliseconds};
use super::slot::reason_of_end;
use super::{elements, is, state};
use crate::atoms::timeout;
use crate::runtime::{CallbackKind, ModuleEntry, protocol};
use crate::{Exit, Reference, Term};

/// The next step of a server.
enum ServerStep {
    /// Waits for a message, until the timer fires.
    Receive(Option<Reference>),
    /// Calls a callback without a caller.
    Call(CallbackKind, Vec<Term>),
    End(Exit),
    /// Ends, and replies to a caller after `terminate`.
    Reply(Exit, Term, Term),
}

/// Runs a server to its end.
pub(super) async fn serve(own: OwnProcess, module: &'static ModuleEntry, argument: Term) -> Exit {
    let process = CallbackProcess::new(own, module);
    let mut step = match started(&process, argument).await {
        Ok(step) => step,
        Err(exit) => return exit,
    };
    loop {
        step = match step {
            ServerStep::Receive(timer) => match process.own.receive(timer.as_ref()).await {
                NextMessage::Message(message) => handle(&process, message).await,
                NextMessage::Timeout => handle(&process, Term::of(&timeout)).await,
            },
            ServerStep::Call(kind, arguments) => noreply(&process, kind, arguments).await,
            ServerStep::End(exit) => return end(&process, exit).await,
            ServerStep::Reply(exit, client, reply) => {
                let exit = end(&process, exit).await;
                process.own.reply(&client, Ok(reply));
                return exit;
            }
        }
    }
}

/// Calls `init/1`. Returns the first step.
///
/// # Errors
/// The end of the process, if it has not started.
async fn started(process: &CallbackProcess, argument: Term) -> Result<ServerStep, Exit> {
    let own = &process.own;
    let returned = process.init(argument.clone()).await?;
    let step = match elements(&returned) {
        [tag, _] if is(tag, "ok") && process.has(CallbackKind::Start) => {
            ServerStep::Call(CallbackKind::Start, vec![argument, state()])
        }
        [tag, _] if is(tag, "ok") => ServerStep::Receive(None),
        [tag, _, next] if is(tag, "ok") => then(process, next),
        _ => return Err(own.refuse_start(&returned)),
    };
    own.started();
    Ok(step)
}

async fn end(process: &CallbackProcess, exit: Exit) -> Exit {
    let reason = reason_of_end(&exit);
    process.end(exit, vec![reason, state()]).await
}

async fn handle(process: &CallbackProcess, message: Term) -> ServerStep {
    if let Some(exit) = process.own.ordered_end(&message) {
        return ServerStep::End(exit);
    }
    match elements(&message) {
        [tag, client, request] if is(tag, "$gen_call") => {
            handle_call(process, client.clone(), request.clone()).await
        }
        [tag, request] if is(tag, "$gen_cast") => {
            noreply(process, CallbackKind::Cast, vec![request.clone(), state()]).await
        }
        // OTP logs such a message and drops it.
        _ if !process.has(CallbackKind::Info) => ServerStep::Receive(None),
        _ => noreply(process, CallbackKind::Info, vec![message, state()]).await,
    }
}

async fn handle_call(process: &CallbackProcess, client: Term, request: Term) -> ServerStep {
    let arguments = vec![request, client.clone(), state()];
    let returned = match process.callback(CallbackKind::Call, arguments).await {
        Ok(returned) => returned,
        Err(exit) => return ServerStep::End(exit),
    };
    match elements(&returned) {
        [tag, reply, _, next @ ..] if is(tag, "reply") => {
            process.own.reply(&client, Ok(reply.clone()));
            match next {
                [next] => then(process, next),
                _ => ServerStep::Receive(None),
            }
        }
        [tag, reason, reply, _] if is(tag, "stop") => {
            ServerStep::Reply(Exit::new(reason), client, reply.clone())
        }
        _ => without_reply(process, returned),
    }
}

/// Calls a callback without a caller.
async fn noreply(
    process: &CallbackProcess,
    callback: CallbackKind,
    arguments: Vec<Term>,
) -> ServerStep {
    match process.callback(callback, arguments).await {
        Ok(returned) => without_reply(process, returned),
        Err(exit) => ServerStep::End(exit),
    }
}

fn without_reply(process: &CallbackProcess, returned: Term) -> ServerStep {
    match elements(&returned) {
        [tag, _] if is(tag, "noreply") => ServerStep::Receive(None),
        [tag, _, next] if is(tag, "noreply") => then(process, next),
        [tag, reason, _] if is(tag, "stop") => ServerStep::End(Exit::new(reason)),
        _ => ServerStep::End(Exit::new((protocol::bad_return_value, returned))),
    }
}

/// `timeout() | hibernate | {continue, Continue}`
fn then(process: &CallbackProcess, next: &Term) -> ServerStep {
    match elements(next) {
        [tag, next] if is(tag, "continue") => {
            ServerStep::Call(CallbackKind::Continue, vec![next.clone(), state()])
        }
        _ => {
            let time = milliseconds(next);
            ServerStep::Receive(time.map(|time| process.own.start_wake(time)))
        }
    }
}

impl OwnProcess {
    /// Handles what `init` returns if the process does not start. Returns the end of the process.
    pub(super) fn refuse_start(&self, returned: &Term) -> Exit {
        match elements(returned) {
            [tag, reason] => {
                self.not_started(Exit::new(reason), reason.clone());
                match is(tag, "error") {
                    true => Exit::new(crate::atoms::normal),
                    false => Exit::new(reason),
                }
            }
            _ if is(returned, "ignore") => {
                self.ignored();
                Exit::new(crate::atoms::normal)
            }
            _ => {
                let exit = Exit::new((protocol::bad_return_value, returned));
                self.not_started(exit.clone(), exit.reason().clone());
                exit
            }
        }
    }

    /// Returns the reason with which a message ends a process of a behaviour: an exit signal of its
    /// parent, or `gen_server:stop/3`.
    pub(super) fn ordered_end(&self, message: &Term) -> Option<Exit> {
        match elements(message) {
            [tag, Term::Pid(from), reason] if is(tag, "EXIT") => {
                let is_parent = self.with(|slot| slot.parent.as_ref() == Some(from));
                is_parent.then(|| Exit::new(reason))
            }
            [tag, client, order] if is(tag, "system") => match elements(order) {
                [tag, reason] if is(tag, "stop") => {
                    self.reply(client, Ok(Term::of(&crate::atoms::ok)));
                    Some(Exit::new(reason))
                }
                _ => None,
            },
            _ => None,
        }
    }
}
