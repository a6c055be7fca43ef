//! Spans that a future of Tokio inherits: those of the message that its process handles. Only the
//! process itself can read them, so it passes them on when the callback waits or returns
//! (`otp_rs_spans:give/2`). Events that the future logs before that are held back.

use std::cell::RefCell;
use std::fmt;
use std::mem;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::entry::HeldEvent;
use super::sent;
use crate::term::Shared;
use crate::{FromTerm, Term, View};

/// The inherited spans of a future.
pub(crate) struct InheritedSpans(Mutex<State>);

enum State {
    /// The process has not passed them on.
    Unknown(Vec<HeldEvent>),
    /// Outermost first: `{Name, Fields}`.
    Known(Vec<Term>),
}

thread_local! {
    /// The spans of the future that this thread polls.
    static OF_FUTURE: RefCell<Option<Shared<InheritedSpans>>> = const { RefCell::new(None) };
}

impl InheritedSpans {
    pub(crate) fn new() -> Shared<Self> {
        Shared::new(InheritedSpans(Mutex::new(State::Unknown(Vec::new()))))
    }

    /// Polls the future that inherits the spans.
    pub(crate) fn around<T>(inherited: Option<&Shared<Self>>, poll: impl FnOnce() -> T) -> T {
        /// Restores the spans, even if `poll` panics.
        struct Restore(Option<Shared<InheritedSpans>>);
        impl Drop for Restore {
            fn drop(&mut self) {
                OF_FUTURE.set(self.0.take());
            }
        }
        let Some(inherited) = inherited else {
            return poll();
        };
        let _restore = Restore(OF_FUTURE.replace(Some(inherited.clone())));
        poll()
    }

    /// Returns the spans of the future that this thread polls.
    pub(super) fn of_future() -> Option<Shared<Self>> {
        OF_FUTURE.try_with(|it| it.borrow().clone()).ok().flatten()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sends an event of the future as soon as the spans are known.
    pub(super) fn send(&self, event: HeldEvent) {
        match &mut *self.state() {
            State::Unknown(held) => held.push(event),
            State::Known(spans) => sent::send(event.within(spans)),
        }
    }

    fn set(&self, spans: Vec<Term>) {
        let mut state = self.state();
        let before = mem::replace(&mut *state, State::Known(Vec::new()));
        if let State::Unknown(held) = before {
            let entries = held.into_iter().map(|event| event.within(&spans));
            entries.for_each(sent::send);
        }
        *state = State::Known(spans);
    }
}

/// The process has ended before it passed the spans on.
impl Drop for InheritedSpans {
    fn drop(&mut self) {
        self.set(Vec::new());
    }
}

impl fmt::Debug for InheritedSpans {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("InheritedSpans")
    }
}

/// Sets the spans of a future: `[{Name, Fields}]`.
pub(in crate::runtime) fn inherit<'a, V: View<'a>>(future: V, spans: V) {
    if let Ok(inherited) = Shared::<InheritedSpans>::from_term(future) {
        inherited.set(Vec::from_term(spans).unwrap_or_default());
    }
}
