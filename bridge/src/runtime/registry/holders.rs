//! Processes that have a state of a module whose behaviour is not one of OTP's own loops. What such
//! a process was started with does not say which module it serves, so an upgrade finds it here (ADR
//! 25).

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::Module;
use crate::nif::ProcessWord;

/// Behaviours whose processes say themselves which module they serve
/// (`proc_lib:translate_initial_call/1`, `gen_event:which_handlers/1`).
const FOUND_OTHERWISE: [&str; 3] = ["gen_server", "gen_statem", "gen_event"];

/// How many states of a module each process has.
type Holders = BTreeMap<(ProcessWord, &'static str), usize>;

static HOLDERS: Mutex<Holders> = Mutex::new(BTreeMap::new());

/// The name of the module, if processes that have a state of it are listed.
pub(in crate::runtime) fn listed<T: Module>() -> Option<&'static str> {
    (!FOUND_OTHERWISE.contains(&T::BEHAVIOUR.name)).then_some(T::NAME)
}

/// The process has one more state of the module.
pub(in crate::runtime) fn add(process: ProcessWord, module: &'static str) {
    *holders().entry((process, module)).or_default() += 1;
}

/// The process has one state of the module less.
pub(in crate::runtime) fn remove(process: ProcessWord, module: &'static str) {
    let mut holders = holders();
    if let Some(count) = holders.get_mut(&(process, module)) {
        *count -= 1;
        if *count == 0 {
            holders.remove(&(process, module));
        }
    }
}

/// The processes, with the name of the module.
pub(in crate::runtime) fn all() -> Vec<(ProcessWord, &'static str)> {
    holders().keys().copied().collect()
}

fn holders() -> MutexGuard<'static, Holders> {
    HOLDERS.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroUsize;

    use super::*;

    #[test]
    fn a_process_is_listed_until_its_last_state_is_gone() {
        let process = ProcessWord::of_test(NonZeroUsize::MAX);
        let is_listed = || all().contains(&(process, "visitor"));
        add(process, "visitor");
        add(process, "visitor");
        remove(process, "visitor");
        assert!(is_listed());
        remove(process, "visitor");
        assert!(!is_listed());
        remove(process, "visitor");
        assert!(!is_listed());
    }
}
