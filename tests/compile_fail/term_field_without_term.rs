//! Every field of a term must be a term.

use otp_bridge::Term;

struct Street(String);

#[derive(Term)]
struct Address {
    street: Street,
    number: u16,
}

fn main() {}
