//! The operations that one callback requests from the Erlang side, and their answers.
//!
//! Its callers are `awaiting`, which starts operations, and `harness`, which hands the requests
//! over. It knows neither futures nor processes: an operation is a number, and the backend defines
//! terms.

mod action;
pub(super) mod inbound;
mod operation_id;
pub(super) mod step;
#[cfg(test)]
mod tests;

use std::task::Waker;

use crate::nif::contained;
use crate::term::Saved;
pub use action::WhenDropped;
pub(crate) use action::{Action, Answer, Found};
pub(crate) use operation_id::OperationId;

struct UnderWay<T> {
    id: OperationId,
    /// `None` if an answer wakes the callback's whole future, which is polled after every answer
    /// anyway.
    waker: Option<Waker>,
    /// Whether a future waits for it. An operation that was started early, and an alarm, are not
    /// awaited.
    is_awaited: bool,
    answer: Option<Answer<T>>,
    /// Whether the Erlang side has dropped it, because it has offered a message for it.
    is_withdrawn: bool,
}

/// The operations of a process.
pub(crate) struct Exchange<T> {
    /// The requests since the process last returned to Erlang, in order.
    actions: Vec<Action<T>>,
    under_way: Vec<Option<UnderWay<T>>>,
    free: Vec<usize>,
    /// Operations whose answers arrived in this call.
    fresh: Vec<OperationId>,
    begun: u64,
    /// The number of operations that were handed over to the Erlang side.
    handed_over: u64,
}

impl<T> Exchange<T> {
    pub(crate) const fn new() -> Self {
        Exchange {
            actions: Vec::new(),
            under_way: Vec::new(),
            free: Vec::new(),
            fresh: Vec::new(),
            begun: 0,
            handed_over: 0,
        }
    }

    /// Requests a function call whose result is ignored.
    pub(crate) fn ask(&mut self, request: T) {
        self.actions.push(Action::Do(request));
    }

    /// Returns whether an action has not been performed yet. Then all later requests have to wait,
    /// too.
    pub(crate) fn has_actions(&self) -> bool {
        !self.actions.is_empty()
    }

    /// Starts an operation that `waker` waits for.
    pub(crate) fn begin(&mut self, request: T, waker: Option<Waker>) -> OperationId {
        let index = self.free.pop().unwrap_or_else(|| {
            self.under_way.push(None);
            self.under_way.len() - 1
        });
        self.begun += 1;
        let id = OperationId::new(self.begun, index);
        self.under_way[index] = Some(UnderWay {
            id,
            waker,
            is_awaited: false,
            answer: None,
            is_withdrawn: false,
        });
        self.actions.push(Action::Begin(id, request));
        id
    }

    /// Starts an operation that is awaited from its start.
    pub(crate) fn begin_awaited(&mut self, request: T, waker: Option<Waker>) -> OperationId {
        let id = self.begin(request, waker);
        if let Some(begun) = self.find(id) {
            begun.is_awaited = true;
        }
        id
    }

    fn find(&mut self, id: OperationId) -> Option<&mut UnderWay<T>> {
        let found = self.under_way.get_mut(id.index())?.as_mut()?;
        (found.id == id).then_some(found)
    }

    /// Starts an operation again whose offered message was not taken.
    pub(crate) fn begin_again(&mut self, id: OperationId, request: T) {
        if let Some(found) = self.find(id) {
            found.is_withdrawn = false;
            self.actions.push(Action::Begin(id, request));
        }
    }

    /// Takes the answer to an operation, which ends it.
    pub(crate) fn take(&mut self, id: OperationId, waker: Option<Waker>) -> Found<T> {
        let found = self.take_to_read(id, waker);
        if let Found::Answer(_) = found {
            self.remove(id);
        }
        found
    }

