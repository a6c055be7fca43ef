//! Unit tests of trees and of their changes. Inside the library, they would compile it a second
//! time, and its types take long to compile.
#![allow(dead_code, unreachable_pub)]

#[path = "../src/mutate.rs"]
mod mutate;
#[path = "../src/random.rs"]
mod random;
#[path = "../src/tree.rs"]
mod tree;
