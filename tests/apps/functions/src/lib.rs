//! OTP's functions, called from callbacks, for the live tests.

pub mod caller;
mod corrected;
pub mod generated;
mod opaque;
pub mod stroot;
mod first;
mod written;

otp_bridge::application!();
