//! A database of trees, which are edited by copying the path from the root.
//!
//! The trees are a library of their own, `jungle-trees`, which other applications use from Rust.
//! [`otp`] is the application: processes that own a jungle, and functions for Erlang.
#![forbid(unsafe_code)]

pub mod otp;
pub mod view;

pub use jungle_trees::{
    change, error, index, jungle, log, map, node, query, show, tree, turn, versions,
};

#[cfg(test)]
use otp_bridge_novm as _;

otp_bridge::application!();
