//! An optional field is an `Option`.

use otp_bridge::Term;

#[derive(Term)]
struct Go {
    #[term(optional)]
    street: u64,
}

fn term(go: Go) -> Term {
    Term::of(&go)
}

fn main() {}
