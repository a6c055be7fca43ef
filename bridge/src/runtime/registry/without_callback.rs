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
pub(in crate::runtime) fn clause_of_tasks(module: &'static ModuleEntry) -> RunningClause {
    RunningClause {
        module,
        callback: &TASK,
        clause: &ClauseEntry::NONE,
    }
}

/// Returns the clause for the task that was spawned at this line.
pub(in crate::runtime) fn clause_of_task(
    module: &'static ModuleEntry,
    location: &'static Location<'static>,
) -> RunningClause {
    RunningClause {
        module,
        callback: &TASK,
        clause: clause_at(location).clause,
    }
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

/// The clauses that [`clause_at`] has created.
static CLAUSES: Mutex<Option<HashMap<&'static Location<'static>, &'static ClauseEntry>>> =
    Mutex::new(None);

/// Returns the entry at this address, if it is one of these.
pub(super) fn at(callback: usize, clause: usize) -> Option<RunningClause> {
    let mut callbacks = [&TASK, &SPAWNED].into_iter();
    let found = callbacks.find(|entry| ptr::from_ref(*entry).addr() == callback)?;
    let clauses = CLAUSES.lock().unwrap_or_else(PoisonError::into_inner);
    let mut known = clauses.iter().flat_map(HashMap::values).copied();
    let known_clause = known.find(|entry| ptr::from_ref(*entry).addr() == clause);
    Some(RunningClause {
        module: library(),
        callback: found,
        clause: known_clause.unwrap_or(&ClauseEntry::NONE),
    })
}

/// Returns the clause of a body: reports name it by the line of its `spawn`. There is one clause
/// for each such line of the program.
pub(in crate::runtime) fn clause_at(location: &'static Location<'static>) -> RunningClause {
    let mut clauses = CLAUSES.lock().unwrap_or_else(PoisonError::into_inner);
    let clause = clauses
        .get_or_insert_default()
        .entry(location)
        .or_insert_with(|| {
            let message = format!("{}:{}", location.file(), location.line());
            Box::leak(Box::new(ClauseEntry {
                message: Box::leak(message.into_boxed_str()),
                location,
                ..ClauseEntry::NONE
            }))
        });
    RunningClause {
        module: library(),
        callback: &SPAWNED,
        clause,
    }
}
