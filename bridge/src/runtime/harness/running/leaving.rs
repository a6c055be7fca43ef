//! The answers of a callback that leaves its call of the VM: what its process does next.
#![allow(unsafe_code)]

use super::Running;
use crate::Exit;
use crate::nif::{IndependentTerm, RawTerm, Scheduler, VmTerm};
use crate::runtime::exchange::step::{self, Step};
use crate::runtime::exchange::{Action, Exchange};
use crate::runtime::protocol;
use crate::runtime::raw::awaited::Awaiting;
use crate::runtime::raw::outcome::Outcome;
use crate::runtime::state::{CallbackFailure, Leave};
use crate::term::Saved;

impl<'a> Running<'a> {
    /// Builds the answer to the VM for a callback that leaves its call.
    pub(super) fn left(&self, leave: Leave, outcome: Option<Outcome>) -> VmTerm<'a> {
        match leave {
            Leave::Failed(CallbackFailure::NeverWoken) => self.never_woken(),
            Leave::Ended | Leave::Failed(CallbackFailure::NoFuture | CallbackFailure::Task) => {
                // After its completion, the future is already dropped.
                self.clear();
                self.completed(outcome.unwrap_or_else(|| Err(Exit::error(protocol::badarg))))
            }
            Leave::Alone => self.alone(),
            Leave::Waits => self.wait(),
            Leave::GoesOn { on, is_waiting } => {
                let actions = if is_waiting {
                    self.own_actions()
                } else {
                    self.call().awaiting().exchange.borrow_mut().take_actions()
                };
                self.go_on_with(on, actions)
            }
        }
    }

    #[cold]
    fn never_woken(&self) -> VmTerm<'a> {
        let text = "the callback awaits a future that no operation, timer or thread will wake";
        let reason = (protocol::never_woken, self.frame.clause.to_string(), text);
        self.clear();
        self.completed(Err(Exit::of_clause(reason)))
    }

    /// Makes the process perform the only operation.
    fn alone(&self) -> VmTerm<'a> {
        let request = self.call().awaiting().exchange.borrow_mut().take_alone();
        let Some(request) = request else {
            return self.wait();
        };
        // SAFETY: the request was made in this call.
        let request = unsafe { self.frame.env.term(request) };
        let heap = self.frame.env.heap();
        let step = Step::alone(heap, self.state(), request).answer(heap);
        self.without_received(step)
    }

    /// Makes the process wait for answers and messages.
    fn wait(&self) -> VmTerm<'a> {
        self.keep_answers(&mut self.call().awaiting().exchange.borrow_mut());
        let heap = self.frame.env.heap();
        let actions = step::list(self.frame.env, self.own_actions(), false);
        let step = Step::wait(heap, self.state(), actions).answer(heap);
        self.without_received(step)
    }

    /// Takes the actions of a callback. If it waits only for operations, the process performs the
    /// callback's own one itself.
    fn own_actions(&self) -> Vec<Action<RawTerm>> {
        let Awaiting { exchange, root, .. } = self.call().awaiting();
        let mut exchange = exchange.borrow_mut();
        if root.is_held() {
            exchange.take_actions()
        } else {
            exchange.take_actions_of_callback()
        }
    }

    /// Makes the process continue the future in another call.
    pub(super) fn go_on_with(
        &self,
        scheduler: Scheduler,
        actions: Vec<Action<RawTerm>>,
    ) -> VmTerm<'a> {
        self.keep_unanswered();
        let heap = self.frame.env.heap();
        let Awaiting {
            exchange, slices, ..
        } = self.call().awaiting();
        if scheduler == Scheduler::Normal {
            slices.give_way();
        }
        let answers = exchange
            .borrow_mut()
            .take_answers(scheduler != Scheduler::Normal);
        let actions = step::list(self.frame.env, actions, false);
        let answers = step::answers(self.frame.env, answers);
        let step = Step::go_on(heap, self.state(), (actions, answers), scheduler).answer(heap);
        self.without_received(step)
    }

    pub(super) fn keep_answers(&self, exchange: &mut Exchange<RawTerm>) {
        exchange.keep_answers(|answer| {
            // SAFETY: the answer is an argument of this call, or a part of one.
            Saved::foreign(IndependentTerm::copy(unsafe {
                self.frame.env.term(*answer)
            }))
        });
    }
}
