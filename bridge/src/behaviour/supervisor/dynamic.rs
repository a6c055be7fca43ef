//! Supervisors that start all their children from one template, without a type of their own.

use std::marker::PhantomData;
use std::ops::Deref;

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
/// [`cx.start_child`]: super::ChildRequests::start_child
#[derive(Debug)]
pub struct DynamicSupervisor<T>(Server<ChildrenOf<T>>);

/// The type of such a supervisor, as a parameter of its reference.
#[derive(Debug)]
pub struct ChildrenOf<T>(PhantomData<fn() -> T>);

impl<T: Started + 'static> HasChildren for ChildrenOf<T> {
    type Child = T;
}

impl<T> Deref for DynamicSupervisor<T> {
    type Target = Server<ChildrenOf<T>>;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl<T> DynamicSupervisor<T> {
    /// Returns the supervisor registered under this name on this node.
    #[must_use]
    pub const fn new(name: Atom) -> Self {
        DynamicSupervisor(Server::local(name))
    }
}

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
        let arguments = (Name::local(name.clone()), (flags, children));
        let child = ChildSpec::erlang(atom!("otp_rs_dynamic"), atoms::start_link, arguments);
        child.id(name).supervisor()
    }
}
