//! Every field of a variant must be a term.

use otp_bridge::Term;

struct Street(String);

#[derive(Term)]
enum Command {
    Go(Street),
    Stop,
}

fn main() {}
