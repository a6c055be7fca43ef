//! Two variants of one form.

use otp_bridge::Term;

#[derive(Term)]
enum Command {
    Get,
    #[term(tag = "get")]
    Fetch,
}

fn term(command: Command) -> Term {
    Term::of(&command)
}

fn main() {}
