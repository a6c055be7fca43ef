//! Trees that are edited in several places at once, and merged.
//!
//! ```text
//! Request ─▶ Replica::edit ─▶ Batch of operations ─▶ Replica::receive, elsewhere
//! ```
//!
//! Each copy of a tree is a [`Replica`]. Its edits are operations, which name nodes by what has
//! made them, and not by where they are. Two replicas that have received the same operations are
//! equal, whatever the order in which these came.
//!
//! # What does not compile
//!
//! Each pair is a mistake, where the lint `unused_must_use` is denied, and what is right.
//!
//! An edit that nobody else receives:
//! ```compile_fail
//! # #![deny(unused_must_use)]
//! # use jungle_merge::{EditError, ROOT, Replica, Request, Where};
//! fn add(replica: &mut Replica) -> Result<(), EditError> {
//!     replica.edit(&Request::Create(ROOT, Where::Last))?;
//!     Ok(())
//! }
//! ```
//! ```no_run
//! # #![deny(unused_must_use)]
//! # use jungle_merge::{Batch, EditError, ROOT, Replica, Request, Where};
//! fn add(replica: &mut Replica, sent: &mut Vec<Batch>) -> Result<(), EditError> {
//!     sent.push(replica.edit(&Request::Create(ROOT, Where::Last))?);
//!     Ok(())
//! }
//! ```
//!
//! A batch that may have come too early, or too late:
//! ```compile_fail
//! # #![deny(unused_must_use)]
//! # use jungle_merge::{Batch, Malformed, Replica};
//! fn receive(replica: &mut Replica, batch: &Batch) -> Result<(), Malformed> {
//!     replica.receive(batch)?;
//!     Ok(())
//! }
//! ```
//! ```no_run
//! # #![deny(unused_must_use)]
//! # use jungle_merge::{Batch, Malformed, Received, Replica};
//! fn receive(replica: &mut Replica, batch: &Batch) -> Result<bool, Malformed> {
//!     Ok(matches!(replica.receive(batch)?, Received::New(_)))
//! }
//! ```
//!
//! A snapshot that is taken, where the replica stays what it was:
//! ```compile_fail
//! # #![deny(unused_must_use)]
//! # use jungle_merge::{Malformed, Replica, store::new_id};
//! fn take(replica: &mut Replica, snapshot: &[u8]) -> Result<(), Malformed> {
//!     replica.take(snapshot, new_id)?;
//!     Ok(())
//! }
//! ```
//! ```no_run
//! # #![deny(unused_must_use)]
//! # use jungle_merge::{Batch, Malformed, Replica, store::new_id};
//! fn take(replica: &mut Replica, snapshot: &[u8]) -> Result<Vec<Batch>, Malformed> {
//!     let taken = replica.take(snapshot, new_id)?;
//!     *replica = taken.replica;
//!     Ok(taken.after)
//! }
//! ```
#![forbid(unsafe_code)]

mod batch;
mod coding;
mod error;
mod operation;
mod overruled;
pub mod parts;
mod position;
pub mod repair;
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
