//! What one callback asks of the Erlang side, and the answers: the operations under way.

use std::task::Waker;

use super::panics::contained;
use crate::term::Saved;

/// Names an operation under way. No two of one process have the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct OperationId(u64);

impl OperationId {
    const PLACES: u32 = 24;

    fn new(count: u64, place: usize) -> Self {
        OperationId((count << Self::PLACES) | place as u64)
    }

    /// It is the how manieth of its process.
    fn count(self) -> u64 {
        self.0 >> Self::PLACES
    }

    fn place(self) -> usize {
        (self.0 & ((1 << Self::PLACES) - 1)) as usize
    }

    pub(crate) fn number(self) -> u64 {
        self.0
    }

    pub(crate) fn from_number(number: u64) -> Self {
        OperationId(number)
    }
}

/// Something for the Erlang side to do; `T` is a term of the back end.
#[derive(Debug, PartialEq)]
pub(crate) enum Action<T> {
    /// Nobody waits for it: `{apply, Module, Function, Arguments}`.
    Do(T),
    /// An operation.
    Begin(OperationId, T),
    /// Whoever waited for the operation is gone.
    Cancel(OperationId),
}

/// An answer that has not been taken yet.
pub(crate) enum Answer<T> {
    /// A term of the call that brought it.
    Here(T),
    /// A later poll takes it.
    Kept(Saved),
}

struct UnderWay<T> {
    id: OperationId,
    /// `None`: the whole future is polled, whatever is answered.
    waker: Option<Waker>,
    answer: Option<Answer<T>>,
}

/// The operations of a process.
pub(crate) struct Exchange<T> {
    /// What was asked for since the process last went back to Erlang, in order.
    actions: Vec<Action<T>>,
    under_way: Vec<Option<UnderWay<T>>>,
    free: Vec<usize>,
    /// Answers that came in this call.
    fresh: Vec<OperationId>,
    begun: u64,
    /// How many of these the Erlang side has heard of.
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

    /// Asks for something that nobody waits for.
    pub(crate) fn ask(&mut self, request: T) {
        self.actions.push(Action::Do(request));
    }

    /// Whether something waits to be done; what comes after it must wait, too.
    pub(crate) fn has_actions(&self) -> bool {
        !self.actions.is_empty()
    }

    /// Asks for an operation, for which `waker` waits.
    pub(crate) fn begin(&mut self, request: T, waker: Option<Waker>) -> OperationId {
        let place = self.free.pop().unwrap_or_else(|| {
            self.under_way.push(None);
            self.under_way.len() - 1
        });
        self.begun += 1;
        let id = OperationId::new(self.begun, place);
        self.under_way[place] = Some(UnderWay {
            id,
            waker,
            answer: None,
        });
        self.actions.push(Action::Begin(id, request));
        id
    }

    fn find(&mut self, id: OperationId) -> Option<&mut UnderWay<T>> {
        let found = self.under_way.get_mut(id.place())?.as_mut()?;
        (found.id == id).then_some(found)
    }

    /// The answer to an operation, which is over then; `None` while there is none.
    pub(crate) fn take(&mut self, id: OperationId, waker: Option<Waker>) -> Option<Answer<T>> {
        let found = self.find(id)?;
        match found.answer.take() {
            Some(answer) => {
                self.remove(id);
                Some(answer)
            }
            None => {
                found.waker = waker;
                None
            }
        }
    }

    /// Gives an operation up; its answer will not be seen.
    pub(crate) fn give_up(&mut self, id: OperationId) {
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
        self.under_way[id.place()] = None;
        self.free.push(id.place());
        if self.count() == 0 {
            self.under_way.clear();
            self.free.clear();
            self.fresh.clear();
        }
    }

    /// Notes an answer; whoever is to be woken by it.
    pub(crate) fn deliver(&mut self, id: OperationId, answer: T) -> Option<Waker> {
        let found = self.find(id)?;
        found.answer = Some(Answer::Here(answer));
        let waker = found.waker.take();
        self.fresh.push(id);
        waker
    }

