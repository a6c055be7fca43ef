//! What `gen_server` fails with, although the value has its type: a time that `receive … after` does not take, and what
//! has it call a clause that the module does not have.

use super::TimeoutOrHibernateOrContinue;
use crate::runtime::{ModuleEntry, Refusable};
use crate::{Term, Timeout, atoms};

/// The longest such time, in milliseconds.
const LONGEST_WAIT: u64 = 0xffff_ffff;

impl Refusable for TimeoutOrHibernateOrContinue {
    #[inline]
    fn refusal(&self, module: Option<&ModuleEntry>) -> Option<String> {
        match self {
            Self::Timeout(Timeout::Milliseconds(time)) if *time > LONGEST_WAIT => Some(format!(
                "a timeout of {time} ms: the longest time is {LONGEST_WAIT} ms (49 days), or \
                     `infinity`"
            )),
            Self::Timeout(Timeout::Milliseconds(_)) => {
                without_clause(module?, "handle_info", &Term::of(&atoms::timeout))
            }
            Self::Timeout(Timeout::Infinity) | Self::Hibernate => None,
            Self::Continue(term) => without_clause(module?, "handle_continue", term),
        }
    }
}

/// Refuses what has this function called with a term that no clause takes.
fn without_clause(module: &ModuleEntry, function: &str, term: &Term) -> Option<String> {
    let taken = module.may_take(Some(function), &[term]);
    let name = module.name;
    (!taken).then(|| format!("`{name}` has no `{function}/2` for `{term}`"))
}
