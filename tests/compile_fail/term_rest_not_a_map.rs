//! The rest is a map.

use otp_bridge::Term;

#[derive(Term)]
struct Go {
    number: u64,
    #[term(rest)]
    others: Vec<u64>,
}

fn main() {}