    /// The only operation under way.
    pub(crate) fn only(&self) -> Option<OperationId> {
        let mut all = self.under_way.iter().flatten();
        let first = all.next()?;
        all.next().is_none().then_some(first.id)
    }

    /// How many operations are under way.
    pub(crate) fn count(&self) -> usize {
        self.under_way.len() - self.free.len()
    }

    /// Keeps the answers that nobody has taken beyond the call that brought them.
    pub(crate) fn keep_answers(&mut self, mut keep: impl FnMut(&T) -> Saved) {
        for id in std::mem::take(&mut self.fresh) {
            if let Some(found) = self.find(id)
                && let Some(Answer::Here(term)) = &found.answer
            {
                found.answer = Some(Answer::Kept(keep(term)));
            }
        }
    }

    /// What the Erlang side has to do now.
    pub(crate) fn take_actions(&mut self) -> Vec<Action<T>> {
        self.handed_over = self.begun;
        std::mem::take(&mut self.actions)
    }

    /// The request, if all there is to do is one operation, and no other is under way.
    pub(crate) fn take_alone(&mut self) -> Option<T> {
        if self.count() != 1 || self.actions.len() != 1 {
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

    /// Whether nothing has been asked for.
    #[inline]
    pub(crate) fn is_idle(&self) -> bool {
        self.actions.is_empty() && self.under_way.is_empty()
    }

    /// Forgets all operations: the callback is over. A waker of the user's own kind that panics when
    /// it is dropped adds nothing to that.
    pub(crate) fn forget(&mut self) {
        for operation in self.under_way.drain(..).flatten() {
            contained(|| drop(operation));
        }
        self.free.clear();
        self.fresh.clear();
        let done = |action: &Action<T>| matches!(action, Action::Do(_));
        self.actions.retain(done);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_reaches_its_own_operation_and_once() {
        let mut exchange = Exchange::new();
        let first = exchange.begin("first", None);
        let second = exchange.begin("second", None);
        assert_eq!(
            exchange.take_actions(),
            [
                Action::Begin(first, "first"),
                Action::Begin(second, "second")
            ]
        );
        assert!(exchange.take(second, None).is_none());
        exchange.deliver(second, "answer");
        assert!(exchange.take(first, None).is_none());
        assert!(matches!(
            exchange.take(second, None),
            Some(Answer::Here("answer"))
        ));
        assert!(exchange.take(second, None).is_none());
        exchange.deliver(second, "late");
        let third = exchange.begin("third", None);
        assert!(
            exchange.take(third, None).is_none(),
            "a place is not a name"
        );
    }

    #[test]
    fn what_erlang_has_not_heard_of_is_not_cancelled() {
        let mut exchange = Exchange::new();
        let early = exchange.begin("early", None);
        exchange.give_up(early);
        assert!(!exchange.has_actions());
        let late = exchange.begin("late", None);
        exchange.take_actions();
        exchange.give_up(late);
        assert_eq!(exchange.take_actions(), [Action::Cancel(late)]);
        exchange.give_up(late);
        assert!(!exchange.has_actions(), "given up once");
    }

    #[test]
    fn what_is_over_leaves_nothing_behind() {
        let mut exchange = Exchange::new();
        for _ in 0..3 {
            let id = exchange.begin("alone", None);
            exchange.take_alone();
            exchange.deliver(id, "answer");
            assert!(exchange.take(id, None).is_some());
        }
        assert!(exchange.is_idle());
        assert_eq!(exchange.fresh, []);
    }

    #[test]
    fn one_operation_alone_needs_no_list() {
        let mut exchange = Exchange::new();
        exchange.begin("alone", None);
        assert_eq!(exchange.take_alone(), Some("alone"));
        exchange.begin("beside", None);
        assert_eq!(exchange.take_alone(), None);
        assert_eq!(exchange.count(), 2);
    }
}
