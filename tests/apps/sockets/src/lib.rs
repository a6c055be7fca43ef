//! Sockets that tasks and callbacks await, for the live tests.
#![forbid(unsafe_code)]

pub mod datagrams;
pub mod echo;
pub mod stroot;

otp_bridge::application!();
