//! Runs tasks in the calls of their process: beside a waiting callback, and between two callbacks.

use otp_contract::library::{Report, Request};

use super::Running;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::task::Waker;

use crate::nif::{ClockTicks, Encoded, RawTerm, Thread, VmEnv, VmTerm};
use crate::runtime::awaiting::deferred_send;
use crate::runtime::cost::call_clock::CallClock;
use crate::runtime::cost::slice;
use crate::runtime::exchange::WhenDropped;
use crate::runtime::exchange::step::Step;
use crate::runtime::exchange::{Answer, OperationId, step};
use crate::runtime::failure::exit::Exit;
use crate::runtime::failure::source_location;
use crate::runtime::protocol;
use crate::runtime::protocol::at_most::OnceASecond;
use crate::runtime::protocol::{report, shape};
use crate::runtime::raw::awaited::Awaiting;
use crate::runtime::raw::frame::Frame;
use crate::runtime::raw::idle_cell::IdleCell;
use crate::runtime::raw::outbox;
use crate::runtime::raw::outcome::Outcome;
use crate::runtime::raw::owned_cell::OwnedCell;
use crate::runtime::registry::without_callback::{
    clause_of_task, clause_of_tasks, is_body, keeps_tasks,
};
use crate::runtime::registry::{LibraryModules, RunningClause};
use crate::runtime::state::TasksState;
use crate::tasks::{Executor, FailedTask, Long};
use crate::{Heap, ToTerm, View, atom};

/// Returns the answer of an operation. `{offer, _}` has a message that is still in the mailbox.
fn answer_of(outcome: VmTerm<'_>) -> Answer<RawTerm> {
    match outcome.tuple::<2>() {
        Some([tag, _]) if tag.is_atom(&protocol::OFFER) => Answer::Offered(outcome.raw()),
        _ => Answer::Here(outcome.raw()),
    }
}

impl<'a> Running<'a> {
    /// Resumes tasks between two callbacks, and contains panics.
    pub(crate) fn resume_tasks_contained(&self, answers: VmTerm<'a>) -> VmTerm<'a> {
        let answer = catch_unwind(AssertUnwindSafe(|| {
            self.enter(false);
            self.resume_tasks(answers)
        }));
        self.leave(answer.unwrap_or_else(|payload| self.panicked(payload)))
    }

    /// Creates the frame of a call between two callbacks, for the tasks of the process. If it has
    /// had no tasks yet, other processes may be starting the first ones.
    pub(crate) fn of_tasks(
        env: VmEnv<'a>,
        cell: OwnedCell<'a>,
        clock: CallClock<'a>,
        thread: Thread,
    ) -> Option<Frame<'a>> {
        let awaiting = cell.call().has_awaited();
        let known = awaiting.and_then(|awaiting| awaiting.tasks_of.get());
        let of_state = || {
            let mut idle = IdleCell::of(cell)?;
            LibraryModules::get().module(idle.state().module())
        };
        let clause = known.or_else(|| of_state().map(clause_of_tasks))?;
        Some(Frame::new(env, clause, thread, clock).resumed())
    }

    /// Delivers answers to the operations that wait for them.
    pub(super) fn deliver(&self, answers: VmTerm<'a>) {
        let (mut woken, mut batches) = (Vec::new(), Vec::new());
        let exchange = &self.call().awaiting().exchange;
        let mut exchange = exchange.borrow_mut();
        match answers.list() {
            Some(answers) => {
                for answer in answers {
                    if answer.is_atom(&protocol::TASKS)
                        && let Some(tasks) = self.call().tasks()
                    {
                        tasks.kicked();
                    }
                    if let Some([tag, number, message]) = answer.tuple::<3>()
                        && tag.is_atom(&protocol::TO)
                    {
                        if outbox::has_number(number.unsigned()) {
                            batches.push(message);
                        } else {
                            self.deliver_inbound(number, message);
                        }
                    }
                    if let Some([id, outcome]) = answer.tuple::<2>()
                        && let Some(id) = id.unsigned().map(OperationId::from_number)
                    {
                        woken.extend(exchange.deliver(id, answer_of(outcome)));
                    }
                }
            }
            None => {
                let only = exchange.only();
                let answer = Answer::Here(answers.raw());
                woken.extend(only.and_then(|id| exchange.deliver(id, answer)));
            }
        }
        drop(exchange);
        woken.into_iter().for_each(Waker::wake);
        for batch in batches {
            deferred_send::run(batch, self.cell.cx());
        }
    }

