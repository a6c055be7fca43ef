//! A generic type with a field that is not a term.

use otp_bridge::Term;

struct Street(String);

#[derive(Term)]
struct Named<T> {
    street: Street,
    value: T,
}

fn main() {}
