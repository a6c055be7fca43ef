//! The level of `logger`, which the library's own log follows.

use std::sync::OnceLock;

use crate::Atom;

/// A function that is called with the level of `logger`, if the library logs.
static FOLLOWER: OnceLock<fn(&str)> = OnceLock::new();

/// Registers `follower` for changes of the level of `logger`.
#[cfg(any(feature = "log", feature = "tracing"))]
pub(crate) fn follow_level(follower: fn(&str)) {
    let _ = FOLLOWER.set(follower);
}

/// Sets the level. Returns whether the library logs.
pub(in crate::runtime) fn set(level: Option<&Atom>) -> bool {
    match (FOLLOWER.get(), level) {
        (Some(follow), Some(level)) => {
            follow(level.text());
            true
        }
        (follower, _) => follower.is_some(),
    }
}
