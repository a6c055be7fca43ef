//! A database of trees. Trees are immutable values: an edit copies the nodes on the path from the
//! root to the edited node, and shares the rest with the tree before.
//!
//! The trees are a library of their own, `jungle-trees`, which other applications can use from
//! Rust. [`otp`] is the application: the processes that own a jungle, and functions for Erlang.
#![forbid(unsafe_code)]

pub mod otp;
pub mod view;

pub use jungle_trees::{
    change, error, index, jungle, log, map, node, query, show, tree, turn, versions,
};

#[cfg(test)]
use otp_bridge_novm as _;

otp_bridge::application!();
