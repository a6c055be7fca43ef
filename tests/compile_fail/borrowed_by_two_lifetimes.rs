//! A type that borrows has one lifetime.

use otp_bridge::Term;

#[derive(Debug, Term)]
pub struct Pair<'a, 'b>(&'a str, &'b str);

fn main() {}
