//! `application!()` takes nothing.

otp_bridge::application!("counting");

fn main() {}
