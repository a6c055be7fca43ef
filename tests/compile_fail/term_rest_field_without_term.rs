//! What is in the rest must be a term.

use otp_bridge::Term;

struct Street(String);

#[derive(Term)]
struct Go {
    number: u64,
    #[term(rest)]
    others: otp_bridge::Map<String, Street>,
}

fn main() {}
