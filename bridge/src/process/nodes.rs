//! Other nodes: the list of them, connections, and calls on them.

use std::fmt;
use std::future::IntoFuture;
use std::marker::PhantomData;

use super::CallbackContext;
use super::at_once::{AtOnce, at_once};
use super::functions::{AnyResult, Function, FunctionResult};
use super::{Arguments, apply};
use crate::runtime::{Await, Cx, Failure, Ongoing, Operation, TermOrigin, TermReturn, protocol};
use crate::term::{OwnedHeap, Reader};
use crate::{Atom, DecodeError, Exit, FromTerm, Heap, Map, Term, View, atom};

crate::atoms! { ignored, notalive }

/// Methods of [`Cx`] that concern other nodes.
pub trait Nodes: CallbackContext {
    /// Returns the name of this node: `node()`. It is `nonode@nohost` if other nodes cannot connect
    /// to it.
    ///
    /// # Errors
    /// None of its own.
    #[track_caller]
    fn node(&self) -> Ongoing<'_, Atom, AtOnce<(), AnyResult<Atom>>> {
        static NODE: Function = Function::new("erlang", "node");
        at_once(self.cx(), &NODE, ())
    }

    /// Returns the visible nodes that this node is connected to, without itself: `nodes()`.
    ///
    /// # Errors
    /// None of its own.
    #[track_caller]
    fn nodes(&self) -> Ongoing<'_, Vec<Atom>, AtOnce<(), AnyResult<Vec<Atom>>>> {
        static NODES: Function = Function::new("erlang", "nodes");
        at_once(self.cx(), &NODES, ())
    }

    /// Connects to another node: `net_kernel:connect_node/1`. Returns whether it is connected. A
    /// node that does not run or has another cookie is not.
    ///
    /// ```
    /// # use otp_bridge_novm as _;
    /// use otp_bridge::process::Nodes;
    /// use otp_bridge::{Atom, Cx, Result};
    ///
    /// async fn meet(cx: &Cx<'_>, node: &Atom) -> Result<Vec<Atom>> {
    ///     if !cx.connect(node.clone()).await? {
    ///         println!("{node} does not answer");
    ///     }
    ///     cx.nodes().await
    /// }
    /// ```
    ///
    /// # Errors
    /// `notalive` if this node is not distributed, because then other nodes cannot address their
    /// answers to it.
    #[track_caller]
    fn connect(&self, node: impl Into<Atom>) -> Await<'_, bool, Connect> {
        Await::new(self.cx(), Connect(node.into()))
    }

    /// Calls a function in a new process on another node, and reads its result as `T`:
    /// `erpc:call/4`. There is no time limit but that of [`Cx::timeout`].
    ///
    /// ```
    /// # use otp_bridge_novm as _;
    /// use otp_bridge::process::Nodes;
    /// use otp_bridge::{Atom, Cx, Result, atom};
    ///
    /// async fn processes(cx: &Cx<'_>, node: &Atom) -> Result<u64> {
    ///     let count = (atom!("process_count"),);
    ///     cx.apply_on(node.clone(), atom!("erlang"), atom!("system_info"), count).await
    /// }
    /// ```
    ///
    /// # Errors
    /// The exception of the function; `{erpc, noconnection}` if the node is unreachable or the
    /// connection to it is lost; a decode error if the result is not a `T`.
    #[track_caller]
    fn apply_on<T: FromTerm>(
        &self,
        node: impl Into<Atom>,
        module: impl Into<Atom>,
        function: impl Into<Atom>,
        arguments: impl Arguments,
    ) -> Await<'_, T, Remote<T>> {
        let function = (module.into(), function.into());
        Await::new(self.cx(), Remote::new(node.into(), function, &arguments))
    }

    /// Starts or stops a subscription to changes of nodes: `net_kernel:monitor_nodes/1`. While it
    /// is active, this process gets a [`NodeUp`](crate::messages::NodeUp) for each visible node
    /// that connects, and a [`NodeDown`](crate::messages::NodeDown) for each that disconnects.
    /// There is no message for nodes that are already connected: call [`nodes`](Nodes::nodes) after
    /// this. A node that connects between the two calls appears in both.
    ///
    /// # Errors
    /// None of its own.
    #[track_caller]
    fn monitor_nodes(&self, on: bool) -> Ongoing<'_, (), AtOnce<(bool,), OnlyOk>> {
        static MONITOR_NODES: Function = Function::new("net_kernel", "monitor_nodes");
        at_once(self.cx(), &MONITOR_NODES, (on,))
    }

    /// Like [`monitor_nodes`](Nodes::monitor_nodes), for visible and hidden nodes and with more
    /// details: [`NodeUpInfo`](crate::messages::NodeUpInfo) and
    /// [`NodeDownInfo`](crate::messages::NodeDownInfo). It calls `net_kernel:monitor_nodes/2` with
    /// `#{node_type => all, nodedown_reason => true, connection_id => true}`.
    ///
    /// # Errors
    /// None of its own.
    #[track_caller]
    fn monitor_nodes_with_info(&self, on: bool) -> Ongoing<'_, (), MonitorNodesWithInfo> {
        static MONITOR_NODES: Function = Function::new("net_kernel", "monitor_nodes");
        let options = Map::from_iter([
            (crate::atom!("node_type"), Term::of(&protocol::all)),
            (crate::atom!("nodedown_reason"), Term::of(&true)),
            (crate::atom!("connection_id"), Term::of(&true)),
        ]);
        at_once(self.cx(), &MONITOR_NODES, (on, options))
    }
}

