//! Return values of callbacks before their terms are built.

use super::context::Now;
use crate::nif::RawTerm;

/// The return value of a callback whose term is built on a dirty scheduler, because that takes
/// long.
pub(in crate::runtime) trait Unencoded: Send {
    fn encode(&self, now: &Now<'_>) -> RawTerm;
}
