//! The process of an open order: a state machine that writes each step into the database before
//! the caller gets its answer.
use std::time::Duration;

use otp_bridge::atoms::{call, normal, ok, state_timeout, temporary};
use otp_bridge::gen_statem::prelude::*;
use otp_bridge::start::StartOptions;
use otp_bridge::supervisor::{ChildSpec, DynamicSupervisor, SupFlags};
use otp_bridge::{Env, Registry};
use serde::Serialize;

use crate::customer::{self, Settled};
use crate::database;

/// The process of each open order, by its number.
pub static ORDER: Registry<i64, Machine<Order>> = Registry::new(atom!("order_registry"));
/// Starts them, several at a time.
pub static ORDERS: DynamicSupervisor<Order> =
    DynamicSupervisor::new(atom!("orders_sup")).sharded(16);

/// After this time without a message, the process of an order or a customer hibernates. An idle
/// process then takes half of the memory.
pub const IDLE: Duration = Duration::from_secs(5);

/// The pause before an order that could not be cancelled is tried again.
const RETRY: Duration = Duration::from_secs(5);

/// How far an order is: `placed | paid | shipped | cancelled`
#[derive(Debug, Clone, Copy, PartialEq, Eq, Term, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Stage {
    Placed,
    Paid,
    Shipped,
    Cancelled,
}

impl Stage {
    pub const ALL: [Stage; 4] = [Stage::Placed, Stage::Paid, Stage::Shipped, Stage::Cancelled];

    /// As in the database.
    pub fn name(self) -> &'static str {
        match self {
            Stage::Placed => "placed",
            Stage::Paid => "paid",
            Stage::Shipped => "shipped",
            Stage::Cancelled => "cancelled",
        }
    }

    /// Whether a process looks after an order at this stage.
    pub fn is_open(self) -> bool {
        matches!(self, Stage::Placed | Stage::Paid)
    }

    /// The stage after a step, if the step is possible.
    fn after(self, step: Step) -> Option<Stage> {
        match (self, step) {
            (Stage::Placed, Step::Pay) => Some(Stage::Paid),
            (Stage::Paid, Step::Ship) => Some(Stage::Shipped),
            (Stage::Placed | Stage::Paid, Step::Cancel) => Some(Stage::Cancelled),
            _ => None,
        }
    }
}

/// An order, which is the data of its process.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Term, Serialize)]
pub struct Order {
    pub number: i64,
    pub customer: i64,
    pub cents: i64,
    pub stage: Stage,
}

/// `show`: the order.
#[derive(Debug, Term)]
#[reply(Order)]
pub struct Show;

/// `pay | ship | cancel`: the order after the step, or the order as it is if it is at another stage.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Term)]
#[reply(Result<Order, Order>)]
pub enum Step {
    Pay,
    Ship,
    Cancel,
}

/// The part of `[env]` in otp.toml that is about orders.
#[derive(Debug, Env)]
struct Settings {
    patience: u64,
}

/// The child spec of the orders' supervisor. An order that crashes is not restarted there: the next
/// request for it starts it from its row.
pub fn supervisor() -> ChildSpec {
    let options = StartOptions::new().hibernate_after(IDLE);
    let template = ChildSpec::template::<Order>().restart(temporary);
    let template = template.options(options);
    ORDERS.child_with(SupFlags::simple_one_for_one(), template)
}

/// Starts the process of an order, or finds it.
pub async fn open(cx: &Cx<'_>, order: Order) -> Result<Machine<Order>> {
    let start = || cx.start_child(&ORDERS, order);
    ORDER.find_or_start(cx, &order.number, start).await
}

impl Order {
    /// Writes a step into the database, and tells the customer.
    async fn step(&mut self, step: Step, cx: &Cx<'_>) -> Result<Option<Stage>> {
        let Some(next) = self.stage.after(step) else {
            return Ok(None);
        };
        database::advance(cx, self.number, self.stage, next).await?;
        if self.stage == Stage::Placed {
            cx.cast(
                &customer::CUSTOMER.process(&self.customer),
                Settled(self.cents),
            );
        }
        self.stage = next;
        Ok(Some(next))
    }
}

#[gen_statem]
impl GenStatem for Order {
    type Args = Order;
    type State = Stage;

    fn init(order: Order) -> impl InitReturn<Stage, Self> {
        (ok, order.stage, order)
    }

    async fn handle_event_enter(
        &self,
        _: Stage,
        stage: Stage,
        cx: &Cx<'_>,
    ) -> Result<HandleEventEnter> {
        if stage != Stage::Placed {
            return Ok(keep_state());
        }
        let patience = Duration::from_secs(cx.env::<Settings>().await?.patience);
        Ok(keep_state_actions((state_timeout, patience, Step::Cancel)))
    }

    fn handle_event(
        &self,
        (_, caller): (call, Caller<Order>),
        _: Show,
        _: Stage,
    ) -> HandleEvent<Stage> {
        keep_state_actions(reply(caller, *self))
    }

    async fn handle_event(
        &mut self,
        (_, caller): (call, Caller<Result<Order, Order>>),
        step: Step,
        _: Stage,
        cx: &Cx<'_>,
    ) -> Result<HandleEvent<Stage>> {
        match self.step(step, cx).await? {
            None => keep_state_actions(reply(caller, Err(*self))),
            Some(stage) if stage.is_open() => next_state_actions(stage, reply(caller, Ok(*self))),
            Some(_) => stop_and_reply(normal, reply(caller, Ok(*self))),
        }
    }

    /// The order was not paid in time. If the database is away, it is cancelled later.
    async fn handle_event(
        &mut self,
        _: state_timeout,
        step: Step,
        _: Stage,
        cx: &Cx<'_>,
    ) -> Result<HandleEvent<Stage>> {
        match self.step(step, cx).await {
            Ok(_) => stop(normal),
            Err(_) => keep_state_actions((state_timeout, RETRY, step)),
        }
    }
}
