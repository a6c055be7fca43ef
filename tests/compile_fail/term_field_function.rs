//! A Rust function is not a term.

use otp_bridge::Term;

#[derive(Term)]
struct Name(fn());

fn main() {}
