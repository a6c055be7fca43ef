//! What `gen_server` fails with, although the value has its type: a time that `receive … after`
//! does not take, and what has it call a clause that the module does not have.

use super::TimeoutOrHibernateOrContinue;
use crate::runtime::{CallbackKind, ModuleEntry, Refusable};
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
                without_clause(module?, CallbackKind::Info, &Term::of(&atoms::timeout))
            }
            Self::Timeout(Timeout::Infinity) | Self::Hibernate => None,
            Self::Continue(term) => without_clause(module?, CallbackKind::Continue, term),
        }
    }
}

/// Refuses what has such a callback called with a term that no clause takes.
fn without_clause(module: &ModuleEntry, kind: CallbackKind, term: &Term) -> Option<String> {
    let taken = module.may_take(kind, &[term]);
    (!taken).then(|| {
        let label = module.label(kind);
        format!("`{}` has no `{label}` for `{term}`", module.name)
    })
}
