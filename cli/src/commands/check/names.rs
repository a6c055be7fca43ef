//! Processes that callbacks name by a static, such as `cx.call(&STORE, Get)`, beside those that the
//! supervisors start.

use std::path::Path;

use otp_contract::manifest::{Module, UsedName};

use crate::build::Built;
use crate::report::{Error, at_line, catalog};
use crate::vm::tree::{Process, SupervisionTree, TreeRow};

/// The names that a module uses wrongly.
pub(super) fn errors(built: &Built, trees: &[SupervisionTree]) -> Vec<Error> {
    let modules = built.manifest.modules.iter();
    let used = modules.flat_map(|module| module.used_names.iter().map(move |used| (module, used)));
    let errors = used.filter_map(|(module, used)| {
        let error = of_another_type(used, trees).or_else(|| never_answered(module, used, trees))?;
        Some(at_line(error, Path::new(&built.workspace), &used.location))
    });
    errors.collect()
}

/// The name is that of a process with another callback module.
fn of_another_type(used: &UsedName, trees: &[SupervisionTree]) -> Option<Error> {
    let mut processes = trees
        .iter()
        .flat_map(|tree| (0..tree.entries.len()).filter_map(|it| process(tree, it)));
    let named = processes.find(|it| registered(it) == used.name)?;
    let is_other = named.module != used.module && !named.module.is_empty();
    is_other.then(|| catalog::NAME_OF_ANOTHER.with(&[&used.name, &named.module, &used.module]))
}

/// `init` waits for a process that waits for it, or that is not there yet.
fn never_answered(module: &Module, used: &UsedName, trees: &[SupervisionTree]) -> Option<Error> {
    if !used.delays_start {
        return None;
    }
    let mut problems = trees
        .iter()
        .filter_map(|tree| problem_in(tree, module, used));
    let problem = problems.next()?;
    let error = catalog::START_WAITS.with(&[&module.module, &used.name, &problem]);
    Some(match module.start.is_empty() || module.behaviour.as_deref() == Some("supervisor") {
        true => error,
        false => error.help("call it in `handle_start`, which comes when `init` has returned, and before any message"),
    })
}

fn problem_in(tree: &SupervisionTree, module: &Module, used: &UsedName) -> Option<&'static str> {
    let entries =
        || (0..tree.entries.len()).filter_map(|index| Some((index, process(tree, index)?)));
    let (called, _) = entries().find(|(_, it)| registered(it) == used.name)?;
    let mut callers = entries().filter(|(_, it)| it.module == module.module);
    callers.find_map(|(caller, process)| {
        // Children of a template start when somebody asks their supervisor for them.
        let is_template = process.state == "template";
        let parent = tree.parent(caller);
        let mut above = std::iter::successors(parent, |index| tree.parent(*index));
        match above.any(|index| index == called) {
            true if !is_template || parent == Some(called) => {
                Some("a supervisor that waits until this `init` has returned")
            }
            false if !is_template && called > caller => Some("which is started later"),
            _ => None,
        }
    })
}

fn process(tree: &SupervisionTree, index: usize) -> Option<&Process> {
    match &tree.entries[index].kind {
        TreeRow::Process(process) => Some(process),
        TreeRow::Omitted(_) => None,
    }
}

fn registered(process: &Process) -> &str {
    let declared = process.declared.as_ref();
    declared.map_or("", |it| it.registered.as_str())
}
