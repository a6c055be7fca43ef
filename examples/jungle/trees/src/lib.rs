//! An embedded database of trees. Trees are immutable values: an edit copies the nodes on the path
//! from the root to the edited node, and shares all other nodes with the tree before.
//!
//! ```text
//! Jungle ── Tree ── Version: a root, which nobody changes, and its indexes
//!        │       ├─ Queue: the writers, one after the other
//!        │       └─ those who watch
//!        ├─ Show: who makes the versions of a tree that is kept elsewhere
//!        └─ Group: trees that share a log in a file, and its snapshot
//! ```
#![forbid(unsafe_code)]

mod catalog;
pub mod change;
pub mod error;
pub mod index;
mod indexing;
pub mod jungle;
pub mod log;
pub mod map;
mod names;
mod nested;
pub mod node;
mod publish;
pub mod query;
mod queue;
pub mod share;
pub mod show;
pub mod tree;
pub mod turn;
pub mod versions;
pub mod watchers;

#[cfg(test)]
use otp_bridge_novm as _;
