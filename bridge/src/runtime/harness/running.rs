//! A callback that runs in its process's cell: polls it and answers the VM.
#![allow(unsafe_code)]

mod begin;
mod tending;
mod without_reply;

use std::any::Any;
use std::task::{Context, Poll};

use super::ending;
use super::returned::encode_later;
use super::work::{OnScheduler, Starter};
use crate::Exit;
use crate::nif::{
    Env, IndependentTerm, RawTerm, Scheduler, Thread, ThreadUsage, Ticks, VmTerm, contained,
};
use crate::runtime::cost::call_clock::CallClock;
use crate::runtime::cost::{accounting, cpu_time_check, slice};
use crate::runtime::exchange::step::Step;
use crate::runtime::exchange::{Action, Exchange, step};
use crate::runtime::failure::panics::Panic;
use crate::runtime::failure::unanswered;
use crate::runtime::raw::cell::ProcessCell;
use crate::runtime::raw::context::{Awaiting, VmCall};
use crate::runtime::raw::frame::Frame;
use crate::runtime::raw::outcome::Outcome;
use crate::runtime::raw::unencoded::Unencoded;
use crate::runtime::raw::wake::Rest;
use crate::runtime::registry::RunningClause;
use crate::runtime::{output, protocol};
use crate::term::Saved;
pub(crate) use begin::{Begin, Begun};
use tending::Tended;

/// A process's cell in a NIF call.
pub(crate) struct Running<'a> {
    env: Env<'a>,
    cell: &'a ProcessCell,
    clock: CallClock<'a>,
    frame: Frame,
    /// What the thread had used when the call began, if the clause is checked.
    before: Option<Box<ThreadUsage>>,
    /// Whether the call goes on with what began in another one.
    is_resumed: bool,
}

impl<'a> Running<'a> {
    /// The cell must be the calling process's, and `term` the argument from which it was opened.
    #[inline]
    pub(crate) fn new(
        env: Env<'a>,
        cell: &'a ProcessCell,
        term: RawTerm,
        (clock, began): (CallClock<'a>, Ticks),
        thread: Thread,
        clause: RunningClause,
    ) -> Self {
        let (before, began) = cpu_time_check::begin(clause.clause, clock, began);
        // SAFETY: by the contract.
        let awaiting = unsafe { cell.call() }.has_awaited();
        let slice = match awaiting {
            _ if !thread.is_normal_scheduler() => slice::dirty(),
            Some(awaiting) => awaiting.slices.begin(began),
            None => slice::first(),
        };
        Running {
            env,
            cell,
            clock,
            frame: Frame::new(env, clause, thread, term, (began, slice)),
            before,
            is_resumed: false,
        }
    }

    #[inline]
    fn call(&self) -> &'a VmCall {
        // SAFETY: this is a NIF call of the process that opened the cell as its own.
        unsafe { self.cell.call() }
    }

