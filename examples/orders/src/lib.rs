//! Orders: an HTTP API over PostgreSQL, with a process for each customer and each open order.
//!
//! `cargo otp run -- 8080`
//!
//! A request goes from `http` to the process of a customer (`customer`), which knows what the
//! customer owes and inserts the order, or to the process of an order (`order`), a state machine
//! that cancels the order if it is not paid in time. `database` has the pool of connections, which
//! all processes share. The database has the truth: a process that was killed, and all of them
//! after a restart, continue from their rows.

pub mod customer;
pub mod database;
pub mod http;
pub mod order;
pub mod reopening;
pub mod stroot;

#[cfg(test)]
use otp_bridge_novm as _;

otp_bridge::application!();