    /// Takes the answer to an operation without ending it. The caller has to end the operation or
    /// put the answer back.
    pub(crate) fn take_to_read(&mut self, id: OperationId, waker: Option<Waker>) -> Found<T> {
        let Some(found) = self.find(id) else {
            return Found::Nothing;
        };
        match found.answer.take() {
            Some(answer) => Found::Answer(answer),
            None => {
                (found.waker, found.is_awaited) = (waker, true);
                if found.is_withdrawn {
                    Found::NotBegun
                } else {
                    Found::Nothing
                }
            }
        }
    }

    /// Ends an operation whose answer was taken by `take_to_read`.
    pub(crate) fn end(&mut self, id: OperationId) {
        if self.find(id).is_some() {
            self.remove(id);
        }
    }

    /// Puts back an answer that was taken by `take_to_read`, for `waker`.
    pub(crate) fn put_back(&mut self, id: OperationId, answer: Answer<T>, waker: Option<Waker>) {
        if let Some(found) = self.find(id) {
            (found.answer, found.waker) = (Some(answer), waker);
        }
    }

    /// Returns whether an operation has not been answered. If it has, the answer is dropped.
    pub(crate) fn is_unanswered(&mut self, id: OperationId) -> bool {
        let answered = self.find(id).map(|found| found.answer.is_some());
        if answered == Some(true) {
            self.remove(id);
        }
        answered == Some(false)
    }

    /// Requests that the offered message is removed from the mailbox, because it was taken.
    pub(crate) fn take_message(&mut self, request: T) {
        self.actions.push(Action::Take(request));
    }

    /// Detaches an operation: it completes, and its result is ignored.
    fn detach(&mut self, id: OperationId) {
        if self.find(id).is_none() {
            return;
        }
        self.remove(id);
        for action in self.actions.iter_mut().rev() {
            match action {
                Action::Begin(begun, _) if *begun == id => {
                    let begin = std::mem::replace(action, Action::Cancel(id));
                    if let Action::Begin(_, request) = begin {
                        *action = Action::Do(request);
                    }
                    return;
                }
                _ => {}
            }
        }
    }

    /// Called when the future of an operation is dropped. Returns its answer if that must not be
    /// lost.
    pub(crate) fn nobody_waits(
        &mut self,
        id: OperationId,
        when_dropped: WhenDropped,
    ) -> Option<Answer<T>> {
        match when_dropped {
            WhenDropped::Cancelled => self.give_up(id),
            WhenDropped::GoesOn => self.detach(id),
            WhenDropped::SentAgain => return self.give_up_answer(id),
        }
        None
    }

    fn give_up_answer(&mut self, id: OperationId) -> Option<Answer<T>> {
        match self.find(id)?.answer.take() {
            None => self.give_up(id),
            answer => {
                self.remove(id);
                return answer;
            }
        }
        None
    }

    /// Cancels an operation. Its answer is discarded.
    fn give_up(&mut self, id: OperationId) {
        if self.find(id).is_none() {
            return;
        }
        let was_answered = self.find(id).is_some_and(|found| found.answer.is_some());
        self.remove(id);
        if id.count() > self.handed_over {
            let is_it =
                |action: &Action<T>| matches!(action, Action::Begin(begun, _) if *begun == id);
            self.actions.retain(|action| !is_it(action));
        } else if !was_answered {
            self.actions.push(Action::Cancel(id));
        }
    }

    fn remove(&mut self, id: OperationId) {
        self.under_way[id.index()] = None;
        self.free.push(id.index());
        if self.count() == 0 {
            self.under_way.clear();
            self.free.clear();
            self.fresh.clear();
        }
    }

    /// Stores an answer. Returns the waker that waits for it.
    pub(crate) fn deliver(&mut self, id: OperationId, answer: Answer<T>) -> Option<Waker> {
        let found = self.find(id)?;
        found.answer = Some(answer);
        let waker = found.waker.take();
        self.fresh.push(id);
        waker
    }

    /// Returns the only outstanding operation, if there is exactly one.
    pub(crate) fn only(&self) -> Option<OperationId> {
        let mut all = self.under_way.iter().flatten();
        let first = all.next()?;
        all.next().is_none().then_some(first.id)
    }

