//! What is optional must be a term.

use otp_bridge::Term;

struct Street(String);

#[derive(Term)]
struct Go {
    #[term(optional)]
    street: Option<Street>,
}

fn main() {}
