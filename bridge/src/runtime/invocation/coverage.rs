//! Which clauses run in tests (feature `coverage`). `cargo otp test --coverage` reads it.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::Write;
use std::sync::{Mutex, OnceLock, PoisonError};

use otp_contract::testing::COVERAGE;

use crate::runtime::registry::{ClauseEntry, RunningClause};

/// The clauses that have run in this process, by their addresses.
static RAN: Mutex<BTreeSet<usize>> = Mutex::new(BTreeSet::new());

/// Notes a clause that is called. A line is written at once: nothing runs at the end of a VM that
/// is killed.
pub(in crate::runtime) fn ran(running: &RunningClause) {
    let address = std::ptr::from_ref::<ClauseEntry>(running.clause).addr();
    let mut ran = RAN.lock().unwrap_or_else(PoisonError::into_inner);
    if ran.insert(address)
        && let Some(line) = line(running)
        && let Some(mut file) = file()
    {
        // Several processes add lines to the file, each by one call. A line that cannot be written
        // is a clause that has not run, which the report shows.
        let _ = file.write_all(line.as_bytes());
    }
}

/// `None` for one that is not in the registry.
fn line(running: &RunningClause) -> Option<String> {
    let RunningClause {
        module,
        callback,
        clause,
    } = running;
    let mut clauses = callback.clauses.iter();
    let index = clauses.position(|one| std::ptr::eq(one, *clause))?;
    let (module, name, arity) = (module.name, callback.name, callback.arity);
    Some(format!("{module}\t{name}\t{arity}\t{index}\n"))
}

/// `None` if nobody asks.
fn file() -> Option<&'static File> {
    static FILE: OnceLock<Option<File>> = OnceLock::new();
    let open = || {
        let path = std::env::var_os(COVERAGE)?;
        File::options().append(true).create(true).open(path).ok()
    };
    FILE.get_or_init(open).as_ref()
}
