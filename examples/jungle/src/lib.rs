//! A database of trees, which are edited by copying the path from the root.
//!
//! ```text
//! Jungle ── Tree ── Version: a root, which nobody changes, and its indexes
//!        │       ├─ Queue: the writers, one after the other
//!        │       └─ those who watch
//!        └─ Log: a group of trees in a file
//! ```
#![forbid(unsafe_code)]

pub mod change;
pub mod error;
pub mod index;
pub mod jungle;
pub mod log;
pub mod map;
pub mod node;
mod queue;
pub mod tree;

#[cfg(test)]
use otp_bridge_novm as _;
