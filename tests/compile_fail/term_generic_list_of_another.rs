//! The type of a field with a parameter is a term, too.

use otp_bridge::gen_server::prelude::*;

#[derive(Debug)]
struct Inner<T>(T);

#[derive(Debug, Term)]
enum Outer<T> {
    None,
    Some(Vec<Inner<T>>),
}

fn main() {}
