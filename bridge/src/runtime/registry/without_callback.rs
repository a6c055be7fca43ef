//! Clauses that represent, in reports, code that is not a callback: a task, and the body of a
//! process.

use std::collections::HashMap;
use std::panic::Location;
use std::ptr;
use std::sync::{Mutex, PoisonError};

use super::library::library;
use super::{CallbackEntry, CallbackFacts, CallbackKind, ClauseEntry, ModuleEntry, RunningClause};

/// The name of a task in reports.
static TASK: CallbackEntry = CallbackEntry {
    name: "task",
    arity: 0,
    doc: &[],
    facts: CallbackFacts::of(CallbackKind::Other),
    of: None,
    answer: &[],
    clauses: &[],
    taken: &[],
};

/// Returns the clause for the tasks of a module's process, before one of them has run.
pub(in crate::runtime) fn clause_of_tasks(module: &'static ModuleEntry) -> &'static RunningClause {
    kept((module, &TASK), None)
}

/// Returns the clause for the task that was spawned at this line.
pub(in crate::runtime) fn clause_of_task(
    module: &'static ModuleEntry,
    location: &'static Location<'static>,
) -> &'static RunningClause {
    kept((module, &TASK), Some(location))
}

/// Returns whether the clause stands for tasks.
#[cfg(feature = "calls")]
pub(in crate::runtime) fn is_task(clause: &RunningClause) -> bool {
    ptr::eq(clause.callback, &TASK)
}

/// Returns whether the process's own loop runs its tasks when no callback runs.
pub(in crate::runtime) fn keeps_tasks(clause: &RunningClause) -> bool {
    let implements = clause.module.implements.as_ref();
    let keeps = implements.is_some_and(|it| it.behaviour.keeps_tasks());
    keeps && !clause.callback.facts.ends()
}

/// The function of the library module that runs a body, as reports name it.
static SPAWNED: CallbackEntry = CallbackEntry {
    name: "spawned",
    arity: 1,
    doc: &[],
    facts: CallbackFacts::of(CallbackKind::End),
    of: None,
    answer: &[],
    clauses: &[],
    taken: &[],
};

/// Returns whether the clause is the body of a process.
pub(in crate::runtime) fn is_body(clause: &RunningClause) -> bool {
    ptr::eq(clause.callback, &SPAWNED)
}

/// Returns the clause of a body: reports name it by the line of its `spawn`.
pub(in crate::runtime) fn clause_at(
    location: &'static Location<'static>,
) -> &'static RunningClause {
    kept((library(), &SPAWNED), Some(location))
}

/// The addresses of a module and a callback, and the line that spawns.
type Key = (usize, usize, Option<&'static Location<'static>>);

/// The clauses that [`kept`] has created. There is one for each line of the program that spawns a
/// body or, in the processes of a module, a task.
static CLAUSES: Mutex<Option<HashMap<Key, &'static RunningClause>>> = Mutex::new(None);

fn kept(
    (module, callback): (&'static ModuleEntry, &'static CallbackEntry),
    location: Option<&'static Location<'static>>,
) -> &'static RunningClause {
    let addresses = (ptr::from_ref(module).addr(), ptr::from_ref(callback).addr());
    let mut clauses = CLAUSES.lock().unwrap_or_else(PoisonError::into_inner);
    let clauses = clauses.get_or_insert_default();
    clauses
        .entry((addresses.0, addresses.1, location))
        .or_insert_with(|| {
            let before = RunningClause::before_a_clause((module, callback));
            Box::leak(Box::new(match location {
                None => before,
                Some(location) => RunningClause {
                    clause: at_line(location),
                    ..before
                },
            }))
        })
}

fn at_line(location: &'static Location<'static>) -> &'static ClauseEntry {
    let message = format!("{}:{}", location.file(), location.line());
    Box::leak(Box::new(ClauseEntry {
        message: Box::leak(message.into_boxed_str()),
        location,
        ..ClauseEntry::NONE
    }))
}

/// Returns the clause at this address, if it is one of these.
pub(super) fn at(address: usize) -> Option<&'static RunningClause> {
    let clauses = CLAUSES.lock().unwrap_or_else(PoisonError::into_inner);
    let mut known = clauses.iter().flat_map(HashMap::values).copied();
    known.find(|clause| ptr::from_ref::<RunningClause>(clause).addr() == address)
}
