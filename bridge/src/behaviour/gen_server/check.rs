//! What `gen_server` fails with, although the value has its type: a time that `receive … after`
//! does not take.

use super::TimeoutOrHibernateOrContinue;
use crate::Timeout;
use crate::runtime::Refusable;

/// The longest such time, in milliseconds.
const LONGEST_WAIT: u64 = 0xffff_ffff;

impl Refusable for TimeoutOrHibernateOrContinue {
    #[inline]
    fn refusal(&self) -> Option<String> {
        match self {
            Self::Timeout(Timeout::Milliseconds(time)) if *time > LONGEST_WAIT => Some(format!(
                "a timeout of {time} ms: the longest time is {LONGEST_WAIT} ms (49 days), or \
                     `infinity`"
            )),
            _ => None,
        }
    }
}
