//! An application with an HTTP server. Its tests run on the VM.
#![forbid(unsafe_code)]

pub mod counter;
pub mod http;
pub mod metered;
pub mod orders;
pub mod stroot;
pub mod tables;
pub mod traced;

#[cfg(test)]
mod on_pools;
#[cfg(test)]
mod on_registries;
#[cfg(test)]
mod on_shards;
#[cfg(test)]
mod on_table_owners;
#[cfg(test)]
mod on_tables;
#[cfg(test)]
mod on_vm;

#[cfg(test)]
use otp_bridge_novm as _;

otp_bridge::application!();
