//! Groups of processes in the cluster: `pg`.

use std::fmt;
use std::future::Future;
use std::marker::PhantomData;
use std::pin::Pin;
use std::task::{Context, Poll};

use super::gen_server::MessageTo;
use crate::messages::GroupChange;
use crate::process::functions::{AnyResult, Calling, Function, FunctionResult, call};
use crate::runtime::{Cx, Result, Started, protocol};
use crate::term::{Reader, Shape};
use crate::{
    Atom, DecodeError, ErlangType, FromTerm, Heap, Map, Pid, Reference, Term, ToTerm, View, atom,
    atoms,
};

crate::atoms! { not_joined }

/// A group of processes of the module `T` on all connected nodes: a group of `pg`. It exists as
/// long as it has members. A process leaves the group when it ends or when its node is lost.
///
/// Groups belong to a scope, a process that has to run on each node. To start one, add a child to a
/// supervisor: `ChildSpec::erlang(atom!("pg"), start_link, (atom!("chat"),))` for the scope `chat`,
/// or `ChildSpec::erlang(atom!("pg"), start_link, ())` for OTP's default scope, `pg`.
///
/// ```
/// # use otp_bridge_novm as _;
/// use otp_bridge::gen_server::prelude::*;
/// use otp_bridge::pg::Group;
/// use otp_bridge::{atom, atoms::ok};
///
/// /// Is in the group `("room", Name)`.
/// #[derive(Debug)]
/// pub struct Listener(String);
///
/// /// `{said, Text}`
/// #[derive(Debug, Clone, Term)]
/// pub struct Said(String);
///
/// #[gen_server]
/// impl GenServer for Listener {
///     type Args = String;
///
///     async fn init(room: String, cx: &Cx<'_>) -> Result<impl InitReturn<Self>> {
///         listeners(&room).join(cx).await?;
///         Ok((ok, Listener(room)))
///     }
///
///     fn handle_cast(&mut self, Said(text): Said) -> HandleCast {
///         println!("{}: {text}", self.0);
///         noreply()
///     }
/// }
///
/// fn listeners(room: &str) -> Group<Listener> {
///     Group::in_scope(atom!("chat"), ("room", room))
/// }
///
/// async fn say(cx: &Cx<'_>, text: &str) -> Result<usize> {
///     listeners("rust").cast(cx, Said(text.to_owned())).await
/// }
/// ```
pub struct Group<T> {
    scope: Atom,
    name: Term,
    module: PhantomData<fn(T)>,
}

/// A monitor of one group, which [`Group::monitor`] starts and [`Group::demonitor`] removes, or of
/// all groups of a scope ([`monitor_scope`]).
#[derive(Debug, Clone, PartialEq, Eq, Hash, Term)]
#[term(transparent)]
pub struct GroupMonitor(Reference);

impl GroupMonitor {
    /// Returns whether this monitor sent the message.
    #[must_use]
    pub fn is<Name>(&self, change: &GroupChange<Name>) -> bool {
        self.0 == change.monitor
    }
}

/// The arguments of a function about a group and a process.
pub(super) type Member = (Atom, Term, Pid);

/// `{Scope, Name}`. An upgrade hands the group and its memberships over with the state that holds
/// it.
impl<T> ErlangType for Group<T> {
    fn erlang_type() -> String {
        <(Atom, Term)>::erlang_type()
    }
}

#[diagnostic::do_not_recommend]
impl<T> ToTerm for Group<T> {
    fn to_term<H: Heap>(&self, heap: H) -> H::Term {
        (&self.scope, &self.name).to_term(heap)
    }
}

#[diagnostic::do_not_recommend]
impl<T> FromTerm for Group<T> {
    const KIND: Shape = <(Atom, Term)>::KIND;
    const SHAPE: Shape = <(Atom, Term)>::SHAPE;

    fn from_term<'a, V: View<'a>>(view: V) -> std::result::Result<Self, DecodeError> {
        let (scope, name) = <(Atom, Term)>::from_term(view)?;
        Ok(Group {
            scope,
            name,
            module: PhantomData,
        })
    }
}

