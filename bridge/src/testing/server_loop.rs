//! The loop of `gen_server`.

use std::time::Duration;

use super::looping::Loop;
use super::process::{Process, elements, is, reason_of_end, state};
use super::world::{World, milliseconds};
use crate::atoms::timeout;
use crate::runtime::{CallbackKind, ModuleEntry, Result, protocol};
use crate::{Exit, Term};

/// A process whose messages are handled as by `gen_server`.
pub(super) struct ServerLoop {
    process: Process,
    /// When the message `timeout` arrives, if no other one arrives before.
    timeout: Option<Duration>,
}

impl ServerLoop {
    /// Starts the server: `init/1`.
    ///
    /// # Errors
    /// The reason why it has not started: that of `{stop, Reason}` from `init`, or an exception;
    /// `ignore`.
    pub(super) fn start(
        module: &'static ModuleEntry,
        argument: Term,
        world: World,
    ) -> Result<Self> {
        let mut process = ServerLoop {
            process: Process::new(module, world),
            timeout: None,
        };
        let returned = process
            .process
            .callback(CallbackKind::Init, vec![argument.clone()])?;
        match elements(&returned).as_slice() {
            [tag, _] if is(tag, "ok") && process.process.has(CallbackKind::Start) => {
                process.noreply(CallbackKind::Start, vec![argument, state()]);
            }
            [tag, _] if is(tag, "ok") => {}
            [tag, _, then] if is(tag, "ok") => process.then(then),
            [_, reason] => return Err(Exit::new(reason)),
            _ => return Err(Exit::new(returned)),
        }
        process.run();
        Ok(process)
    }

    fn handle(&mut self, message: Term) {
        match elements(&message).as_slice() {
            [tag, client, request] if is(tag, "$gen_call") => {
                self.handle_call(client.clone(), request.clone());
            }
            [tag, request] if is(tag, "$gen_cast") => {
                self.noreply(CallbackKind::Cast, vec![request.clone(), state()]);
            }
            // OTP logs such a message and drops it.
            _ if !self.process.has(CallbackKind::Info) => {}
            _ => self.noreply(CallbackKind::Info, vec![message, state()]),
        }
    }

    fn handle_call(&mut self, client: Term, request: Term) {
        let arguments = vec![request, client.clone(), state()];
        let returned = match self.process.callback(CallbackKind::Call, arguments) {
            Ok(returned) => returned,
            Err(exit) => return self.end(exit),
        };
        match elements(&returned).as_slice() {
            [tag, reply, _, then @ ..] if is(tag, "reply") => {
                self.process.world.reply(&client, Ok(reply.clone()));
                then.iter().for_each(|then| self.then(then));
            }
            [tag, reason, reply, _] if is(tag, "stop") => {
                self.end(Exit::new(reason));
                self.process.world.reply(&client, Ok(reply.clone()));
            }
            _ => self.returned(returned),
        }
    }

    /// Calls a callback without a caller.
    fn noreply(&mut self, callback: CallbackKind, arguments: Vec<Term>) {
        match self.process.callback(callback, arguments) {
            Ok(returned) => self.returned(returned),
            Err(exit) => self.end(exit),
        }
    }

    fn returned(&mut self, returned: Term) {
        match elements(&returned).as_slice() {
            [tag, _] if is(tag, "noreply") => {}
            [tag, _, then] if is(tag, "noreply") => self.then(then),
            [tag, reason, _] if is(tag, "stop") => self.end(Exit::new(reason)),
            _ => self.end(Exit::new((protocol::bad_return_value, returned))),
        }
    }

    /// `timeout() | hibernate | {continue, Continue}`
    fn then(&mut self, then: &Term) {
        match elements(then).as_slice() {
            [tag, next] if is(tag, "continue") => {
                self.noreply(CallbackKind::Continue, vec![next.clone(), state()]);
            }
            _ => {
                let now = self.process.world.timers.now();
                self.timeout = milliseconds(then).map(|time| now.saturating_add(time));
            }
        }
    }
}

impl Loop for ServerLoop {
    fn process(&self) -> &Process {
        &self.process
    }

    fn process_mut(&mut self) -> &mut Process {
        &mut self.process
    }

    fn run(&mut self) {
        while self.process.ended.is_none() {
            if let Some(message) = self.process.world.mailbox.pop_front() {
                self.timeout = None;
                self.handle(message);
                continue;
            }
            match self.timeout {
                Some(due) if due <= self.process.world.timers.now() => {
                    self.timeout = None;
                    self.handle(Term::of(&timeout));
                }
                _ => return,
            }
        }
    }

    fn end(&mut self, exit: Exit) {
        self.timeout = None;
        let reason = reason_of_end(&exit);
        self.process.end(exit, vec![reason, state()]);
    }

    fn next_timeout(&self) -> Option<Duration> {
        self.timeout
    }
}
