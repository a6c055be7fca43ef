//! The unit tests of trees, and of how they are changed. With the library, whose types take long to
//! compile, they would have it compiled a second time.
#![allow(dead_code, unreachable_pub)]

#[path = "../src/mutate.rs"]
mod mutate;
#[path = "../src/random.rs"]
mod random;
#[path = "../src/tree.rs"]
mod tree;
