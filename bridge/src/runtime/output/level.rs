//! The level of `logger`, for the library's own log.

use std::sync::OnceLock;

use crate::Atom;

/// What follows the level of `logger`, if the library logs.
static FOLLOWER: OnceLock<fn(&str)> = OnceLock::new();

/// From now on, `follower` is told the level of `logger`.
#[cfg(any(feature = "log", feature = "tracing"))]
pub(crate) fn follow_level(follower: fn(&str)) {
    let _ = FOLLOWER.set(follower);
}

/// Returns whether the library logs.
pub(in crate::runtime) fn set(level: Option<&Atom>) -> bool {
    match (FOLLOWER.get(), level) {
        (Some(follow), Some(level)) => {
            follow(level.text());
            true
        }
        (follower, _) => follower.is_some(),
    }
}
