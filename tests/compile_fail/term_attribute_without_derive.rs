//! `term` belongs to the derive.

use otp_bridge::Term;

#[derive(Debug)]
#[term(tag = "get")]
struct Get;

fn main() {}
