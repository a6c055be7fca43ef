//! Pools of processes that run tasks, and other statics that exist once for each VM.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::calls::Call;
use super::checked::Checked;
use super::names::ISOLATED;
use super::shown;
use crate::report::{Error, at_line, catalog};

/// The types of statics whose processes or tables are in one VM.
const OF_ONE_VM: [&str; 4] = ["TaskPool", "BoundedPool", "Table", "Registry"];

/// Returns pools with tasks that no process joins.
pub(super) fn without_workers(checked: &Checked<'_>) -> Vec<Error> {
    let sources = &checked.sources;
    let pools = sources.statics_of("TaskPool").filter(|(name, _)| {
        let calls: Vec<&Call> = sources
            .calls
            .iter()
            .filter(|it| it.is_method && it.is_of(name))
            .collect();
        let is = |function: &str| calls.iter().any(|it| it.function == function);
        // Its declaration, and its methods. Elsewhere, code may join it in another way.
        let is_seen = sources.names.get(*name) == Some(&(calls.len() + 1));
        is_seen && !is("join") && (is("spawn") || is("spawn_anywhere"))
    });
    pools
        .map(|(name, location)| {
            let error = catalog::POOL_WITHOUT_WORKERS.with(&[name]);
            at_line(error, Path::new(&checked.built.workspace), location)
        })
        .collect()
}

/// Returns supervisors that restart workers of a pool because another one has ended.
pub(super) fn restarted_together(checked: &Checked<'_>) -> Vec<Error> {
    let workers = workers(checked);
    let mut counts: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for (child, supervisor) in checked.processes() {
        let Some(supervisor) = supervisor else {
            continue;
        };
        let strategy = supervisor.declared.as_ref().map(|it| it.strategy.as_str());
        if strategy == Some("rest_for_one") && workers.contains(child.module.as_str()) {
            *counts
                .entry((&supervisor.module, &child.module))
                .or_default() += 1;
        }
    }
    let several = counts.into_iter().filter(|(_, count)| *count > 1);
    several
        .map(|((supervisor, worker), _)| {
            let error = catalog::WORKERS_RESTARTED.with(&[&supervisor, &worker]);
            checked.at(error, supervisor)
        })
        .collect()
}

/// Returns the modules whose processes join a pool.
fn workers<'c>(checked: &'c Checked<'_>) -> BTreeSet<&'c str> {
    let sources = &checked.sources;
    let joins = |call: &&Call| {
        let mut pools = sources.statics_of("TaskPool");
        call.function == "join" && call.is_method && pools.any(|(pool, _)| call.is_of(pool))
    };
    let joining = sources.calls.iter().filter(joins);
    let modules = &checked.built.manifest.modules;
    joining
        .filter_map(|call| Some(shown::module_of(modules, &call.block)?.module.as_str()))
        .collect()
}

/// Returns uses of a pool or a table of this VM by a child in a VM of its own.
pub(super) fn of_another_vm(checked: &Checked<'_>) -> Vec<Error> {
    let mut isolated: BTreeSet<&str> = BTreeSet::new();
    for (child, _) in checked.processes() {
        let declared = child.declared.as_ref();
        if declared.is_some_and(|it| it.start.starts_with(ISOLATED)) {
            isolated.insert(&child.module);
        }
    }
    let statics = &checked.sources.statics;
    let uses = checked.sources.calls.iter().filter_map(|call| {
        let module = shown::module_of(&checked.built.manifest.modules, &call.block)?;
        let name = call.before.rsplit(' ').next().filter(|_| call.is_method)?;
        let (ty, _) = statics.get(name)?;
        let is_wrong =
            isolated.contains(module.module.as_str()) && OF_ONE_VM.contains(&ty.as_str());
        let values: [&dyn std::fmt::Display; 3] = [&module.module, &name, &ty];
        let error = catalog::NAME_OF_ANOTHER_VM.with(&values);
        is_wrong.then(|| at_line(error, Path::new(&checked.built.workspace), &call.location))
    });
    uses.collect()
}
