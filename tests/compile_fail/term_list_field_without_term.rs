//! What is in a list must be a term.

use otp_bridge::Term;

struct Street(String);

#[derive(Term)]
struct Go(Vec<Street>);

fn main() {}
