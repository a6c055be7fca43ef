//! Other nodes: which there are, and what they can be asked.

use super::at_once::{AtOnce, at_once};
use super::functions::{Function, Plain};
use super::{Apply, Arguments, apply};
use crate::runtime::{Await, Cx, Failure, Ongoing, Operation};
use crate::term::{OwnedHeap, Reader};
use crate::{Atom, FromTerm, Heap, Term, View, atom};

crate::atoms! { ignored, notalive }

impl Cx<'_> {
    /// The name of this node: `node()`. It is `nonode@nohost` if other nodes cannot connect to it.
    ///
    /// # Errors
    /// None of its own.
    #[track_caller]
    pub fn node(&self) -> Ongoing<'_, Atom, AtOnce<(), Plain<Atom>>> {
        static NODE: Function = Function::new("erlang", "node");
        at_once(self, &NODE, ())
    }

    /// The visible nodes that this one is connected to, without itself: `nodes()`.
    ///
    /// # Errors
    /// None of its own.
    #[track_caller]
    pub fn nodes(&self) -> Ongoing<'_, Vec<Atom>, AtOnce<(), Plain<Vec<Atom>>>> {
        static NODES: Function = Function::new("erlang", "nodes");
        at_once(self, &NODES, ())
    }

    /// Connects to another node: `net_kernel:connect_node/1`. Returns whether it is connected: a node
    /// that does not run, or that has another cookie, is not.
    ///
    /// ```
    /// # use otp_bridge_novm as _;
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
    /// `notalive` if this node has no name by which others could answer.
    #[track_caller]
    pub fn connect(&self, node: impl Into<Atom>) -> Await<'_, bool, Connect> {
        Await::new(self, Connect(node.into()))
    }

    /// Calls a function on another node, in a process of its own there, and reads its result as `T`:
    /// `erpc:call/4`. There is no time limit but that of [`Cx::timeout`].
    ///
    /// ```
    /// # use otp_bridge_novm as _;
    /// use otp_bridge::{Atom, Cx, Result, atom};
    ///
    /// async fn processes(cx: &Cx<'_>, node: &Atom) -> Result<u64> {
    ///     let count = (atom!("process_count"),);
    ///     cx.apply_on(node.clone(), atom!("erlang"), atom!("system_info"), count).await
    /// }
    /// ```
    ///
    /// # Errors
    /// Whatever the function raises; `{erpc, noconnection}` if the node is not there or is lost
    /// meanwhile; a decode error if the result is not a `T`.
    #[track_caller]
    pub fn apply_on<T: FromTerm>(
        &self,
        node: impl Into<Atom>,
        module: impl Into<Atom>,
        function: impl Into<Atom>,
        arguments: impl Arguments,
    ) -> Await<'_, T, Apply<Remote, T>> {
        let arguments = arguments.to_list(OwnedHeap);
        let function = (node.into(), module.into(), function.into(), arguments);
        self.apply("erpc", "call", function)
    }
}

/// Node, module, function and its arguments: the arguments of `erpc:call/4`.
type Remote = (Atom, Atom, Atom, Term);

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
        match value.is_atom(ignored.atom()) {
            true => Err(Failure::Exit(Term::of(&notalive))),
            false => Ok(bool::from_term(value)?),
        }
    }
}
