//! Names for this node's processes: any term can be a name.

mod call;

use std::borrow::Borrow;
use std::fmt;
use std::marker::PhantomData;

pub use call::{AllOf, Entered, FindOrStart, RegistryCall, RegistryResult, TheOne};
use otp_contract::modules::REGISTRY;

use super::start::{NamedStart, StartError};
use super::supervisor::ChildSpec;
use crate::process::functions::{AnyResult, Calling, Function, call};
use crate::process::{Destination, Name, Target};
use crate::runtime::{Await, Cx, Result};
use crate::{Atom, FromTerm, Pid, Term, ToTerm, atom, atoms};

crate::atoms! { unique, duplicate }

/// A registry on this node: it finds processes by keys, which are any terms of type `K`. `P` is
/// [`Server<T>`](crate::gen_server::Server), [`Machine<T>`](crate::gen_statem::Machine) or
/// [`Pid`].
///
/// Declare a registry as a static, and make it a child of your supervisor, before the children that
/// use it:
///
/// ```
/// # use otp_bridge_novm as _;
/// # use otp_bridge::gen_server::{self, GenServer, gen_server};
/// use otp_bridge::atoms::ok;
/// use otp_bridge::supervisor::prelude::*;
/// use otp_bridge::Registry;
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
/// /// The process of each order, by its number.
/// pub static ORDER: Registry<u64, Server<Order>> = Registry::new(atom!("order_registry"));
/// /// Starts them.
/// pub static ORDERS: DynamicSupervisor<Order> = DynamicSupervisor::new(atom!("orders"));
///
/// pub struct Stroot;
///
/// #[supervisor]
/// impl Supervisor for Stroot {
///     type Args = Vec<String>;
///
///     fn init(_: Vec<String>) -> impl InitReturn {
///         (ok, (SupFlags::rest_for_one(), vec![ORDER.child(), ORDERS.child()]))
///     }
/// }
///
/// async fn order(cx: &Cx<'_>, number: u64) -> Result<Server<Order>> {
///     ORDER.find_or_start(cx, &number, || cx.start_child(&ORDERS, number)).await
/// }
/// ```
///
/// A process loses its keys when it ends, also when it is killed. The VM holds the table of keys,
/// so the table survives an upgrade of the application and a kill of the registry.
pub struct Registry<K, P, Keys = Unique> {
    name: Atom,
    types: PhantomData<fn(K) -> (P, Keys)>,
}

/// Each key belongs to one process, as in a `Registry<u64, Server<Order>>`.
#[derive(Debug)]
pub enum Unique {}

/// A key belongs to any number of processes, such as those that listen to a topic: a
/// `Registry<String, Server<Listener>, Duplicate>`.
#[derive(Debug)]
pub enum Duplicate {}

/// Whether a key belongs to one process or to several: [`Unique`] or [`Duplicate`].
pub trait RegistryKeys {
    /// Returns the atom for it in `otp_rs_registry`.
    #[doc(hidden)]
    fn kind() -> Atom;
}

impl RegistryKeys for Unique {
    fn kind() -> Atom {
        unique.into()
    }
}

impl RegistryKeys for Duplicate {
    fn kind() -> Atom {
        duplicate.into()
    }
}

impl<K, P, Keys> Registry<K, P, Keys> {
    /// Returns the registry with this name.
    #[must_use]
    pub const fn new(name: Atom) -> Self {
        Registry {
            name,
            types: PhantomData,
        }
    }
}

impl<K, P, Keys: RegistryKeys> Registry<K, P, Keys> {
    /// Returns the child spec of the registry. Its id is its name. Under `rest_for_one`, place it
    /// before the supervisor of its processes: if the registry cannot be restarted, they end with
    /// it.
    #[must_use]
    pub fn child(&self) -> ChildSpec {
        let arguments = (self.name.clone(), Keys::kind());
        ChildSpec::erlang(module(), atoms::start_link, arguments).id(self.name.clone())
    }

