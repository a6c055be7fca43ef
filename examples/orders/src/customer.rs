//! The process of a customer: it knows what the customer owes, so that two orders at once cannot
//! exceed the credit.
use otp_bridge::atoms::{ok, temporary};
use otp_bridge::gen_server::prelude::*;
use otp_bridge::start::StartOptions;
use otp_bridge::supervisor::{ChildSpec, DynamicSupervisor, SupFlags};
use otp_bridge::{Env, Registry};

use crate::database;
use crate::order::{IDLE, Order, Stage};

/// The process of each customer, by the number of the customer.
pub static CUSTOMER: Registry<i64, Server<Customer>> = Registry::new(atom!("customer_registry"));
/// Starts them, several at a time.
pub static CUSTOMERS: DynamicSupervisor<Customer> =
    DynamicSupervisor::new(atom!("customers_sup")).sharded(16);

/// The state: what the customer owes for orders that are not paid, in cents.
#[derive(Debug, Term)]
pub struct Customer {
    number: i64,
    owed: i64,
    credit: i64,
}

/// `{place, Cents}`: a new order, or what the customer owes already if the credit is too small.
#[derive(Debug, Term)]
#[reply(Result<Order, i64>)]
pub struct Place(pub i64);

/// `{settled, Cents}`: an order was paid or cancelled.
#[derive(Debug, Term)]
pub struct Settled(pub i64);

/// The part of `[env]` in otp.toml that is about customers.
#[derive(Debug, Env)]
struct Settings {
    credit: i64,
}

/// The child spec of the customers' supervisor. A customer that crashes is not restarted there: the
/// next request starts it, and it reads what it owes from the database.
pub fn supervisor() -> ChildSpec {
    let options = StartOptions::new().hibernate_after(IDLE);
    let template = ChildSpec::template::<Customer>().restart(temporary);
    let template = template.options(options);
    CUSTOMERS.child_with(SupFlags::simple_one_for_one(), template)
}

/// Finds the process of a customer, or starts it.
pub async fn find(cx: &Cx<'_>, number: i64) -> Result<Server<Customer>> {
    let start = || cx.start_child(&CUSTOMERS, number);
    CUSTOMER.find_or_start(cx, &number, start).await
}

#[gen_server]
impl GenServer for Customer {
    type Args = i64;

    async fn init(number: i64, cx: &Cx<'_>) -> Result<impl InitReturn<Self>> {
        let owed = database::owed(cx, number).await?;
        let credit = cx.env::<Settings>().await?.credit;
        Ok((
            ok,
            Customer {
                number,
                owed,
                credit,
            },
        ))
    }

    async fn handle_call(
        &mut self,
        Place(cents): Place,
        cx: &Cx<'_>,
    ) -> Result<HandleCall<Result<Order, i64>>> {
        if cents > self.credit - self.owed {
            return reply(Err(self.owed));
        }
        let number = database::insert(cx, self.number, cents).await?;
        self.owed += cents;
        reply(Ok(Order {
            number,
            customer: self.number,
            cents,
            stage: Stage::Placed,
        }))
    }

    fn handle_cast(&mut self, Settled(cents): Settled) -> HandleCast {
        self.owed -= cents;
        noreply()
    }
}
