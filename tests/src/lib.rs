//! What the tests in `tests/` share. They cross crates.

pub mod application;