    /// Registers the calling process under a key until it ends. A process can have several keys. A
    /// process that [registers under a name](Registry::process) when it starts already has that
    /// key.
    ///
    /// # Errors
    /// `{already_registered, Pid}` if another process has the key and keys are unique;
    /// `{noproc, _}` if the registry does not run.
    #[track_caller]
    pub fn register<'a, Q: ToTerm + ?Sized>(
        &'a self,
        cx: &'a Cx<'a>,
        key: &'a Q,
    ) -> Await<'a, (), RegistryCall<(Atom, &'a Atom, &'a Q), Entered>>
    where
        K: Borrow<Q>,
    {
        static ENTER: Function = Function::new(REGISTRY, "enter");
        RegistryCall::begin(cx, &ENTER, (Keys::kind(), &self.name, key))
    }

    /// Removes a key of the calling process. Returns whether the process had it.
    ///
    /// # Errors
    /// `{noproc, _}` if the registry does not run.
    #[track_caller]
    pub fn unregister<'a, Q: ToTerm + ?Sized>(
        &'a self,
        cx: &'a Cx<'a>,
        key: &'a Q,
    ) -> Await<'a, bool, RegistryCall<(&'a Atom, &'a Q), AnyResult<bool>>>
    where
        K: Borrow<Q>,
    {
        static LEAVE: Function = Function::new(REGISTRY, "leave");
        RegistryCall::begin(cx, &LEAVE, (&self.name, key))
    }

    /// Returns the number of entries: one for each key of a process.
    ///
    /// # Errors
    /// `{noproc, _}` if the registry does not run.
    #[track_caller]
    pub fn count<'a>(
        &'a self,
        cx: &'a Cx<'a>,
    ) -> Await<'a, u64, RegistryCall<(&'a Atom,), AnyResult<u64>>> {
        static COUNT: Function = Function::new(REGISTRY, "count");
        RegistryCall::begin(cx, &COUNT, (&self.name,))
    }

    /// Returns the keys of a process, in no order. A process that has ended has none.
    ///
    /// # Errors
    /// `{noproc, _}` if the registry does not run; a decode error if a key is not a `K`.
    #[track_caller]
    pub fn keys<'a>(
        &'a self,
        cx: &'a Cx<'a>,
        process: &'a P,
    ) -> Calling<'a, Vec<K>, (&'a Atom, Target<'a>), AnyResult<Vec<K>>>
    where
        K: FromTerm,
        P: Destination,
    {
        static KEYS: Function = Function::new(REGISTRY, "keys");
        call(cx, &KEYS, (&self.name, process.target()))
    }

    /// Returns all keys with their processes, in no order. Each entry is copied to this process.
    ///
    /// # Errors
    /// `{noproc, _}` if the registry does not run; a decode error if a key is not a `K`.
    pub async fn list(&self, cx: &Cx<'_>) -> Result<Vec<(K, P)>>
    where
        K: FromTerm,
        P: From<Pid>,
    {
        static LIST: Function = Function::new(REGISTRY, "list");
        let listed = RegistryCall::<_, AnyResult<Vec<(K, Pid)>>>::begin(cx, &LIST, (&self.name,));
        let pairs = listed.await?.into_iter();
        Ok(pairs.map(|(key, pid)| (key, pid.into())).collect())
    }
}

static FIND: Function = Function::new(REGISTRY, "find");

/// A look-up of the processes of a key.
type Finding<'a, Q, R> = RegistryCall<(&'a Atom, &'a Q), R>;

impl<K, P: From<Pid>> Registry<K, P> {
    /// Returns the process with this key.
    ///
    /// # Errors
    /// `{noproc, _}` if the registry does not run.
    #[track_caller]
    pub fn find<'a, Q: ToTerm + ?Sized>(
        &'a self,
        cx: &'a Cx<'a>,
        key: &'a Q,
    ) -> Await<'a, Option<P>, Finding<'a, Q, TheOne<P>>>
    where
        K: Borrow<Q>,
        P: Destination,
    {
        RegistryCall::begin(cx, &FIND, (&self.name, key))
    }

    /// Returns the process with this key, and starts one if there is none. `start` returns the
    /// result of [`cx.start_child`](crate::supervisor::ChildRequests::start_child) or
    /// [`cx.start_link`](crate::start::Start::start_link), and the process is registered before its
    /// `init` runs. So if two callers race, one process starts, and both get it.
    ///
    /// # Errors
    /// The errors of the start, except that another process with the key is not an error;
    /// `{noproc, _}` if the registry does not run.
    #[track_caller]
    pub fn find_or_start<'a, Q, S>(
        &'a self,
        cx: &'a Cx<'a>,
        key: &'a Q,
        start: impl FnOnce() -> S + Send + 'a,
    ) -> FindOrStart<'a, P>
    where
        K: Borrow<Q>,
        P: Destination + Send,
        Q: ToTerm + Sync + ?Sized,
        S: NamedStart<P>,
    {
        let found = self.find(cx, key);
        FindOrStart::new(async move {
            if let Some(process) = found.await? {
                return Ok(process);
            }
            let started = start().named(&self.name_of(key)).await;
            started.or_else(|exit| match exit.start_error() {
                StartError::AlreadyStarted(pid) => Ok(pid.into()),
                _ => Err(exit),
            })
        })
    }

    /// Returns a reference to the process with this key, whichever process has it when a message is
    /// sent. Give it to [`ChildSpec::registered`] to register the child before its `init` runs.
    ///
    /// In Erlang, it is `{via, otp_rs_registry, {Registry, Key}}`.
    #[must_use]
    pub fn process<Q: ToTerm + ?Sized>(&self, key: &Q) -> P
    where
        K: Borrow<Q>,
        P: From<Name>,
    {
        self.name_of(key).into()
    }

    fn name_of(&self, key: &(impl ToTerm + ?Sized)) -> Name {
        Name::Via(module(), Term::of(&(&self.name, key)))
    }
}

impl<K, P: From<Pid>> Registry<K, P, Duplicate> {
    /// Returns the processes with this key, in no order. A process that registered twice is listed
    /// twice.
    ///
    /// # Errors
    /// `{noproc, _}` if the registry does not run.
    #[track_caller]
    pub fn find_all<'a, Q: ToTerm + ?Sized>(
        &'a self,
        cx: &'a Cx<'a>,
        key: &'a Q,
    ) -> Await<'a, Vec<P>, Finding<'a, Q, AllOf<P>>>
    where
        K: Borrow<Q>,
        P: Destination,
    {
        RegistryCall::begin(cx, &FIND, (&self.name, key))
    }
}

/// `otp_rs_registry`
fn module() -> Atom {
    atom!("otp_rs_registry")
}

impl<K, P, Keys> fmt::Debug for Registry<K, P, Keys> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Registry({})", self.name)
    }
}
