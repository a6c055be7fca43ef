//! A monitor that checks whether addresses accept connections, and prints every change.
//!
//! Start it with `cargo otp run -- 127.0.0.1:8080 127.0.0.1:5432`.
//!
//! Each address has a process of its own, which tries to connect every second. The sockets and
//! timeouts are Tokio's (feature `tokio`, docs/awaiting.md).

pub mod board;
pub mod stroot;
pub mod watch;

#[cfg(test)]
use otp_bridge_novm as _;

otp_bridge::application!();
