//! OTP's functions, called from callbacks, for the live tests.

pub mod acceptor;
pub mod caller;
mod corrected;
mod examples;
mod first;
pub mod generated;
mod opaque;
pub mod stroot;
mod written;

otp_bridge::application!();
