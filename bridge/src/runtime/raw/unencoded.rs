//! What a callback returned, before its term is built.

use super::context::Now;
use crate::nif::RawTerm;

/// What a callback returned, if its term is built on a dirty scheduler, because that takes long.
pub(in crate::runtime) trait Unencoded: Send {
    fn encode(&self, now: &Now<'_>) -> RawTerm;
}
