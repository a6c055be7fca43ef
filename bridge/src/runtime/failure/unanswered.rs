//! Callers that were dropped without a reply.
//!
//! A caller that a callback drops is reported at the callback's end, because only then is it known
//! whether the callback postpones the event or ends its process. All other code that drops a
//! caller, such as a thread of its own, sends a message to the helper process of `otp_rs`
//! (`erlang/src/otp_rs.erl`).

use std::cell::{Cell, RefCell};
use std::sync::atomic::{AtomicUsize, Ordering};

use otp_contract::library::Report;

use super::source_location;
use crate::nif::{ProcessWord, Thread, send_from_any_thread};
use crate::runtime::output::helper;
use crate::runtime::protocol;
use crate::runtime::registry::RunningClause;
use crate::term::{OwnedHeap, Saved};
use crate::{FromTerm, Heap, Pid, Term, ToTerm, View};

/// The clause and process that are responsible for a caller.
#[derive(Clone, Copy)]
pub(crate) struct Responsible {
    pub(crate) clause: &'static RunningClause,
    /// `None` without a VM.
    pub(crate) process: Option<ProcessWord>,
    /// Whether the clause itself has taken the message with the caller from the mailbox. Such a
    /// message is not delivered again, unlike a postponed event.
    pub(crate) is_received: bool,
}

/// A caller that was dropped without a reply.
pub(crate) struct Unanswered {
    client: Saved,
    responsible: Responsible,
    reply: &'static str,
}

/// The number of unanswered callers in all processes. While it is 0, they cost a callback's end one
/// read of it.
static COUNT: AtomicUsize = AtomicUsize::new(0);

thread_local! {
    /// The callers that were dropped on this scheduler thread.
    static NOTED: RefCell<Vec<Unanswered>> = const { RefCell::new(Vec::new()) };
}

/// Records a caller for the end of the running callback.
#[cold]
pub(in crate::runtime) fn note(unanswered: Unanswered) {
    let is_of_vm = unanswered.responsible.process.is_some();
    if is_of_vm && !Thread::current().is_scheduler() {
        return tell_helper(&unanswered);
    }
    NOTED.with_borrow_mut(|noted| noted.push(unanswered));
}

/// Returns whether there are any.
#[inline]
pub(in crate::runtime) fn exist() -> bool {
    COUNT.load(Ordering::Relaxed) > 0
}

/// Takes the callers of this process. The others, which a callback of another process has dropped,
/// are sent to the helper.
#[cold]
pub(in crate::runtime) fn take(process: ProcessWord) -> Vec<Unanswered> {
    let noted = NOTED.with_borrow_mut(std::mem::take);
    let is_own = |it: &Unanswered| it.responsible.process == Some(process);
    let (own, others): (Vec<_>, Vec<_>) = noted.into_iter().partition(is_own);
    others.iter().for_each(tell_helper);
    own
}

/// Takes the callers that were dropped on this thread without a VM.
pub(crate) fn take_without_vm() -> Vec<Term> {
    let noted = NOTED.with_borrow_mut(std::mem::take);
    let client = |it: &Unanswered| it.client.to_term(OwnedHeap);
    noted.iter().map(client).collect()
}

/// Sends a caller to the helper, which logs the report and ends the call, if the server still runs
/// after its callback.
#[cold]
fn tell_helper(unanswered: &Unanswered) {
    if let (Some(helper), Some(server)) = (helper::get(), unanswered.server()) {
        let message = protocol::dropped(server, unanswered.report(OwnedHeap));
        send_from_any_thread(helper, &message);
    }
}

thread_local! {
    /// Whether this thread reads a state, or drops what a process has left behind.
    static LEFT_ALONE: Cell<bool> = const { Cell::new(false) };
}

/// Runs code that drops callers, or converts them into terms, without consequences for these
/// callers.
pub(crate) fn leaving_callers_alone<T>(body: impl FnOnce() -> T) -> T {
    struct Restore(bool);
    impl Drop for Restore {
        fn drop(&mut self) {
            LEFT_ALONE.set(self.0);
        }
    }
    let _restore = Restore(LEFT_ALONE.replace(true));
    body()
}

pub(in crate::runtime) fn are_left_alone() -> bool {
    LEFT_ALONE.try_with(Cell::get).unwrap_or(true)
}

impl Unanswered {
    pub(in crate::runtime) fn new(
        client: Saved,
        responsible: Responsible,
        reply: &'static str,
    ) -> Self {
        COUNT.fetch_add(1, Ordering::Relaxed);
        Unanswered {
            client,
            responsible,
            reply,
        }
    }

    /// Returns whether its call ends before the callback does, because the return value of the
    /// callback cannot cause a new delivery.
    pub(in crate::runtime) fn is_received(&self) -> bool {
        self.responsible.is_received
    }

    /// Returns whether a callback with this return value continues its process and leaves the
    /// caller without a reply.
    pub(in crate::runtime) fn is_left_by<'a, V: View<'a>>(&self, returned: V) -> bool {
        if self.is_received() {
            !stops(returned)
        } else {
            is_final(returned)
        }
    }

    fn server(&self) -> Option<Pid> {
        Some(self.responsible.process?.identifier())
    }

    /// Returns the report for the log.
    pub(in crate::runtime) fn report<H: Heap>(&self, heap: H) -> H::Term {
        let clause = self.responsible.clause;
        let (module, function, arity) = clause.name();
        let location = source_location::of_user(clause.clause.location, clause);
        protocol::report!(
            heap,
            Report::Unanswered {
                module: module,
                function: function,
                arity: arity,
                message: clause.clause.message,
                reply: self.reply,
                file: source_location::shown(location.file()),
                line: location.line(),
                server: self.server(),
                caller: self.client,
            }
        )
    }
}

impl Drop for Unanswered {
    fn drop(&mut self) {
        COUNT.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Returns whether a callback's return value continues its process and consumes the event: it
/// neither stops nor postpones the event.
pub(crate) fn is_final<'a, V: View<'a>>(returned: V) -> bool {
    let last = returned.tuple_elements().and_then(Iterator::last);
    !stops(returned) && !last.is_some_and(postpones)
}

/// Returns whether a callback's return value ends its process.
fn stops<'a, V: View<'a>>(returned: V) -> bool {
    let tag = match returned.tuple_elements() {
        Some(mut elements) => elements.next(),
        None => Some(returned),
    };
    let stop = [protocol::stop.atom(), protocol::stop_and_reply.atom()];
    tag.is_some_and(|tag| stop.iter().any(|stop| tag.is_atom(stop)))
}

/// Returns whether this is `postpone`, `{postpone, true}`, or a list with one of them.
fn postpones<'a, V: View<'a>>(actions: V) -> bool {
    if let Some(mut actions) = actions.list() {
        return actions.any(postpones_alone);
    }
    postpones_alone(actions)
}

fn postpones_alone<'a, V: View<'a>>(action: V) -> bool {
    let is_postpone = |term: V| term.is_atom(protocol::postpone.atom());
    match action.tuple::<2>() {
        Some([tag, value]) => is_postpone(tag) && bool::from_term(value) == Ok(true),
        None => is_postpone(action),
    }
}
