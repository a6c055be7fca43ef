//! Shared helpers of the tests in `tests/`, which cover several crates.

pub mod application;
pub mod running;

/// Tests that the programs in these pages compile, and do what the pages say.
#[cfg(doctest)]
mod pages {
    #[doc = include_str!("../../docs/testing.md")]
    mod testing {}
}
