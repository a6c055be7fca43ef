//! A term without a lifetime owns what it holds.

use otp_bridge::Term;

#[derive(Term)]
struct Name(&'static str);

fn main() {}
