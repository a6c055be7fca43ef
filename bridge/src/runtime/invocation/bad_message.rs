//! Refuses messages that no clause matches, in modules with
//! `#[gen_server(bad_messages = "refuse")]`.
//!
//! | | what happens | the state |
//! |---|---|---|
//! | a call | it exits with `{bad_request, Reason}`, by a message as from the caller's monitor of the server | stays |
//! | a cast, another message | a warning is logged, at most one a second | stays |
//!
//! `Reason` is the exit reason of a process that does not refuse such messages.

use otp_contract::callback::CallbackFacts;
use otp_contract::library::{Action, Report};

use crate::nif::{VmEnv, VmTerm};
use crate::runtime::exchange::step::Step;
use crate::runtime::protocol;
use crate::runtime::protocol::at_most::OnceASecond;
use crate::runtime::protocol::{report, shape};
use crate::runtime::registry::{CallbackEntry, CallbackKind, RunningClause};
use crate::{Atom, Heap, Term, ToTerm, View};

/// A message from another process that this process refuses and survives.
pub(in crate::runtime) struct BadMessage<'a> {
    env: VmEnv<'a>,
    /// `gen_server:from()`, if it is a call.
    caller: Option<VmTerm<'a>>,
    /// The return value of the callback, which continues the process with its state.
    kept: VmTerm<'a>,
}

impl<'a> BadMessage<'a> {
    /// Returns the message of a callback with these arguments. `None` if the message has another
    /// source: the process itself, its timers, or the behaviour.
    pub(in crate::runtime) fn of(
        env: VmEnv<'a>,
        callback: &CallbackEntry,
        arguments: &[VmTerm<'a>],
    ) -> Option<Self> {
        let (facts, heap) = (&callback.facts, env.heap());
        let caller = caller_of_message(facts, |index| arguments.get(index).copied())?;
        let state = arguments.get(facts.state?).copied()?;
        let keeps = Atom::new(callback.of?.keeps?).ok()?;
        let kept = heap.tuple([keeps.to_term(heap), state]);
        Some(BadMessage { env, caller, kept })
    }

    /// Builds the answer to the VM.
    #[cold]
    pub(in crate::runtime) fn refuse(self, clause: &RunningClause, reason: &Term) -> VmTerm<'a> {
        let heap = self.env.heap();
        if let Some(caller) = self.caller {
            let reason = (protocol::bad_request, reason).to_term(heap);
            let refuse = protocol::apply(
                heap,
                heap.atom(&protocol::HELPER),
                protocol::refuse.to_term(heap),
                heap.list([caller, reason]),
            );
            let actions = heap.list([shape!(heap, Action::Do, refuse)]);
            // The step `stay` keeps the operations of the process's tasks, which continue.
            return Step::stay(heap, actions, self.kept).answer(heap);
        }
        static LOGGED: OnceASecond = OnceASecond::new();
        let Some(suppressed) = LOGGED.pass() else {
            return self.kept;
        };
        let (module, function, arity) = clause.name();
        let report = report!(
            heap,
            Report::BadMessage {
                module: module,
                function: function,
                arity: arity,
                reason: reason,
                suppressed: suppressed,
            }
        );
        Step::tell(heap, report, self.kept).answer(heap)
    }
}

/// Returns the caller that waits for a reply to the message of a callback, or `Some(None)` if the
/// message has no caller. `None` if the message does not come from a process. `argument` returns
/// the callback's arguments.
pub(crate) fn caller_of_message<'a, V: View<'a>>(
    facts: &CallbackFacts,
    argument: impl Fn(usize) -> Option<V>,
) -> Option<Option<V>> {
    match facts.kind {
        CallbackKind::Call => argument(facts.caller?).map(Some),
        CallbackKind::Event => match facts.event_type {
            Some(event_type) => caller_of_event(argument(event_type)?),
            None => Some(None),
        },
        _ => facts.takes_messages().then_some(None),
    }
}

/// Returns the caller of an event of a `gen_statem`: `{call, From}`, or none for `cast` and `info`.
/// `None` for events that the machine has created itself.
fn caller_of_event<'a, V: View<'a>>(event: V) -> Option<Option<V>> {
    if let Some([tag, from]) = event.tuple::<2>() {
        return tag.is_atom(protocol::call.atom()).then_some(Some(from));
    }
    let is_sent = event.is_atom(protocol::cast.atom()) || event.is_atom(protocol::info.atom());
    is_sent.then_some(None)
}
