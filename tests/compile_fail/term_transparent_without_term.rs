//! A transparent field must be a term.

use otp_bridge::Term;

struct Street(String);

#[derive(Term)]
#[term(transparent)]
struct Go(Street);

fn main() {}
