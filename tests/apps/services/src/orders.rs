//! Processes that a registry finds by their keys.
use std::time::Duration;

use otp_bridge::atoms::{normal, ok};
use otp_bridge::gen_server::prelude::*;
use otp_bridge::registry::Duplicate;
use otp_bridge::supervisor::DynamicSupervisor;
use otp_bridge::{Registry, atom};

/// The process of each order, by number.
pub static ORDER: Registry<u64, Server<Order>> = Registry::new(atom!("order_registry"));

/// The orders that listen to a topic.
pub static TOPICS: Registry<String, Server<Order>, Duplicate> =
    Registry::new(atom!("topic_registry"));

/// The supervisor of the orders.
pub static ORDERS: DynamicSupervisor<Order> = DynamicSupervisor::new(atom!("orders"));

/// A supervisor that starts three orders at a time.
pub static SHARDS: DynamicSupervisor<Order> =
    DynamicSupervisor::new(atom!("order_shards")).sharded(3);

/// A supervisor of at most four orders, whose shards start two at a time.
pub static FEW: DynamicSupervisor<Order> = DynamicSupervisor::new(atom!("few_orders"))
    .sharded(2)
    .max_children(4);

/// The number of the first order whose `init` waits until the next two orders are registered.
pub const PARTNERS: u64 = 999;

/// A supervisor with OTP's default settings.
pub static DRAFTS: DynamicSupervisor<Order> = DynamicSupervisor::new(atom!("drafts"));

/// An order, with its number.
#[derive(Debug)]
pub struct Order(u64);

/// `number`: returns the order's number.
#[derive(Debug, Term)]
#[reply(u64)]
pub struct Number;

/// `{listen, Topic}`: makes the order listen to a topic.
#[derive(Debug, Term)]
#[reply(u64)]
pub struct Listen(pub String);

/// `{ignore, Topic}`: stops listening. Returns whether the order had listened.
#[derive(Debug, Term)]
#[reply(bool)]
pub struct Ignore(pub String);

/// `{take, Number}`: registers the order under another number as well.
#[derive(Debug, Term)]
#[reply(bool)]
pub struct Take(pub u64);

/// `close`: ends the order.
#[derive(Debug, Term)]
pub struct Close;

#[gen_server]
impl GenServer for Order {
    type Args = u64;

    async fn init(number: u64, cx: &Cx<'_>) -> Result<impl InitReturn<Self>> {
        let first = number - number % 3;
        while number >= PARTNERS && !are_registered(cx, first).await? {
            cx.sleep(Duration::from_millis(1)).await?;
        }
        Ok((ok, Order(number)))
    }

    fn handle_call(&mut self, _: Number) -> HandleCall<u64> {
        reply(self.0)
    }

    async fn handle_call(&mut self, Listen(topic): Listen, cx: &Cx<'_>) -> Result<HandleCall<u64>> {
        TOPICS.register(cx, &topic).await?;
        reply(TOPICS.count(cx).await?)
    }

    async fn handle_call(
        &mut self,
        Ignore(topic): Ignore,
        cx: &Cx<'_>,
    ) -> Result<HandleCall<bool>> {
        reply(TOPICS.unregister(cx, topic.as_str()).await?)
    }

    async fn handle_call(&mut self, Take(number): Take, cx: &Cx<'_>) -> Result<HandleCall<bool>> {
        reply(ORDER.register(cx, &number).await.is_ok())
    }

    fn handle_cast(&mut self, _: Close) -> HandleCast {
        stop(normal)
    }
}

async fn are_registered(cx: &Cx<'_>, first: u64) -> Result<bool> {
    for number in first..first + 3 {
        if ORDER.find(cx, &number).await?.is_none() {
            return Ok(false);
        }
    }
    Ok(true)
}

mod supervised {
    use std::time::Duration;

    use otp_bridge::atoms::{ok, temporary};
    use otp_bridge::supervisor::prelude::*;

    use super::{DRAFTS, FEW, ORDER, ORDERS, Order, SHARDS, TOPICS};

    /// Starts the registries and their supervisors.
    pub struct Shop;

    #[supervisor]
    impl Supervisor for Shop {
        type Args = ();

        fn init(_: ()) -> impl InitReturn {
            let first = ChildSpec::of::<Order>(1).registered(&ORDER.process(&1));
            let options = StartOptions::new().timeout(Duration::from_mins(1));
            let template = ChildSpec::template::<Order>()
                .restart(temporary)
                .options(options);
            let orders = ORDERS.child_with(SupFlags::simple_one_for_one(), template);
            let shards = SHARDS.child_with(
                SupFlags::simple_one_for_one().intensity(1).period(3600),
                ChildSpec::template::<Order>(),
            );
            let (order, topics) = (ORDER.child(), TOPICS.child());
            let children = vec![
                order,
                topics,
                orders,
                shards,
                FEW.child(),
                DRAFTS.child(),
                first,
            ];
            let flags = SupFlags::one_for_one().intensity(100).period(1);
            (ok, (flags, children))
        }
    }
}

pub use supervised::Shop;
