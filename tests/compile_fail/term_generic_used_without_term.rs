//! A generic term of a type that is not one.

use otp_bridge::Term;

struct Street(String);

#[derive(Term)]
struct Named<T>(T);

fn term(street: Street) -> Term {
    Term::of(&Named(street))
}

fn main() {}
