//! What one callback asks of the Erlang side, and the answers.
//!
//! Called from outside: by `awaiting`, which begins operations, and by `harness`, which hands over
//! what was asked for. It knows neither futures nor processes: an operation is a number, and a term
//! is what the backend says.

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
    /// `None`: an answer wakes the callback's whole future, which is polled after every answer
    /// anyway.
    waker: Option<Waker>,
    /// Whether somebody waits for it. One that has been begun ahead, and an alarm, are not awaited.
    is_awaited: bool,
    answer: Option<Answer<T>>,
    /// Whether the Erlang side does not know it any more, because it has offered a message for it.
    is_withdrawn: bool,
}

/// The operations of a process.
pub(crate) struct Exchange<T> {
    /// What was asked for since the process last returned to Erlang, in order.
    actions: Vec<Action<T>>,
    under_way: Vec<Option<UnderWay<T>>>,
    free: Vec<usize>,
    /// Operations whose answers came in this call.
    fresh: Vec<OperationId>,
    begun: u64,
    /// How many operations the Erlang side has been told of.
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

    /// Asks for a function call whose result nobody waits for.
    pub(crate) fn ask(&mut self, request: T) {
        self.actions.push(Action::Do(request));
    }

    /// Whether an action waits to be done. Whatever is asked for later must then wait, too.
    pub(crate) fn has_actions(&self) -> bool {
        !self.actions.is_empty()
    }

    /// Begins an operation that `waker` waits for.
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

    /// The same for an operation that is awaited from its beginning.
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

    /// Begins an operation for which nobody took the message that was offered.
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

    /// Lends the answer to an operation. Whoever has it ends the operation or gives the answer
    /// back.
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

    /// Ends an operation whose answer was lent.
    pub(crate) fn end(&mut self, id: OperationId) {
        if self.find(id).is_some() {
            self.remove(id);
        }
    }

    /// Takes back an answer that was lent, for `waker`.
    pub(crate) fn put_back(&mut self, id: OperationId, answer: Answer<T>, waker: Option<Waker>) {
        if let Some(found) = self.find(id) {
            (found.answer, found.waker) = (Some(answer), waker);
        }
    }

    /// Whether an operation has not been answered. An answer is dropped.
    pub(crate) fn is_unanswered(&mut self, id: OperationId) -> bool {
        let answered = self.find(id).map(|found| found.answer.is_some());
        if answered == Some(true) {
            self.remove(id);
        }
        answered == Some(false)
    }

    /// The message that was offered for this request has been taken: it leaves the mailbox.
    pub(crate) fn take_message(&mut self, request: T) {
        self.actions.push(Action::Take(request));
    }

    /// Nobody waits for the result of an operation, which goes on.
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

    /// Nobody waits for an operation any more. Returns its answer if that must not be lost.
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

    /// Cancels an operation. Its answer will not be seen.
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

    /// The operation that has begun and not ended, if there is only one.
    pub(crate) fn only(&self) -> Option<OperationId> {
        let mut all = self.under_way.iter().flatten();
        let first = all.next()?;
        all.next().is_none().then_some(first.id)
    }

    /// How many operations have begun and not ended.
    pub(crate) fn count(&self) -> usize {
        self.under_way.len() - self.free.len()
    }

    /// Saves the answers of this call that nobody has taken, so that they outlive it. A message
    /// that was offered stays in the mailbox.
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

    /// Takes the answers of this call that nobody has taken, so that they come again with the next
    /// one, which follows at once. A message that was offered stays in the mailbox and may be
    /// another one then, unless nothing is received before.
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

    /// Takes what the Erlang side has to do now.
    pub(crate) fn take_actions(&mut self) -> Vec<Action<T>> {
        self.handed_over = self.begun;
        std::mem::take(&mut self.actions)
    }

    /// The same, where the callback waits for nothing but operations: the only one that it awaits
    /// itself is performed in the process, after everything else.
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

    /// The operation that the callback itself awaits, if there is only one: those of its tasks have
    /// other wakers.
    fn only_of_callback(&self) -> Option<OperationId> {
        let all = self.under_way.iter().flatten();
        let mut own = all.filter(|it| it.is_awaited && it.waker.is_none() && it.answer.is_none());
        let first = own.next()?;
        own.next().is_none().then_some(first.id)
    }

    /// Whether the only action is to begin one operation and no other operation has begun.
    pub(crate) fn is_alone(&self) -> bool {
        self.count() == 1 && matches!(self.actions[..], [Action::Begin(..)])
    }

    /// Takes the request of the only action, if that is so.
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

    /// Whether nothing has been asked for and nothing is awaited.
    #[inline]
    pub(crate) fn is_idle(&self) -> bool {
        self.actions.is_empty() && self.under_way.is_empty()
    }

    /// Forgets all operations, because the callback has ended. A panic in the destructor of one of
    /// the user's wakers is ignored.
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
