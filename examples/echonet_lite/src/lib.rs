//! Nodes and a controller of ECHONET Lite, and a page that shows and sets their devices.
//!
//! `cargo otp run`, then a browser at the address that it prints.
//!
//! ```text
//! Stroot ─┬─ Node 127.0.0.2: lights, an air conditioner ──┐
//!         ├─ Node 127.0.0.3: a thermometer ───────────────┼─ UDP 3610, multicast, TCP
//!         ├─ Controller 127.0.0.1 ────────────────────────┘
//!         ├─ Changes: events for browsers
//!         └─ Http: a page, and events for browsers
//! ```
#![forbid(unsafe_code)]

// What is derived here names the crate as others do.
extern crate self as echonet_lite;

pub mod controller;
pub mod device;
pub mod devices;
mod edt;
pub mod frame;
pub mod known;
pub mod messages;
pub mod node;
pub mod nodes;
pub mod objects;
pub mod options;
pub mod property_map;
mod reading;
pub mod shell;
pub mod station;
pub mod stroot;
pub mod transport;
pub mod web;
mod writer;

#[cfg(test)]
mod lossy;
#[cfg(test)]
mod on_vm;
#[cfg(test)]
mod strange;
#[cfg(test)]
use otp_bridge_novm as _;

otp_bridge::application!();
