//! A text that is read is owned.

use otp_bridge::Term;

#[derive(Term)]
struct Name(&'static str);

fn main() {}
