//! A term owns what it holds.

use otp_bridge::Term;

#[derive(Term)]
struct Name<'a>(&'a str);

fn main() {}
