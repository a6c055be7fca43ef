//! Supervisors that start all their children from one template, without a type of their own.

use std::marker::PhantomData;
use std::ops::Deref;

use otp_contract::modules::DYNAMIC;

use super::check::refusal_of;
use super::{ChildSpec, HasChildren, SupFlags};
use crate::behaviour::gen_server::Server;
use crate::process::{Destination, Name, Target};
use crate::runtime::Started;
use crate::{Atom, atom, atoms};

/// A supervisor with the strategy `simple_one_for_one`, whose children are processes of the module
/// `T`. It is a static and a child of your supervisor, and needs no type of its own:
///
/// ```
/// # use otp_bridge_novm as _;
/// # use otp_bridge::gen_server::{self, GenServer, gen_server};
/// use otp_bridge::atoms::ok;
/// use otp_bridge::supervisor::prelude::*;
///
/// # #[derive(Debug)]
/// # pub struct Order;
/// # #[gen_server]
/// # impl GenServer for Order {
/// #     type Args = u64;
/// #     fn init(_: u64) -> impl gen_server::InitReturn<Self> {
/// #         (ok, Order)
/// #     }
/// # }
/// pub static ORDERS: DynamicSupervisor<Order> = DynamicSupervisor::new(atom!("orders"));
///
/// pub struct Stroot;
///
/// #[supervisor]
/// impl Supervisor for Stroot {
///     type Args = Vec<String>;
///
///     fn init(_: Vec<String>) -> impl InitReturn {
///         (ok, (SupFlags::one_for_one(), vec![ORDERS.child()]))
///     }
/// }
///
/// async fn start(cx: &Cx<'_>, number: u64) -> Result<Server<Order>> {
///     cx.start_child(&ORDERS, number).await
/// }
/// ```
///
/// It is also a reference to the supervisor: pass it to [`cx.start_child`], `cx.terminate_child`,
/// `cx.which_children` and `cx.count_children`.
///
/// A supervisor starts one child after the other, and waits for the `init` of each. If many
/// processes start children at once, or if `init` waits for a database, give it [shards].
///
/// [`cx.start_child`]: super::ChildRequests::start_child
/// [shards]: DynamicSupervisor::sharded
#[derive(Debug)]
pub struct DynamicSupervisor<T> {
    server: Server<ChildrenOf<T>>,
    /// 0 if it has no shards.
    shards: u16,
    /// 0 if there is no limit.
    max_children: u32,
}

/// Stands for the supervisor's module in the type of its reference, `Server<ChildrenOf<T>>`.
#[derive(Debug)]
pub struct ChildrenOf<T>(PhantomData<fn() -> T>);

impl<T: Started + 'static> HasChildren for ChildrenOf<T> {
    type Child = T;
    const FUNCTIONS: &'static str = DYNAMIC;
}

impl<T> Deref for DynamicSupervisor<T> {
    type Target = Server<ChildrenOf<T>>;

    fn deref(&self) -> &Self::Target {
        &self.server
    }
}

impl<T> DynamicSupervisor<T> {
    /// Returns the supervisor registered under this name on this node.
    #[must_use]
    pub const fn new(name: Atom) -> Self {
        DynamicSupervisor {
            server: Server::local(name),
            shards: 0,
            max_children: 0,
        }
    }

    /// Divides the supervisor into `shards` supervisors, which take turns in starting children.
    /// That many children can start at the same time:
    ///
    /// ```
    /// # use otp_bridge_novm as _;
    /// # use otp_bridge::gen_server::{self, GenServer, gen_server};
    /// # use otp_bridge::atoms::ok;
    /// # use otp_bridge::{atom, supervisor::DynamicSupervisor};
    /// # #[derive(Debug)]
    /// # pub struct Order;
    /// # #[gen_server]
    /// # impl GenServer for Order {
    /// #     type Args = u64;
    /// #     fn init(_: u64) -> impl gen_server::InitReturn<Self> {
    /// #         (ok, Order)
    /// #     }
    /// # }
    /// pub static ORDERS: DynamicSupervisor<Order> =
    ///     DynamicSupervisor::new(atom!("orders")).sharded(16);
    /// ```
    ///
    /// Use the supervisor as before: a child can be terminated, listed and counted without its
    /// shard. Each shard counts the restarts of its own children. If a shard exceeds the limit or
    /// is killed, all shards end with their children, and the supervisor above restarts them.
    ///
    /// In Erlang, the shards are `'orders/1'`, `'orders/2'`, … below `orders`, and
    /// `otp_rs_dynamic` has the functions `start_child/2`, `terminate_child/2`,
    /// `which_children/1` and `count_children/1`.
    ///
    /// # Panics
    /// If `shards` is 0, or more than 1,024.
    #[must_use]
    pub const fn sharded(mut self, shards: u16) -> Self {
        assert!(
            shards > 0 && shards <= MAX_SHARDS,
            "a supervisor has 1 to 1,024 shards"
        );
        self.shards = shards;
        self
    }
}

impl<T> DynamicSupervisor<T> {
    /// Limits the number of children:
    /// `DynamicSupervisor::new(atom!("orders")).max_children(10_000)`. If the supervisor has that
    /// many, `start_child` fails with `{overload, Max}`, whose
    /// [kind](crate::Exit::kind) is `Overload`. Restarts are not refused. Starts at the same moment
    /// can exceed the limit by a few, and for up to 10 ms after a refusal a child that has ended
    /// still counts.
    ///
    /// # Panics
    /// If the limit is 0.
    #[must_use]
    pub const fn max_children(mut self, max: u32) -> Self {
        assert!(max > 0, "a supervisor without children has no use");
        self.max_children = max;
        self
    }
}

/// The shards are registered under names that are atoms.
const MAX_SHARDS: u16 = 1024;

impl<T: Started> DynamicSupervisor<T> {
    /// Returns the child spec of the supervisor, with OTP's defaults for its flags and its
    /// children: a child that ends is restarted, and the second restart within five seconds ends
    /// the supervisor. The id is the supervisor's name.
    #[must_use]
    #[track_caller]
    pub fn child(&self) -> ChildSpec {
        self.child_with(SupFlags::simple_one_for_one(), ChildSpec::template::<T>())
    }

    /// Returns the child spec of the supervisor, with these flags and this template of its
    /// children: `ORDERS.child_with(SupFlags::simple_one_for_one().intensity(10),
    /// ChildSpec::template::<Order>().restart(temporary))`.
    ///
    /// # Panics
    /// If the flags have another strategy than `simple_one_for_one`, or if the template is not one
    /// of `T`.
    #[must_use]
    #[track_caller]
    pub fn child_with(&self, flags: SupFlags, template: ChildSpec) -> ChildSpec {
        let children = vec![template];
        let Target::Name(name) = self.target() else {
            unreachable!("it was made with its name");
        };
        if let Some(refusal) = refusal_of(&flags, &children, Some(T::NAME)) {
            panic!("the supervisor `{name}`: {refusal}");
        }
        let module = atom!("otp_rs_dynamic");
        let (name_of, supervision) = (Name::local(name.clone()), (flags, children));
        let start = atoms::start_link;
        let (shards, max) = (u64::from(self.shards), u64::from(self.max_children));
        let child = match (shards, max) {
            (0, 0) => ChildSpec::erlang(module, start, (name_of, supervision)),
            (_, 0) => ChildSpec::erlang(module, start, (name_of, supervision, shards)),
            _ => ChildSpec::erlang(module, start, (name_of, supervision, shards, max)),
        };
        child.id(name).supervisor()
    }
}
