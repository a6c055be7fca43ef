//! A shared value is not a term.

use otp_bridge::Term;

#[derive(Term)]
struct Name(std::cell::Cell<u8>);

fn main() {}
