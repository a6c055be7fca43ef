//! A server that speaks the protocol of Redis, as an OTP application.
//!
//! Start it with `cargo otp run --release -- --port 7000`, and connect with `redis-cli -p 7000`.
//!
//! ```text
//! Stroot ── Reactor 0 ── a task for each connection ──┐
//!        └─ Reactor 1 ── a task for each connection ──┴── Store: stripes of keys, each under a lock
//! ```
//!
//! The path of a request: a [`reactor`] accepts the connection and starts a task, in which
//! [`connection`] reads bytes. [`resp`] parses them, [`client`] checks whether the request may run,
//! and [`commands`] runs it with the stripes of the [`store`] that it has locked.
//!
//! | modules | content |
//! |---|---|
//! | [`reactor`], [`connection`], [`client`], [`resp`] | connections, and the protocol |
//! | [`commands`] | the table of commands, and what each command does |
//! | [`store`], [`waiting`], [`hub`] | keys and values; clients that wait for a key; channels and subscribers |
//! | [`persistence`], [`rdb`] | the append-only file; files and values in redis-server's format |
//! | [`scripting`] | Lua scripts and libraries of functions, which run while no other client runs a command |
//! | [`acl`], [`sessions`], [`observed`], [`latency`], [`output_limits`] | users and their rules; clients as others see them; MONITOR and SLOWLOG; LATENCY; limits of slow clients |
//! | [`cluster`], [`replication`], [`herald`], [`neighbours`] | several servers on connected Erlang nodes |
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
pub mod latency;
pub mod neighbours;
pub mod number;
pub mod observed;
pub mod options;
pub mod output_limits;
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
