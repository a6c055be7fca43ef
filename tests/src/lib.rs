//! What the tests in `tests/` share. These tests cross crates.

pub mod application;
