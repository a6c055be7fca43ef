//! Every element must be a term.

use otp_bridge::Term;

struct Street(String);

#[derive(Term)]
struct Go(u64, Street);

fn main() {}