    /// Returns the number of outstanding operations.
    pub(crate) fn count(&self) -> usize {
        self.under_way.len() - self.free.len()
    }

    /// Saves the answers of this call that were not taken, so that they outlive the call. An
    /// offered message stays in the mailbox.
    pub(crate) fn keep_answers(&mut self, mut keep: impl FnMut(&T) -> Saved) {
        for id in std::mem::take(&mut self.fresh) {
            let Some(found) = self.find(id) else {
                continue;
            };
            match &found.answer {
                Some(Answer::Here(term)) => found.answer = Some(Answer::Saved(keep(term))),
                Some(Answer::Offered(_)) => {
                    found.answer = None;
                    found.is_withdrawn = true;
                }
                Some(Answer::Saved(_)) | None => {}
            }
        }
    }

    /// Takes the answers of this call that were not taken, so that they can be delivered again in
    /// the next call, which follows at once. An offered message stays in the mailbox, and another
    /// one may be offered then, unless no message is received in between.
    pub(crate) fn take_answers(&mut self, receives_nothing: bool) -> Vec<(OperationId, T)> {
        let mut answers = Vec::new();
        for id in std::mem::take(&mut self.fresh) {
            let Some(found) = self.find(id) else {
                continue;
            };
            match found.answer.take() {
                Some(Answer::Here(term)) => answers.push((id, term)),
                Some(Answer::Offered(term)) if receives_nothing => answers.push((id, term)),
                Some(Answer::Offered(_)) => found.is_withdrawn = true,
                kept => found.answer = kept,
            }
        }
        answers
    }

    /// Takes the actions that the Erlang side has to perform now.
    pub(crate) fn take_actions(&mut self) -> Vec<Action<T>> {
        self.handed_over = self.begun;
        std::mem::take(&mut self.actions)
    }

    /// Like `take_actions`, for a callback that waits only for operations: if it awaits a single
    /// operation itself, the process performs that one itself, after all other actions.
    pub(crate) fn take_actions_of_callback(&mut self) -> Vec<Action<T>> {
        let own = self.only_of_callback();
        let mut actions = self.take_actions();
        let is_own =
            |action: &Action<T>| matches!(action, Action::Begin(id, _) if Some(*id) == own);
        if let Some(index) = actions.iter().position(is_own)
            && let Action::Begin(id, request) = actions.remove(index)
        {
            actions.push(Action::Perform(id, request));
        }
        actions
    }

    /// Returns the operation that the callback itself awaits, if there is exactly one. The
    /// operations of its tasks have other wakers.
    fn only_of_callback(&self) -> Option<OperationId> {
        let all = self.under_way.iter().flatten();
        let mut own = all.filter(|it| it.is_awaited && it.waker.is_none() && it.answer.is_none());
        let first = own.next()?;
        own.next().is_none().then_some(first.id)
    }

    /// Returns whether the only action starts an operation, and no other operation is outstanding.
    pub(crate) fn is_alone(&self) -> bool {
        self.count() == 1 && matches!(self.actions[..], [Action::Begin(..)])
    }

    /// Takes the request of the only action, if it starts the only operation.
    pub(crate) fn take_alone(&mut self) -> Option<T> {
        if !self.is_alone() {
            return None;
        }
        match self.actions.pop()? {
            Action::Begin(_, request) => {
                self.handed_over = self.begun;
                Some(request)
            }
            other => {
                self.actions.push(other);
                None
            }
        }
    }

    /// Returns whether there are no requests and no outstanding operations.
    #[inline]
    pub(crate) fn is_idle(&self) -> bool {
        self.actions.is_empty() && self.under_way.is_empty()
    }

    /// Removes all operations, because the callback has completed. A panic in the destructor of a
    /// user's waker is ignored.
    pub(crate) fn forget(&mut self) {
        for operation in self.under_way.drain(..).flatten() {
            contained(|| drop(operation));
        }
        self.free.clear();
        self.fresh.clear();
        let done = |action: &Action<T>| matches!(action, Action::Do(_) | Action::Take(_));
        self.actions.retain(done);
    }
}
