//! How many Rust values of this library are alive.
use std::sync::atomic::{AtomicI64, Ordering};

use otp_bridge::{Resource, module};

/// States of victims.
static STATES: AtomicI64 = AtomicI64::new(0);
/// Resources.
static TOKENS: AtomicI64 = AtomicI64::new(0);

/// Counted as long as it is there.
#[derive(Debug)]
pub struct Counted(&'static AtomicI64);

impl Counted {
    fn new(count: &'static AtomicI64) -> Self {
        count.fetch_add(1, Ordering::Relaxed);
        Counted(count)
    }

    /// One more state.
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

/// The values that are alive.
#[module("living")]
pub mod functions {
    use super::*;

    /// A resource with a kilobyte in it.
    #[derive(Debug, Resource)]
    pub struct Token {
        content: Vec<u8>,
        _counted: Counted,
    }

    /// A resource whose bytes are all this one.
    pub fn token(byte: u8) -> Resource<Token> {
        Resource::new(Token {
            content: vec![byte; 1024],
            _counted: Counted::new(&TOKENS),
        })
    }

    /// The sum of a resource's bytes.
    pub fn sum(token: &Resource<Token>) -> u64 {
        token.content.iter().map(|byte| u64::from(*byte)).sum()
    }

    /// The number of states of victims.
    pub fn states() -> i64 {
        STATES.load(Ordering::Relaxed)
    }

    /// The number of resources.
    pub fn tokens() -> i64 {
        TOKENS.load(Ordering::Relaxed)
    }
}
