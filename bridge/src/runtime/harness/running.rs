//! A callback that runs in its process's cell: polls its future and answers the VM.
#![allow(unsafe_code)]

mod begin;
mod leaving;
#[cfg(feature = "calls")]
mod observed;
mod resume_tasks;
mod without_reply;

use std::any::Any;
use std::task::{Context, Poll};

use super::ending;
use super::returned::encode_later;
use super::work::OnScheduler;
use crate::nif::{ClockTicks, Scheduler, VmTerm, contained};
#[cfg(feature = "calls")]
use crate::runtime::cost::observer;
use crate::runtime::cost::{accounting, slice, under_way};
use crate::runtime::exchange::step;
use crate::runtime::exchange::step::Step;
use crate::runtime::failure::panics::Panic;
use crate::runtime::failure::unanswered;
use crate::runtime::output;
use crate::runtime::raw::awaited::{Awaiting, Unencoded};
use crate::runtime::raw::context::VmCall;
use crate::runtime::raw::frame::Frame;
use crate::runtime::raw::outcome::Outcome;
use crate::runtime::raw::owned_cell::OwnedCell;
use crate::runtime::raw::wake;
use crate::runtime::registry::RunningClause;
use crate::runtime::state::{Polled, Rest, RunState};

/// A process's cell in a NIF call.
#[derive(Clone, Copy)]
pub(crate) struct Running<'a> {
    cell: OwnedCell<'a>,
    frame: &'a Frame<'a>,
}

impl<'a> Running<'a> {
    /// Starts to run the frame's clause. The cell was opened from `term`. A call is plain if it is
    /// on a normal scheduler, and its process has never awaited anything.
    #[inline]
    pub(crate) fn new(
        (cell, term): (OwnedCell<'a>, VmTerm<'a>),
        frame: &'a mut Frame<'_>,
        is_plain: bool,
    ) -> Self {
        let call = cell.call();
        frame.clock.enter(call.process, frame.clause);
        frame.set_state(term);
        if !is_plain {
            Self::measure_slice(call, frame);
        }
        Running { cell, frame }
    }

    /// Sets the slice of a call of a process that has awaited something, or of one on a dirty
    /// scheduler. Others have the slice of a process's first call.
    #[inline(never)]
    fn measure_slice(call: &VmCall, frame: &mut Frame<'_>) {
        let began = frame.clock.began();
        if !frame.thread.is_normal_scheduler() {
            under_way::dirty(frame.thread, began, (call.process, frame.clause));
            frame.slice = slice::dirty();
        } else if let Some(awaiting) = call.has_awaited() {
            frame.slice = awaiting.slices.begin(began);
        }
    }

    /// Returns a cell that was opened by `new` with this frame.
    #[inline]
    pub(crate) fn again(cell: OwnedCell<'a>, frame: &'a Frame<'_>) -> Self {
        Running { cell, frame }
    }

