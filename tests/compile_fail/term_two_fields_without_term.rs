//! Two fields that are not terms are two messages.

use otp_bridge::Term;

struct Street(String);
struct Town(String);

#[derive(Term)]
struct Address {
    street: Street,
    town: Town,
}

fn main() {}
