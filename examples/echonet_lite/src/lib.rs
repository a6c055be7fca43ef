//! Nodes and a controller of ECHONET Lite, a protocol for home appliances, and a web page that
//! shows and controls the devices.
//!
//! Start it with `cargo otp run`, and open the address that it prints.
//!
//! ```text
//! Stroot ─┬─ Node 127.0.0.2: lights, an air conditioner ──┐
//!         ├─ Node 127.0.0.3: a thermometer ───────────────┼─ UDP 3610, multicast, TCP
//!         ├─ Controller 127.0.0.1 ────────────────────────┘
//!         ├─ Changes: events for browsers
//!         └─ Http: a page, and events for browsers
//! ```
#![forbid(unsafe_code)]

// Derived code uses the crate's external name, which must also work inside the crate.
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
