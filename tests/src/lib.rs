//! What the tests in `tests/` share. These tests cross crates.

pub mod application;
pub mod running;

/// The programs in these pages compile and do what the pages say.
#[cfg(doctest)]
mod pages {
    #[doc = include_str!("../../docs/testing.md")]
    mod testing {}
}