    /// Delivers a message of another process to a mailbox of tasks. A message of another type is
    /// reported and dropped.
    fn deliver_inbound(&self, number: VmTerm<'a>, message: VmTerm<'a>) {
        let awaiting = self.call().awaiting();
        let mut inbound = awaiting.inbound.borrow_mut();
        let number = number.unsigned();
        let refused = number.and_then(|number| inbound.deliver(number, message));
        let local = awaiting.tasks.get().and_then(|tasks| tasks.here());
        if let (Some((location, why)), Some(local)) = (refused, local) {
            local.report(location, Box::new(why));
        }
    }

    /// Runs a call between two callbacks. The process makes it when it gets a message with an
    /// answer to a task's operation, or from a waker.
    pub(crate) fn resume_tasks(&self, answers: VmTerm<'a>) -> VmTerm<'a> {
        self.deliver(answers);
        if let (_, Some(exit)) = self.run_tasks() {
            return self.completed(Err(exit));
        }
        if let Some(scheduler) = self.call().gives_way.take() {
            let actions = self.call().awaiting().exchange.borrow_mut().take_actions();
            return self.go_on_with(scheduler, actions);
        }
        let ok = protocol::ok.to_term(self.frame.env.heap()).raw();
        self.completed(Ok(Encoded(ok)))
    }

    /// Runs tasks for the rest of the slice, but at least one. Returns the failure of a linked
    /// task, if there is one.
    pub(super) fn run_tasks(&self) -> (TasksState, Option<Exit>) {
        let call = self.call();
        let Some(tasks) = call.tasks() else {
            return (TasksState::Idle, None);
        };
        // Reserve time for the work after the last turn, so that it is within the slice, too.
        let ends = ClockTicks(self.slice_ends().0 - slice::length(self.frame.slice) / 4);
        let gives_way = || {
            let scheduler = call.gives_way.take();
            call.gives_way.set(scheduler);
            scheduler.is_some()
        };
        tasks.run(ends, gives_way);
        let Some(local) = tasks.here() else {
            return (TasksState::Idle, None);
        };
        if let Some(failed) = local.linked_failure() {
            return (TasksState::Failed, Some(exit_of(failed)));
        }
        self.set_alarm();
        match local.is_runnable() {
            true => (TasksState::Runnable, None),
            false => (TasksState::Idle, None),
        }
    }

    /// Sets the alarm, which makes the process call back when the first timer of its tasks expires.
    fn set_alarm(&self) {
        let Awaiting {
            exchange,
            alarm,
            tasks,
            ..
        } = self.call().awaiting();
        let local = tasks.get().and_then(|tasks| tasks.here());
        let next = local.and_then(|local| local.next_timer());
        if next.is_none() && alarm.get().is_none() {
            return;
        }
        let mut exchange = exchange.borrow_mut();
        if let Some((id, set)) = alarm.get()
            && exchange.is_unanswered(id)
        {
            // An alarm that rings early does no harm.
            if next.is_none_or(|(at, _)| set <= at) {
                return;
            }
            exchange.nobody_waits(id, WhenDropped::Cancelled);
        }
        alarm.set(next.map(|(at, left)| {
            let heap = self.frame.env.heap();
            let milliseconds = left.as_nanos().div_ceil(1_000_000);
            let milliseconds = u32::try_from(milliseconds).unwrap_or(u32::MAX);
            let request = shape!(heap, Request::Sleep, milliseconds.to_term(heap));
            (exchange.begin(request.raw(), None), at)
        }));
    }

    /// Checks the alarm when a callback has completed, because its answer may have arrived together
    /// with the callback's last answer, and the tasks have had no turn since.
    fn heed_alarm(&self) {
        let Awaiting {
            exchange,
            alarm,
            tasks,
            ..
        } = self.call().awaiting();
        let has_come = |(id, _)| !exchange.borrow_mut().is_unanswered(id);
        if alarm.get().is_some_and(has_come) {
            let local = tasks.get().and_then(|tasks| tasks.here());
            local.into_iter().for_each(|local| local.wake_sleepers());
            self.set_alarm();
        }
    }

    /// Answers the VM for a callback that has completed while there are tasks.
    #[cold]
    pub(super) fn ended_beside_tasks(&self, outcome: Outcome) -> VmTerm<'a> {
        let call = self.call();
        let value = match outcome {
            Ok(value) if keeps_tasks(self.frame.clause) => value,
            outcome => {
                if let Some(tasks) = call.tasks().filter(|_| !keeps_tasks(self.frame.clause)) {
                    self.end_tasks(tasks, outcome.is_ok());
                }
                return self.ended_with(self.last_actions(), outcome);
            }
        };
        self.heed_alarm();
        self.kick();
        let awaiting = call.awaiting();
        awaiting.root.end();
        let mut exchange = awaiting.exchange.borrow_mut();
        let actions = exchange.take_actions();
        self.keep_answers(&mut exchange);
        drop(exchange);
        if actions.is_empty() && !self.frame.is_resumed {
            return self.frame.encoded(value);
        }
        let actions = step::list(self.frame.env, actions, false);
        let value = self.frame.encoded(value);
        Step::stay(self.frame.env.heap(), actions, value).answer(self.frame.env.heap())
    }