impl<T> Group<T> {
    /// Returns the group with this name in the scope `pg`.
    #[must_use]
    pub fn new(name: impl ToTerm) -> Self {
        Self::in_scope(atom!("pg"), name)
    }

    /// Returns the group with this name in another scope.
    #[must_use]
    pub fn in_scope(scope: impl Into<Atom>, name: impl ToTerm) -> Self {
        Group {
            scope: scope.into(),
            name: Term::of(&name),
            module: PhantomData,
        }
    }

    /// Adds this process to the group: `pg:join/3`. A process that joins twice is a member twice.
    ///
    /// # Errors
    /// `{noproc, _}` if the scope does not run on this node.
    #[track_caller]
    pub fn join<'a>(&self, cx: &'a Cx<'a>) -> Calling<'a, (), Member, Joined<T>> {
        static JOIN: Function = Function::new("pg", "join");
        call(cx, &JOIN, (self.scope.clone(), self.name.clone(), cx.pid()))
    }

    /// Removes this process from the group: `pg:leave/3`. Returns whether it was a member.
    ///
    /// # Errors
    /// `{noproc, _}` if the scope does not run on this node.
    #[track_caller]
    pub fn leave<'a>(&self, cx: &'a Cx<'a>) -> Calling<'a, bool, Member, Left> {
        static LEAVE: Function = Function::new("pg", "leave");
        call(
            cx,
            &LEAVE,
            (self.scope.clone(), self.name.clone(), cx.pid()),
        )
    }
}

impl<T: Started> Group<T> {
    /// Returns the members on all nodes, in no order: `pg:get_members/2`. There are none if the
    /// scope does not run.
    ///
    /// # Errors
    /// None of its own.
    pub async fn members(&self, cx: &Cx<'_>) -> Result<Vec<T::Reference>> {
        static GET_MEMBERS: Function = Function::new("pg", "get_members");
        let pids = self.pids(cx, &GET_MEMBERS).await?;
        Ok(pids.into_iter().map(T::Reference::from).collect())
    }

    /// Casts a message to each member, including this process if it is one, and returns their
    /// number. A member that ends before its message arrives does not get it.
    ///
    /// # Errors
    /// None of its own.
    pub async fn cast<M>(&self, cx: &Cx<'_>, message: M) -> Result<usize>
    where
        M: ToTerm + MessageTo<T::Reference>,
    {
        let members = self.members(cx).await?;
        for member in &members {
            let message = (protocol::gen_cast, &message);
            let to = M::target(member);
            cx.send_to(to, &message, protocol::erlang, protocol::send);
        }
        Ok(members.len())
    }

    /// Returns the members on this node: `pg:get_local_members/2`.
    ///
    /// # Errors
    /// None of its own.
    pub async fn local_members(&self, cx: &Cx<'_>) -> Result<Vec<T::Reference>> {
        static GET_LOCAL_MEMBERS: Function = Function::new("pg", "get_local_members");
        let pids = self.pids(cx, &GET_LOCAL_MEMBERS).await?;
        Ok(pids.into_iter().map(T::Reference::from).collect())
    }

    /// Monitors the group: `pg:monitor/2`, since OTP 25.1. This process gets a [`GroupChange`]
    /// whenever processes join or leave the group. Also returns the current members.
    ///
    /// Before OTP 26.2, the scope crashes if a process that monitors groups and is a member of one
    /// ends (erlang/otp#7625). With these releases, monitor a group from a process that is not a
    /// member.
    ///
    /// # Errors
    /// `{noproc, _}` if the scope does not run on this node.
    #[track_caller]
    pub fn monitor<'a>(&self, cx: &'a Cx<'a>) -> Monitoring<'a, T> {
        static MONITOR: Function = Function::new("pg", "monitor");
        let arguments = (self.scope.clone(), self.name.clone());
        Monitoring {
            monitored: call::<AnyResult<(GroupMonitor, Vec<Pid>)>, _>(cx, &MONITOR, arguments),
            module: PhantomData,
        }
    }

    /// Removes a monitor of the group and its messages from the mailbox: `pg:demonitor/2`. Returns
    /// whether the monitor existed.
    ///
    /// # Errors
    /// `{noproc, _}` if the scope does not run on this node.
    pub async fn demonitor(&self, cx: &Cx<'_>, monitor: GroupMonitor) -> Result<bool> {
        static DEMONITOR: Function = Function::new("pg", "demonitor");
        let ended: Atom =
            call::<AnyResult<Atom>, _>(cx, &DEMONITOR, (self.scope.clone(), monitor)).await?;
        Ok(ended == "ok")
    }

    fn pids<'a>(
        &self,
        cx: &'a Cx<'a>,
        function: &'static Function,
    ) -> Calling<'a, Vec<Pid>, (Atom, Term)> {
        call::<AnyResult<Vec<Pid>>, _>(cx, function, (self.scope.clone(), self.name.clone()))
    }
}

