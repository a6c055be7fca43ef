//! A simulated node, as the properties of a test see it.

use crate::Term;
use crate::ToTerm;
use crate::runtime::Module;
use crate::testing::node::SimulatedNode;

/// The simulated node of a schedule, between two steps: see
/// [`Explore::always`](super::Explore::always).
pub struct ExploredNode<'a> {
    pub(super) node: &'a SimulatedNode,
}

impl ExploredNode<'_> {
    /// Calls `body` with the state of the process that has this name or pid. Returns `None` if
    /// there is no such process, if its state has another type, or if one of its callbacks waits.
    pub fn state<T: Module, R>(
        &self,
        process: impl ToTerm,
        body: impl FnOnce(&T) -> R,
    ) -> Option<R> {
        self.node.with_state(&Term::of(&process), |state| {
            state.downcast_ref::<T>().map(body)
        })?
    }
}

impl std::fmt::Debug for ExploredNode<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("ExploredNode")
    }
}
