//! Records which clauses run in tests (feature `coverage`), for `cargo otp test --coverage`.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::Write;
use std::sync::{Mutex, OnceLock, PoisonError};

use otp_contract::testing::COVERAGE;

use crate::runtime::registry::{ClauseEntry, RunningClause};

/// The clauses that have run in this OS process, by their addresses.
static RAN: Mutex<BTreeSet<usize>> = Mutex::new(BTreeSet::new());

/// Records a clause that is called. Its line is written at once, because a VM that is killed runs
/// no code at its end.
pub(in crate::runtime) fn ran(running: &RunningClause) {
    let address = std::ptr::from_ref::<ClauseEntry>(running.clause).addr();
    let mut ran = RAN.lock().unwrap_or_else(PoisonError::into_inner);
    if ran.insert(address)
        && let Some(line) = line(running)
        && let Some(mut file) = file()
    {
        // Several OS processes append lines to the file, each with a single write. If a line cannot
        // be written, the report shows the clause as not run.
        let _ = file.write_all(line.as_bytes());
    }
}

/// Returns the line of a clause. `None` if the clause is not in the registry.
fn line(running: &RunningClause) -> Option<String> {
    let RunningClause {
        module,
        callback,
        clause,
        ..
    } = running;
    let mut clauses = callback.clauses.iter();
    let index = clauses.position(|one| std::ptr::eq(one, *clause))?;
    let (module, name, arity) = (module.name, callback.name, callback.arity);
    Some(format!("{module}\t{name}\t{arity}\t{index}\n"))
}

/// Returns the file of the lines. `None` if coverage is not requested.
fn file() -> Option<&'static File> {
    static FILE: OnceLock<Option<File>> = OnceLock::new();
    let open = || {
        let path = std::env::var_os(COVERAGE)?;
        File::options().append(true).create(true).open(path).ok()
    };
    FILE.get_or_init(open).as_ref()
}
