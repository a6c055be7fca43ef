//! Trees that are edited in several places at once, and merged.
//!
//! ```text
//! Request ─▶ Replica::edit ─▶ Batch of operations ─▶ Replica::receive, elsewhere
//! ```
//!
//! Each copy of a tree is a [`Replica`]. Its edits are operations, which name nodes by what has
//! made them, and not by where they are. Two replicas that have received the same operations are
//! equal, whatever the order in which these came.
#![forbid(unsafe_code)]

mod batch;
mod coding;
mod error;
mod operation;
mod overruled;
pub mod parts;
mod position;
mod replica;
pub mod store;

pub use batch::{Batch, MAX_BATCH};
pub use error::{EditError, Malformed};
pub use operation::{Edit, NodeId, Operation, Request, Stamp, Versions, Where};
pub use overruled::{Overruled, OverruledBy};
pub use position::Position;
pub use replica::{Known, Received, Replica, Taken};

/// The root of every tree.
pub const ROOT: NodeId = Stamp(0, 0);
/// What is deleted is moved below it.
pub const TRASH: NodeId = Stamp(0, 1);

/// A key is not longer, in bytes.
pub const MAX_KEY: usize = 1 << 10;
/// A path is not longer, where a node is created or moved.
pub const MAX_DEPTH: usize = 256;
/// A value is not longer, in bytes.
pub const MAX_VALUE: usize = 16 << 20;

#[cfg(test)]
use otp_bridge_novm as _;