    #[inline]
    fn call(&self) -> &'a VmCall {
        self.cell.call()
    }

    /// Marks the start of the user's code.
    #[inline]
    pub(crate) fn enter(self, is_plain: bool) {
        // SAFETY: the code that created the frame does not move it until it calls `leave`.
        unsafe { self.call().enter(self.frame) };
        if !is_plain && let Some(tasks) = self.call().tasks() {
            tasks.enter();
        }
        output::enter(self.call().process, self.frame.clause, self.frame.thread);
    }

    /// Follows the states of the callback until there is an answer for the VM.
    fn go_through(&self, mut state: RunState) -> VmTerm<'a> {
        let mut outcome = None;
        loop {
            state = match state {
                RunState::Polling => {
                    let polled = self.poll();
                    RunState::after_poll(match polled {
                        Some(Poll::Ready(ready)) => {
                            outcome = Some(ready);
                            Polled::Ready
                        }
                        Some(Poll::Pending) => Polled::Pending(self.call().gives_way.take()),
                        None => Polled::NoFuture,
                    })
                }
                RunState::Beside { gives_way } => {
                    let (tasks, failed) = self.run_tasks();
                    outcome = failed.map(Err);
                    let asked = self.call().gives_way.take();
                    let is_woken = self.call().awaiting().root.is_woken();
                    RunState::after_tasks(gives_way, tasks, asked, is_woken)
                }
                RunState::Woken => RunState::after_clock(ClockTicks::now() > self.slice_ends()),
                RunState::Resting => RunState::after_rest(self.rest()),
                RunState::Left(leave) => return self.left(leave, outcome),
            }
        }
    }

    fn poll(&self) -> Option<Poll<Outcome>> {
        let root = &self.call().awaiting().root;
        root.poll_begins();
        let waker = root.waker();
        let mut context = Context::from_waker(&waker);
        self.cell.poll_future(&mut context)
    }

    /// Polls the future again with the answers to its operations: `[{Id, Outcome}]`, or the outcome
    /// of the only one.
    pub(crate) fn resume(&self, answers: VmTerm<'a>) -> VmTerm<'a> {
        // A waker that an answer wakes need not send a message, because the future is polled next.
        self.call().awaiting().root.poll_begins();
        self.deliver(answers);
        let asked = self.call().awaiting().scheduler.get();
        let is_normal = self.frame.thread.is_normal_scheduler();
        self.go_through(RunState::resume(asked, is_normal))
    }

    /// Called when the process is about to rest. A waker that is woken after this sends the process
    /// a message.
    fn rest(&self) -> Rest {
        self.keep_unanswered();
        let has_tasks = self.call().has_live_tasks();
        if let Some(tasks) = self.call().tasks()
            && tasks.rest()
        {
            return Rest::Mail;
        }
        let Awaiting {
            exchange,
            root,
            is_asked,
            ..
        } = self.call().awaiting();
        let exchange = exchange.borrow();
        if !root.is_shared() && !has_tasks && !is_asked.get() && exchange.is_alone() {
            return Rest::Alone;
        }
        match root.rest() {
            wake::WhenIdle::Poll => Rest::Woken,
            wake::WhenIdle::Wait => Rest::Awaited,
            wake::WhenIdle::NobodyWakes if exchange.count() > 0 || has_tasks => Rest::Awaited,
            wake::WhenIdle::NobodyWakes => Rest::Nobody,
        }
    }

    /// Answers the VM after the callback has completed.
    #[inline]
    pub(super) fn completed(self, outcome: Outcome) -> VmTerm<'a> {
        let call = self.call();
        if let Some(later) = call
            .has_awaited()
            .and_then(|awaiting| awaiting.later.take())
        {
            return self.encode_later(later);
        }
        if let Some(made) = call.made.take() {
            // SAFETY: the clause and its future, which borrowed the state, have ended.
            unsafe { self.cell.state() }.accept(*made);
        }
        if unanswered::exist() {
            return self.ended_unanswered(outcome);
        }
        self.answer(outcome)
    }

    /// Continues on a dirty scheduler, to build the term of the return value there.
    #[cold]
    fn encode_later(&self, value: Box<dyn Unencoded>) -> VmTerm<'a> {
        let rest = encode_later(self.cell.cx(), value);
        self.starts_future(rest, OnScheduler(Scheduler::DirtyCpu))
    }

    /// Builds the answer of a callback that has completed.
    #[inline]
    fn answer(&self, outcome: Outcome) -> VmTerm<'a> {
        let call = self.call();
        if call.has_live_tasks() {
            return self.ended_beside_tasks(outcome);
        }
        match (outcome, call.has_awaited()) {
            (Ok(returned), None) => self.frame.encoded(returned),
            (Ok(returned), Some(awaiting)) if awaiting.is_idle() => self.frame.encoded(returned),
            (outcome, _) => self.ended_with(self.last_actions(), outcome),
        }
    }

    /// Takes the remaining actions of a callback that has completed.
    fn last_actions(&self) -> VmTerm<'a> {
        let Awaiting { exchange, root, .. } = self.call().awaiting();
        let was_shared = root.end();
        let mut exchange = exchange.borrow_mut();
        exchange.forget();
        let actions = exchange.take_actions();
        drop(exchange);
        step::list(self.frame.env, actions, was_shared)
    }

    #[cold]
    fn ended_with(&self, actions: VmTerm<'a>, outcome: Outcome) -> VmTerm<'a> {
        let heap = self.frame.env.heap();
        match outcome {
            Ok(returned) => {
                Step::returned(heap, actions, self.frame.encoded(returned)).answer(heap)
            }
            Err(exit) => {
                self.frame.outcome.raised();
                ending::raised(self.frame.env, self.frame.clause, actions, exit)
            }
        }
    }

    /// Ends a callback that has panicked. Its future is dropped, its state stays.
    #[cold]
    pub(crate) fn panicked(&self, payload: Box<dyn Any + Send>) -> VmTerm<'a> {
        let panic = Panic::caught(payload);
        self.frame.outcome.panicked();
        self.clear();
        let call = self.call();
        // A new state that has not been stored yet may panic when it is dropped, too.
        contained(|| drop(call.made.take()));
        call.gives_way.take();
        drop(self.unanswered());
        ending::panicked(
            self.frame.env,
            self.frame.clause,
            self.last_actions(),
            panic,
        )
    }

    fn clear(&self) {
        // The future's variables may panic when they are dropped. Such a panic is ignored.
        contained(|| self.cell.clear_future());
    }

    /// Returns the time when the call's slice is used up.
    fn slice_ends(&self) -> ClockTicks {
        self.call().measure();
        self.frame.slice_ends()
    }

    fn state(&self) -> VmTerm<'a> {
        self.frame.state_term()
    }

    /// Ends the call: charges its cost in the VM, and reports the call if it was long.
    #[inline]
    pub(crate) fn leave(self, answer: VmTerm<'a>) -> VmTerm<'a> {
        let call = self.call();
        if call.has_awaited().is_some() {
            return self.leave_awaiting(answer);
        }
        call.leave();
        let answer = output::leave(self.frame.env, answer);
        if self.frame.clock.end_unread() {
            return answer;
        }
        self.account(self.frame.clause, answer)
    }

    /// Like `leave`, for a process whose callbacks have awaited something.
    #[inline(never)]
    fn leave_awaiting(self, answer: VmTerm<'a>) -> VmTerm<'a> {
        let call = self.call();
        let (answer, clause) = match call.tasks() {
            None => (answer, self.frame.clause),
            Some(tasks) => self.leave_tasks(tasks, answer),
        };
        let awaiting = call.awaiting();
        awaiting.outbox.flush(self.frame.env);
        awaiting.under_way.waits(self.cell.is_busy());
        call.leave();
        let answer = output::leave(self.frame.env, answer);
        if self.frame.clock.end_unread() {
            return answer;
        }
        self.account(clause, answer)
    }

    /// Charges the cost of the call, and of those before it that have not read the clock.
    #[inline(never)]
    fn account(self, clause: &RunningClause, answer: VmTerm<'a>) -> VmTerm<'a> {
        let call = self.call();
        let began = self.frame.clock.began();
        let elapsed = self.frame.clock.end();
        if !self.frame.thread.is_normal_scheduler() {
            under_way::dirty_ended(call.process);
        }
        #[cfg(feature = "calls")]
        let answer = match observer::is_active() {
            true => self.observe(elapsed, self.cell.is_busy(), answer),
            false => answer,
        };
        let charge = u64::from(call.uncharged.get()) + elapsed.charged();
        call.uncharged
            .set(accounting::charge(self.frame.env, charge));
        let call = (self.frame.thread, self.frame.is_resumed);
        let held = || self.frame.clock.held(began);
        ending::accounted(self.frame.env, clause, call, elapsed, held, answer)
    }
}