impl Nodes for Cx<'_> {}

/// `net_kernel:monitor_nodes/2`
type MonitorNodesWithInfo = AtOnce<(bool, Map<Atom, Term>), OnlyOk>;

/// `ok`
#[derive(Debug)]
pub struct OnlyOk;

impl FunctionResult for OnlyOk {
    type Output = ();

    fn read<'a, V: View<'a>>(value: V, _: Reader<'_>) -> Result<(), DecodeError> {
        if value.is_atom(protocol::ok.atom()) {
            Ok(())
        } else {
            Err(DecodeError::expected_text("ok", value))
        }
    }
}

/// `erpc:call/4`
#[derive(Debug)]
pub struct Remote<V> {
    node: Atom,
    function: (Atom, Atom),
    /// A list of terms.
    arguments: Term,
    value: PhantomData<fn() -> V>,
}

impl<V> Remote<V> {
    fn new(node: Atom, function: (Atom, Atom), arguments: &impl Arguments) -> Self {
        Remote {
            node,
            function,
            arguments: arguments.to_list(OwnedHeap),
            value: PhantomData,
        }
    }
}

impl<V: FromTerm> Operation for Remote<V> {
    type Output = V;

    fn request<H: Heap>(&self, heap: H) -> H::Term {
        let module = heap.dynamic_atom(&atom!("erpc"));
        let call = heap.dynamic_atom(&atom!("call"));
        let (of, function) = &self.function;
        let arguments = (&self.node, of, function, &self.arguments);
        apply(heap, module, call, &arguments)
    }

    fn origin(&self) -> TermOrigin {
        TermOrigin::Node(self.node.clone())
    }

    fn answer<'a, W: View<'a>>(value: W, reader: Reader<'_>) -> Result<V, Failure> {
        Ok(V::__read(value, reader)?)
    }
}

/// A call of a function of `#[module]` on another node, started when it is awaited. `T` is the
/// function's return type.
#[must_use = "an operation does nothing until it is awaited: `.await`"]
pub struct OnNode<'call, T> {
    cx: &'call Cx<'call>,
    call: Remote<T>,
}

impl<'call, T> OnNode<'call, T> {
    /// Creates the call.
    pub fn new(
        cx: &'call Cx<'call>,
        node: Atom,
        function: (Atom, Atom),
        arguments: &impl Arguments,
    ) -> Self {
        let call = Remote::new(node, function, arguments);
        OnNode { cx, call }
    }
}

impl<T> fmt::Debug for OnNode<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "OnNode({:?})", self.call.function)
    }
}

impl<'call, T: TermReturn<Value: FromTerm>> IntoFuture for OnNode<'call, T> {
    type Output = Result<T::Value, Exit>;
    type IntoFuture = Await<'call, T::Value, Remote<T::Value>>;

    #[track_caller]
    fn into_future(self) -> Self::IntoFuture {
        let Remote {
            node,
            function,
            arguments,
            ..
        } = self.call;
        let value = PhantomData;
        let call = Remote {
            node,
            function,
            arguments,
            value,
        };
        Await::new(self.cx, call)
    }
}

/// `net_kernel:connect_node/1`
#[derive(Debug)]
pub struct Connect(Atom);

impl Operation for Connect {
    type Output = bool;

    fn request<H: Heap>(&self, heap: H) -> H::Term {
        let module = heap.dynamic_atom(&atom!("net_kernel"));
        let function = heap.dynamic_atom(&atom!("connect_node"));
        apply(heap, module, function, &(self.0.clone(),))
    }

    fn answer<'a, V: View<'a>>(value: V, _: Reader<'_>) -> Result<bool, Failure> {
        if value.is_atom(ignored.atom()) {
            Err(Failure::Exit(Term::of(&notalive)))
        } else {
            Ok(bool::from_term(value)?)
        }
    }
}
