//! A database of trees. Trees are immutable values: an edit copies the nodes on the path from the
//! root to the edited node, and shares the rest with the tree before.
//!
//! The trees are a library of their own, `jungle-trees`, which other applications can use from
//! Rust. [`otp`] is the application: the processes that own a jungle, and functions for Erlang.
//!
//! | crate or module | content |
//! |---|---|
//! | `jungle-disk` | append-only logs, and the manifest of a folder |
//! | `jungle-trees` | trees, their logs and snapshots, versions, indexes and queries |
//! | `jungle-merge` | replicated trees, which are edited on several nodes and merged |
//! | [`view`] | shows a replicated tree as an ordinary one |
//! | [`otp`] | processes, and modules for Erlang |
#![forbid(unsafe_code)]

pub mod otp;
pub mod view;

pub use jungle_trees::{
    change, error, index, jungle, log, map, node, query, share, show, tree, turn, versions,
    watchers,
};

#[cfg(test)]
use otp_bridge_novm as _;

otp_bridge::application!();