    /// Drops the tasks of a callback whose process does not keep them. If the process continues
    /// after the callback, this is reported, because the work of these tasks is lost.
    fn end_tasks(&self, tasks: &Executor, has_returned: bool) {
        let goes_on = !self.frame.clause.callback.facts.ends() && !is_body(self.frame.clause);
        if let Some(local) = tasks.here().filter(|_| has_returned && goes_on) {
            let clause = self.frame.clause.to_string();
            local.report_left(|| {
                let why =
                    "await it there, start a process, or let a pool run it: see docs/tasks.md";
                Box::new(Exit::new((atom!("ended_with"), clause, why)))
            });
        }
        tasks.end_all();
    }

    /// Sends the process a message to run its tasks again, if they are runnable. There is at most
    /// one such message at a time.
    fn kick(&self) {
        let process = self.call().process;
        let Some(tasks) = self.call().tasks() else {
            return;
        };
        if tasks.needs_kick() {
            self.call().awaiting().slices.give_way();
            self.frame
                .env
                .send(process, protocol::tasks().to_term(self.frame.env.heap()));
        }
    }

    /// Ends the call. Returns the answer, with reports of detached tasks that have failed. Also
    /// returns the clause that a report of a long call names: that of the task whose turn was long,
    /// if there was one.
    #[cold]
    pub(super) fn leave_tasks(
        &self,
        tasks: &Executor,
        answer: VmTerm<'a>,
    ) -> (VmTerm<'a>, &'static RunningClause) {
        let Some(local) = tasks.here() else {
            return (answer, self.frame.clause);
        };
        let failures = local.failures().into_iter();
        let answer = failures.fold(answer, |answer, failed| self.with_failure(answer, failed));
        let long = local.long();
        tasks.leave();
        let of_task = |long: Long| clause_of_task(self.frame.clause.module, long.location);
        (answer, long.map_or(self.frame.clause, of_task))
    }

    fn with_failure(&self, answer: VmTerm<'a>, failed: FailedTask) -> VmTerm<'a> {
        static REPORTED: OnceASecond = OnceASecond::new();
        let Some(suppressed) = REPORTED.pass() else {
            return answer;
        };
        let heap = self.frame.env.heap();
        let location = source_location::of_user(failed.location, self.frame.clause);
        let (file, line) = (source_location::shown(location.file()), location.line());
        let task = match &failed.name {
            Some(name) => format!("{name}, {file}:{line}"),
            None => format!("{file}:{line}"),
        };
        let exit = match self.frame.clause.module.is_secret() {
            true => exit_of(failed).without_text_of_panic(),
            false => exit_of(failed),
        };
        let report = report!(
            heap,
            Report::TaskFailed {
                module: self.frame.clause.name().0,
                task: task,
                reason: exit.into_reason(),
                suppressed: suppressed,
            }
        );
        Step::tell(heap, report, answer).answer(heap)
    }
}

fn exit_of(failed: FailedTask) -> Exit {
    match failed.failure.downcast::<Exit>() {
        Ok(exit) => *exit,
        Err(_) => Exit::error(atom!("failed")),
    }
}
