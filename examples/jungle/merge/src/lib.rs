//! Replicated trees (a CRDT): several copies of a tree are edited at once, and merge without
//! conflicts.
//!
//! ```text
//! Request ─▶ Replica::edit ─▶ Batch of operations ─▶ Replica::receive, elsewhere
//! ```
//!
//! Each copy of a tree is a [`Replica`]. Its edits become operations, which name a node by the
//! operation that created it and not by its place in the tree. Two replicas that have received the
//! same operations are equal, in whatever order these arrived.
//!
//! # What does not compile
//!
//! Each pair shows a mistake that the lint `unused_must_use` rejects where it is denied, and the
//! right code.
//!
//! An edit that is never sent to the other replicas:
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
//! Ignoring that a batch may have arrived too early or too late:
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
//! Taking a snapshot without using the replica that results:
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
/// Parent of all deleted nodes: deleting a node moves it here.
pub const TRASH: NodeId = Stamp(0, 1);

/// Maximum length of a key in bytes.
pub const MAX_KEY: usize = 1 << 10;
/// Maximum number of nodes on a path where a node is created or moved.
pub const MAX_DEPTH: usize = 256;
/// Maximum length of a value in bytes.
pub const MAX_VALUE: usize = 16 << 20;

#[cfg(test)]
use otp_bridge_novm as _;
