//! OTP's functions, called from callbacks, for the live tests.

pub mod caller;
pub mod stroot;

otp_bridge::application!();
