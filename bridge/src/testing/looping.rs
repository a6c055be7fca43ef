//! The common part of the loops of OTP's behaviours: messages arrive, time passes, signals end a
//! process.

use std::time::Duration;

use super::process::{Process, is, reason_of_end};
use super::world::{World, parent};
use crate::runtime::{Result, protocol};
use crate::{Exit, Pid, Term, ToTerm, atom};

/// The time limit of `gen_server:call/2`.
const CALL_TIMEOUT: Duration = Duration::from_secs(5);

/// The loop of a behaviour around a process.
pub(super) trait Loop {
    fn process(&self) -> &Process;

    /// Returns the process, to change it.
    fn process_mut(&mut self) -> &mut Process;

    /// Handles messages until there are none.
    fn run(&mut self);

    /// Ends the process, through `terminate`.
    fn end(&mut self, exit: Exit);

    /// Returns when the next event occurs that is not a timer of the process.
    fn next_timeout(&self) -> Option<Duration>;

    /// Delivers a message, and handles everything that follows from it.
    fn deliver(&mut self, message: Term) {
        if self.process().ended.is_none() {
            self.process_mut().world.mailbox.push_back(message);
            self.run();
        }
    }

    /// Advances the time to `end`, or until `is_enough`.
    fn advance(&mut self, end: Duration, is_enough: impl Fn(&World) -> bool) {
        while !is_enough(&self.process().world) && self.process().ended.is_none() {
            let timers = self.process().world.timers.next();
            let next = timers.into_iter().chain(self.next_timeout()).min();
            let world = &mut self.process_mut().world;
            let Some(next) = next.filter(|next| *next <= end) else {
                return world.timers.set_now(end);
            };
            world.timers.set_now(next);
            world.deliver_due();
            self.run();
        }
    }

    /// Delivers an exit signal.
    fn exit(&mut self, from: &Pid, reason: Term) {
        let process = self.process_mut();
        if process.ended.is_some() {
            return;
        }
        if is(&reason, "kill") {
            process.ended = Some(Exit::new(atom!("killed")));
        } else if !process.world.traps_exits {
            if !is(&reason, "normal") {
                process.ended = Some(Exit::new(reason));
            }
        } else if *from == parent() {
            self.end(Exit::new(reason));
        } else {
            self.deliver(Term::of(&(atom!("EXIT"), from.clone(), reason)));
        }
    }

    /// Sends a request and waits for the reply.
    ///
    /// # Errors
    /// The exit of `gen_server:call/2`.
    fn call(&mut self, request: &Term) -> Result<Term> {
        let (client, is_served) = self.request(request);
        if is_served {
            let end = self.process().world.timers.now();
            let end = end.saturating_add(CALL_TIMEOUT);
            let is_replied = |world: &World| world.replies.iter().any(|(to, _)| *to == client);
            self.advance(end, is_replied);
        }
        let timeout = Term::of(&crate::atoms::timeout);
        let replied = self.outcome(&client, request);
        replied.unwrap_or_else(|| Err(self.called(timeout, request)))
    }

    /// Sends a request. Returns its caller, and whether the process was alive.
    fn request(&mut self, request: &Term) -> (Term, bool) {
        let world = &mut self.process_mut().world;
        let client = Term::of(&(parent(), world.reference()));
        let is_served = self.process().ended.is_none();
        if is_served {
            self.deliver(Term::of(&(atom!("$gen_call"), client.clone(), request)))
        } else {
            let noproc = Err(Exit::new(atom!("noproc")));
            self.process_mut().world.reply(&client, noproc);
        }
        (client, is_served)
    }

    /// Returns the outcome of a request, if there is one.
    fn outcome(&self, client: &Term, request: &Term) -> Option<Result<Term>> {
        let reason = |exit: &Exit| self.called(reason_of_end(exit), request);
        let mut replies = self.process().world.replies.iter();
        match replies.find(|(to, _)| to == client) {
            Some((_, reply)) => Some(reply.clone().map_err(|exit| reason(&exit))),
            None => self.process().ended.as_ref().map(|exit| Err(reason(exit))),
        }
    }

    /// `{Reason, {gen_server, call, [Server, Request]}}`
    fn called(&self, reason: Term, request: &Term) -> Exit {
        let process = Term::of(&self.process().world.pid);
        let arguments = vec![process, request.clone()];
        Exit::new((reason, (protocol::gen_server, atom!("call"), arguments)))
    }

    /// Delivers the message of a monitor whose process has ended. Returns whether the monitor
    /// exists.
    fn down(&mut self, monitor: &crate::Reference, reason: &impl ToTerm) -> bool {
        let world = &mut self.process_mut().world;
        let is_there = world.down(monitor, &Term::of(reason));
        let down = is_there.then(|| world.mailbox.pop_back()).flatten();
        down.into_iter().for_each(|down| self.deliver(down));
        is_there
    }
}
