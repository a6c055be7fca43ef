//! Counts the Rust values of this library that are alive.
use std::sync::atomic::{AtomicI64, Ordering};

use otp_bridge::{Resource, module};

/// Number of states of victims.
static STATES: AtomicI64 = AtomicI64::new(0);
/// Number of resources.
static TOKENS: AtomicI64 = AtomicI64::new(0);

/// Counts a value until it is dropped.
#[derive(Debug)]
pub struct Counted(&'static AtomicI64);

impl Counted {
    fn new(count: &'static AtomicI64) -> Self {
        count.fetch_add(1, Ordering::Relaxed);
        Counted(count)
    }

    /// Counts a state.
    #[must_use]
    pub fn state() -> Self {
        Counted::new(&STATES)
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Returns the numbers of living values.
#[module("living")]
pub mod functions {
    use super::*;

    /// A resource with a kilobyte in it.
    #[derive(Debug, Resource)]
    pub struct Token {
        content: Vec<u8>,
        _counted: Counted,
    }

    /// Creates a resource that consists of one repeated byte.
    pub fn token(byte: u8) -> Resource<Token> {
        Resource::new(Token {
            content: vec![byte; 1024],
            _counted: Counted::new(&TOKENS),
        })
    }

    /// Returns the sum of a resource's bytes.
    pub fn sum(token: &Resource<Token>) -> u64 {
        token.content.iter().map(|byte| u64::from(*byte)).sum()
    }

    /// Returns the number of states of victims.
    pub fn states() -> i64 {
        STATES.load(Ordering::Relaxed)
    }

    /// Returns the number of resources.
    pub fn tokens() -> i64 {
        TOKENS.load(Ordering::Relaxed)
    }
}
