//! A Rust union has no form.

use otp_bridge::Term;

#[derive(Term)]
union Both {
    a: u8,
    b: u8,
}

fn main() {}
