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
//!
//! The path of a frame: [`transport`] receives it from a socket, [`frame`] parses the bytes, and
//! [`station`] passes an answer to the request that waits for it, or a request to the objects of
//! this node ([`device`]).
//!
//! | modules | content |
//! |---|---|
//! | [`node`], [`device`], [`devices`] | nodes, which are processes with devices; how objects answer; the simulated devices |
//! | [`controller`], [`nodes`], [`known`] | the controller, and its knowledge of nodes and devices |
//! | [`transport`], [`station`], [`frame`], [`property_map`] | sockets, requests and answers, encoding |
//! | [`objects`] | all object classes of the specification, and values as terms and JSON |
//! | [`web`], [`shell`], [`messages`] | the web page, functions for Erlang shells, the controller's messages |
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
