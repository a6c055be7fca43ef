//! Bulletin boards in the browser: an example of a web application whose data lives in a
//! `gen_server`.
//!
//! Start it with `cargo otp run --release -- --port 8080`, then open the address that it prints.
//!
//! ```text
//! Stroot ── Boards ── writes ──▶ Jungle: a tree of boards and messages, in a folder
//!        │     ▲                   │
//!        │     └── Client ──┐      │ reads, without a lock
//!        └─ Http ── Tokio ── handlers
//! ```
//!
//! | module | content |
//! |---|---|
//! | [`boards`] | the process that makes all changes |
//! | [`messages`], [`limits`] | requests to that process, with their limits |
//! | [`store`] | reading the tree, from any thread |
//! | [`http`] | pages, forms and the JSON API |
//! | [`stroot`], [`options`] | the root supervisor, and the command line |
#![forbid(unsafe_code)]

pub mod boards;
pub mod http;
pub mod limits;
pub mod messages;
pub mod options;
pub mod store;
pub mod stroot;

#[cfg(test)]
mod on_vm;

#[cfg(test)]
use otp_bridge_novm as _;

otp_bridge::application!();
