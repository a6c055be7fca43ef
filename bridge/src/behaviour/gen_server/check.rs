//! Checks for return values that have the right type but make `gen_server` fail: a timeout longer
//! than `receive … after` accepts, and a value that triggers a callback without a matching clause.

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

/// Returns an error if no clause of the callback matches the term.
fn without_clause(module: &ModuleEntry, kind: CallbackKind, term: &Term) -> Option<String> {
    let taken = module.may_take(kind, &[term]);
    (!taken).then(|| {
        let label = module.label(kind);
        format!("`{}` has no `{label}` for `{term}`", module.name)
    })
}
