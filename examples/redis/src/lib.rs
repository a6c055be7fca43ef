//! A server that speaks the protocol of Redis, as an OTP application.
//!
//! Start it with `cargo otp run --release -- --port 7000`, and connect with `redis-cli -p 7000`.
//!
//! ```text
//! Stroot ── Reactor 0 ── a task for each connection ──┐
//!        └─ Reactor 1 ── a task for each connection ──┴── Store: stripes of keys, each under a lock
//! ```
#![forbid(unsafe_code)]

pub mod acl;
pub mod client;
pub mod cluster;
pub mod commands;
pub mod connection;
pub mod geohash;
pub mod herald;
pub mod hub;
pub mod hyperloglog;
pub mod neighbours;
pub mod number;
pub mod observed;
pub mod options;
pub mod pattern;
pub mod persistence;
pub mod rdb;
pub mod reactor;
pub mod replication;
pub mod resp;
pub mod scripting;
pub mod server;
pub mod sessions;
pub mod store;
pub mod stroot;
pub mod waiting;

#[cfg(test)]
use otp_bridge_novm as _;

otp_bridge::application!();