/// The future of [`Group::monitor`]: the monitor, and the members at that time.
#[must_use = "futures do nothing unless you `.await` them"]
#[derive(Debug)]
pub struct Monitoring<'call, T> {
    monitored: Calling<'call, (GroupMonitor, Vec<Pid>), (Atom, Term)>,
    module: PhantomData<fn() -> T>,
}

impl<T: Started> Future for Monitoring<'_, T> {
    type Output = Result<(GroupMonitor, Vec<T::Reference>)>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let polled = Pin::new(&mut self.monitored).poll(context);
        polled.map_ok(|(monitor, pids)| {
            let members = pids.into_iter().map(T::Reference::from);
            (monitor, members.collect())
        })
    }
}

/// The result of [`monitor_scope`]: the monitor, and the members of each group.
type Groups = (GroupMonitor, Map<Term, Vec<Pid>>);

/// Monitors all groups of a scope: `pg:monitor_scope/1`, since OTP 25.1. This process gets a
/// [`GroupChange`] whenever processes join or leave one of them. Also returns the current groups.
/// As with [`Group::monitor`], this process should not be a member of one.
///
/// # Errors
/// `{noproc, _}` if the scope does not run on this node.
#[track_caller]
pub fn monitor_scope<'a>(cx: &'a Cx<'a>, scope: impl Into<Atom>) -> Calling<'a, Groups, (Atom,)> {
    static MONITOR_SCOPE: Function = Function::new("pg", "monitor_scope");
    call::<AnyResult<Groups>, _>(cx, &MONITOR_SCOPE, (scope.into(),))
}

impl<T> Clone for Group<T> {
    fn clone(&self) -> Self {
        Group {
            scope: self.scope.clone(),
            name: self.name.clone(),
            module: PhantomData,
        }
    }
}

impl<T> PartialEq for Group<T> {
    fn eq(&self, other: &Self) -> bool {
        (&self.scope, &self.name) == (&other.scope, &other.name)
    }
}

impl<T> fmt::Debug for Group<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Group({}, {})", self.scope, self.name)
    }
}

/// `ok`
#[derive(Debug)]
pub struct Joined<T>(PhantomData<fn(T)>);

impl<T> FunctionResult for Joined<T> {
    type Output = ();

    fn read<'a, V: View<'a>>(value: V, _: Reader<'_>) -> Result<(), DecodeError> {
        atoms::ok::from_term(value).map(|_| ())
    }
}

/// `ok | not_joined`
#[derive(Debug)]
pub struct Left;

impl FunctionResult for Left {
    type Output = bool;

    fn read<'a, V: View<'a>>(value: V, _: Reader<'_>) -> Result<bool, DecodeError> {
        match value.is_atom(not_joined.atom()) {
            true => Ok(false),
            false => atoms::ok::from_term(value).map(|_| true),
        }
    }
}
