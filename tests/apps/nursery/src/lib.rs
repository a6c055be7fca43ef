//! Supervisors whose children come and go, for the live tests.
#![forbid(unsafe_code)]

pub mod dynamic;
pub mod early;
pub mod hand;
pub mod lead;
pub mod mixed;
pub mod names;
pub mod stroot;
pub mod switch;

otp_bridge::application!();