    /// The user's code runs from here on.
    #[inline]
    pub(crate) fn enter(&self) -> Begin<'a> {
        // SAFETY: whoever has created this value does not move it until it calls `leave`.
        unsafe { self.call().enter(&self.frame) };
        if let Some(tasks) = self.call().tasks() {
            tasks.enter();
        }
        output::enter(self.call().process, self.frame.clause, self.frame.thread);
        Begin {
            cell: self.cell,
            clock: self.clock,
        }
    }

    /// A clause has been called: goes on to its end or its first operation.
    #[inline]
    pub(crate) fn begun(&self, begun: Begun) -> RawTerm {
        match begun {
            Begun::Ended(outcome) => self.ended(outcome),
            Begun::Encoded(answer) => answer,
            Begun::Future(Scheduler::Normal) => self.poll(),
            Begun::Future(scheduler) => self.go_on(scheduler),
        }
    }

    /// Polls the future until it ends or waits, and answers the VM.
    pub(crate) fn poll(&self) -> RawTerm {
        let root = &self.call().awaiting().root;
        loop {
            root.poll_begins();
            let waker = root.waker();
            let mut context = Context::from_waker(&waker);
            // SAFETY: this is a call of the owning process, and no other reference to the slot is
            // held, because the future reaches its cell only through the context.
            let polled = unsafe { self.cell.future() }.poll(&mut context);
            match polled {
                Some(Poll::Ready(outcome)) => return self.ended(outcome),
                Some(Poll::Pending) => {}
                None => return self.ended(Err(Exit::error(protocol::badarg))),
            }
            // Tasks have turns also beside a callback that gives way again and again.
            let gives_way = self.call().gives_way.take();
            let tended = match gives_way {
                Some(Scheduler::DirtyCpu | Scheduler::DirtyIo) => Tended::Idle,
                Some(Scheduler::Normal) | None => self.run_tasks(),
            };
            let is_over = match tended {
                Tended::Idle => false,
                Tended::Runnable => true,
                Tended::Failed(exit) => {
                    self.clear();
                    return self.ended(Err(exit));
                }
            };
            let of_tasks = self.call().gives_way.take();
            if let Some(scheduler) = of_tasks.or(gives_way) {
                return match gives_way {
                    Some(_) => self.go_on(scheduler),
                    None => self.go_on_beside(scheduler),
                };
            }
            if root.is_woken() {
                if is_over || Ticks::now() > self.slice_ends() {
                    return self.go_on(Scheduler::Normal);
                }
                continue;
            }
            if is_over {
                return self.go_on_beside(Scheduler::Normal);
            }
            if let Some(answer) = self.wait() {
                return answer;
            }
        }
    }

    /// Polls the future again with the answers to its operations: `[{Id, Outcome}]`, or the outcome
    /// of the only one.
    pub(crate) fn resume(&self, answers: VmTerm<'a>) -> RawTerm {
        // A waker that an answer wakes need not send a message: the future is about to be polled.
        self.call().awaiting().root.poll_begins();
        self.deliver(answers);
        match self.call().awaiting().scheduler.get() {
            // A callback that has waited goes back to the kind of scheduler it asked for.
            scheduler
                if scheduler != Scheduler::Normal && self.frame.thread.is_normal_scheduler() =>
            {
                self.go_on(scheduler)
            }
            _ => self.poll(),
        }
    }

    /// The future waits for an operation or for whoever holds its waker. `None` when it has been
    /// woken meanwhile.
    fn wait(&self) -> Option<RawTerm> {
        self.keep_unanswered();
        let has_tasks = self.call().has_live_tasks();
        if let Some(tasks) = self.call().tasks()
            && tasks.rest()
        {
            return Some(self.go_on_beside(Scheduler::Normal));
        }
        let Awaiting { exchange, root, .. } = self.call().awaiting();
        let heap = self.env.heap();
        let mut exchange = exchange.borrow_mut();
        if !root.is_shared()
            && !has_tasks
            && let Some(request) = exchange.take_alone()
        {
            // SAFETY: the request was made in this call.
            let request = unsafe { self.env.term(request) };
            let step = Step::alone(heap, self.state(), request).answer(heap);
            return Some(self.without_received(step));
        }
        match root.rest() {
            Rest::Poll => return None,
            Rest::Wait => {}
            Rest::NobodyWakes if exchange.count() > 0 || has_tasks => {}
            Rest::NobodyWakes => {
                drop(exchange);
                let text =
                    "the callback awaits a future that no operation, timer or thread will wake";
                let reason = (protocol::never_woken, self.frame.clause.to_string(), text);
                self.clear();
                return Some(self.ended(Err(Exit::of_clause(reason))));
            }
        }
        self.keep_answers(&mut exchange);
        drop(exchange);
        let actions = self.own_actions();
        let actions = step::list(self.env, actions, false);
        let step = Step::wait(heap, self.state(), actions).answer(heap);
        Some(self.without_received(step))
    }

    /// What the process does for a callback that waits for nothing but operations.
    fn own_actions(&self) -> Vec<Action<RawTerm>> {
        let Awaiting { exchange, root, .. } = self.call().awaiting();
        let mut exchange = exchange.borrow_mut();
        match root.is_held() {
            true => exchange.take_actions(),
            false => exchange.take_actions_of_callback(),
        }
    }

    /// The callback waits for operations, and its process has something else to do beside.
    fn go_on_beside(&self, scheduler: Scheduler) -> RawTerm {
        self.go_on_with(scheduler, self.own_actions())
    }

    /// The future has not ended, and its process does something else first.
    fn go_on(&self, scheduler: Scheduler) -> RawTerm {
        let actions = self.call().awaiting().exchange.borrow_mut().take_actions();
        self.go_on_with(scheduler, actions)
    }

    fn go_on_with(&self, scheduler: Scheduler, actions: Vec<Action<RawTerm>>) -> RawTerm {
        self.keep_unanswered();
        let heap = self.env.heap();
        let Awaiting {
            exchange, slices, ..
        } = self.call().awaiting();
        if scheduler == Scheduler::Normal {
            slices.give_way();
        }
        let answers = exchange
            .borrow_mut()
            .take_answers(scheduler != Scheduler::Normal);
        let actions = step::list(self.env, actions, false);
        let answers = step::answers(self.env, answers);
        let step = Step::go_on(heap, self.state(), (actions, answers), scheduler).answer(heap);
        self.without_received(step)
    }

    fn keep_answers(&self, exchange: &mut Exchange<RawTerm>) {
        exchange.keep_answers(|answer| {
            // SAFETY: the answer is an argument of this call, or a part of one.
            Saved::foreign(IndependentTerm::copy(unsafe { self.env.term(*answer) }))
        });
    }

    /// The callback has ended.
    #[inline]
    pub(crate) fn ended(&self, outcome: Outcome) -> RawTerm {
        let call = self.call();
        if let Some(later) = call
            .has_awaited()
            .and_then(|awaiting| awaiting.later.take())
        {
            return self.encode_later(later);
        }
        if let Some(made) = call.made.take() {
            // SAFETY: this is a call of the owning process, and the future that borrowed the state
            // has ended.
            unsafe { self.cell.state() }.accept(*made);
        }
        if unanswered::exist() {
            return self.ended_unanswered(outcome);
        }
        self.answer(outcome)
    }

    /// The callback has ended, and the term of its return value is built on a dirty scheduler.
    #[cold]
    fn encode_later(&self, value: Box<dyn Unencoded>) -> RawTerm {
        let begin = Begin {
            cell: self.cell,
            clock: self.clock,
        };
        let rest = encode_later(self.cell.cx(), value);
        self.begun(begin.future(rest, OnScheduler(Scheduler::DirtyCpu)))
    }

    /// What the VM gets of a callback that has ended.
    #[inline]
    fn answer(&self, outcome: Outcome) -> RawTerm {
        let call = self.call();
        if call.has_live_tasks() {
            return self.ended_beside_tasks(outcome);
        }
        match (outcome, call.has_awaited()) {
            (Ok(returned), None) => returned.0,
            (Ok(returned), Some(awaiting)) if awaiting.is_idle() => returned.0,
            (outcome, _) => self.ended_with(self.last_actions(), outcome),
        }
    }

    /// The actions that are left when a callback has ended.
    fn last_actions(&self) -> VmTerm<'a> {
        let Awaiting { exchange, root, .. } = self.call().awaiting();
        let was_shared = root.end();
        let mut exchange = exchange.borrow_mut();
        exchange.forget();
        let actions = exchange.take_actions();
        drop(exchange);
        step::list(self.env, actions, was_shared)
    }

    #[cold]
    fn ended_with(&self, actions: VmTerm<'a>, outcome: Outcome) -> RawTerm {
        let heap = self.env.heap();
        match outcome {
            Ok(returned) => {
                // SAFETY: the term was made in this call.
                let value = unsafe { self.env.term(returned.0) };
                Step::returned(heap, actions, value).answer(heap)
            }
            Err(exit) => ending::raised(self.env, &self.frame.clause, actions, exit),
        }
    }

    /// The callback has panicked. Its future is dropped, its state stays.
    #[cold]
    pub(crate) fn panicked(&self, payload: Box<dyn Any + Send>) -> RawTerm {
        let panic = Panic::caught(payload);
        self.clear();
        let call = self.call();
        // A new state that has not been stored yet may panic when it is dropped, too.
        contained(|| drop(call.made.take()));
        call.gives_way.take();
        drop(self.unanswered());
        ending::panicked(self.env, &self.frame.clause, self.last_actions(), panic)
    }

    fn clear(&self) {
        if self.call().has_awaited().is_some() {
            // The future's variables may panic when they are dropped. Such a panic is ignored.
            // SAFETY: this is a call of the owning process, and the future is not being polled.
            contained(|| unsafe { self.cell.future() }.clear());
        }
    }

    /// When the timeslice in which the call began is used up.
    fn slice_ends(&self) -> Ticks {
        self.call().measure(self.clock);
        self.frame.slice_ends()
    }

    fn state(&self) -> VmTerm<'a> {
        // SAFETY: the term is an argument of this call or was made in it.
        unsafe { self.env.term(self.frame.state) }
    }

    /// The user's code has run. Tells the VM what the call has cost, and the user if that was much.
    #[inline]
    pub(crate) fn leave(&self, answer: RawTerm) -> RawTerm {
        let call = self.call();
        let (answer, clause) = match call.tasks() {
            None => (answer, self.frame.clause),
            Some(tasks) => self.leave_tasks(tasks, answer),
        };
        if let Some(awaiting) = call.has_awaited() {
            awaiting.outbox.flush(self.env);
        }
        call.leave();
        let answer = output::leave(self.env, answer);
        let elapsed = self.clock.end(self.frame.began.get());
        let charge = u64::from(call.uncharged.get()) + elapsed.charged();
        call.uncharged.set(accounting::charge(self.env, charge));
        let thread = self.frame.thread;
        ending::accounted(
            self.env,
            &clause,
            thread,
            elapsed,
            self.before.as_deref(),
            answer,
        )
    }
}
