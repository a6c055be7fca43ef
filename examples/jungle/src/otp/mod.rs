//! The OTP application: its processes, and the modules that Erlang and Elixir call.
//!
//! ```text
//! Stroot ─┬─ Database: opens the folder, closes it
//!         ├─ Compactor: snapshots
//!         └─ Replicas: trees with copies on several nodes
//!
//! Handle: what all processes share. It outlives the database's process, which opens the folder again.
//! ```
//!
//! | | |
//! |---|---|
//! | [`trees`] | `jungle`: trees, nodes and edits |
//! | [`versions`] | `jungle_versions`: versions and what differs between them |
//! | [`queries`] | `jungle_query`: what is found where |
//! | [`replica`] | `jungle_replica`: trees with copies on several nodes |
//! | [`shown`] | these trees, as others read them |
//! | [`folder`] | `jungle_folder`: looks at a folder that cannot be opened, and repairs it |
//! | [`watch`] | `jungle_watch`: messages of changes |

pub mod compactor;
pub mod database;
pub mod folder;
pub mod handle;
pub mod options;
pub mod placement;
pub mod queries;
pub mod reason;
pub mod replica;
pub mod replicas;
pub mod shown;
pub mod stroot;
pub mod trees;
pub mod versions;
pub mod watch;

#[cfg(test)]
mod on_vm;
