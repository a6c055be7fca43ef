//! Processes that have a state of a module whose behaviour is not one of OTP's own loops. The start
//! function of such a process does not tell which module it runs, so an upgrade finds the process
//! here (ADR 25).

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::Module;
use crate::nif::ProcessWord;

/// Behaviours whose processes themselves tell which module they run
/// (`proc_lib:translate_initial_call/1`, `gen_event:which_handlers/1`).
const FOUND_OTHERWISE: [&str; 3] = ["gen_server", "gen_statem", "gen_event"];

/// The number of states of a module in each process.
type Holders = BTreeMap<(ProcessWord, &'static str), usize>;

static HOLDERS: Mutex<Holders> = Mutex::new(BTreeMap::new());

/// Returns the name of the module, if processes with a state of it are listed.
pub(in crate::runtime) fn listed<T: Module>() -> Option<&'static str> {
    (!FOUND_OTHERWISE.contains(&T::BEHAVIOUR.name)).then_some(T::NAME)
}

/// Records one more state of the module in the process.
pub(in crate::runtime) fn add(process: ProcessWord, module: &'static str) {
    *holders().entry((process, module)).or_default() += 1;
}

/// Records one state of the module less in the process.
pub(in crate::runtime) fn remove(process: ProcessWord, module: &'static str) {
    let mut holders = holders();
    if let Some(count) = holders.get_mut(&(process, module)) {
        *count -= 1;
        if *count == 0 {
            holders.remove(&(process, module));
        }
    }
}

/// Returns the processes, with the name of the module.
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
