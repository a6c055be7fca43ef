//! `--functions`: what bindings need besides the modules that were asked for.

use std::collections::{BTreeMap, BTreeSet};

use otp_codegen::{Output, function_references, references, with_bindings};
use otp_specs::ast::FormKind;
use otp_specs::types::{Function, Module};

use crate::report::Ui;
use crate::sources::{Library, Neighbours, Reporter, Source};

/// What the name of a macro begins with once it is compiled.
const MACRO: &str = "MACRO-";

/// Adds the modules whose types the functions name, directly or by other types. Types of a module
/// that cannot be read become dynamic terms, which the report counts. Without `functions`, only
/// types and callbacks count.
pub(crate) fn add_neighbours(read: &mut Vec<(Source, Module)>, library: &Library, functions: bool) {
    let mut seen: BTreeSet<String> = read.iter().map(|(_, module)| module.name.clone()).collect();
    let mut next = 0;
    while let Some((source, module)) = read.get(next) {
        next += 1;
        let source = source.clone();
        let mut names = references(module);
        if functions {
            names.extend(function_references(module));
        }
        for name in names {
            if !seen.insert(name.clone()) {
                continue;
            }
            let neighbours = Neighbours {
                of: &source,
                library,
            };
            let Some(found) = neighbours.find(&name) else {
                continue;
            };
            if let Ok(module) = library.read(&found, &Reporter::silent()) {
                read.push((found, module));
            }
        }
    }
}

/// All of the first `requested` modules, and those types of the other modules that they name.
/// Without `functions`, only types and callbacks count.
pub(crate) fn narrowed(mut modules: Vec<Module>, requested: usize, functions: bool) -> Vec<Module> {
    let names = modules.iter().take(requested);
    let requested: BTreeSet<String> = names.map(|module| module.name.clone()).collect();
    if functions {
        return with_bindings(modules, &requested);
    }
    let taken = modules.iter_mut().map(|module| {
        let functions = std::mem::take(&mut module.functions);
        (module.name.clone(), functions)
    });
    let mut taken: BTreeMap<String, Vec<Function>> = taken.collect();
    let mut narrowed = with_bindings(modules, &requested);
    // They say how processes of a behaviour are started.
    for module in &mut narrowed {
        if requested.contains(&module.name) {
            module.functions = taken.remove(&module.name).unwrap_or_default();
        }
    }
    narrowed
}

/// For each module that exports functions without a `-spec`: how many.
pub(super) fn without_spec(read: &[(Source, Module)], library: &Library) -> Vec<(String, usize)> {
    let mut counted = Vec::new();
    for (source, module) in read {
        let Ok(parsed) = library.parse(source) else {
            continue;
        };
        let mut exported: BTreeSet<(&str, i64)> = BTreeSet::new();
        for entry in &parsed.module.forms {
            if let FormKind::Export(names) = &entry.form.kind {
                let named = names.iter().map(|(name, arity)| (name.as_str(), *arity));
                exported.extend(named.filter(|(name, _)| !is_compilers(name)));
            }
        }
        for function in &module.functions {
            let arity = i64::try_from(function.arity).unwrap_or(i64::MAX);
            exported.remove(&(function.name.as_str(), arity));
        }
        if !exported.is_empty() {
            counted.push((module.name.clone(), exported.len()));
        }
    }
    counted
}

/// Whether Elixir's compiler made the function: `__struct__/1`, or that of a macro.
fn is_compilers(name: &str) -> bool {
    name.starts_with(MACRO) || (name.starts_with("__") && name.ends_with("__"))
}

/// Says which functions have no binding, and how many have no `-spec`.
pub(super) fn report(output: &Output, unspecified: &[(String, usize)], ui: &Ui) {
    for (module, report) in &output.functions {
        let is_macro = |function: &str| function.starts_with(MACRO);
        let (macros, others): (Vec<_>, Vec<_>) = report
            .skipped
            .iter()
            .partition(|skipped| is_macro(&skipped.function));
        if !macros.is_empty() {
            let count = macros.len();
            ui.note(&format!(
                "{module}: {count} macros are not bound: only Elixir's compiler can call them"
            ));
        }
        for skipped in others {
            let (function, reason) = (&skipped.function, skipped.reason);
            ui.note(&format!("{module}:{function} is not bound: {reason}"));
        }
    }
    for (module, count) in unspecified {
        let functions = match count {
            1 => "1 exported function is",
            _ => &format!("{count} exported functions are"),
        };
        ui.note(&format!(
            "{module}: {functions} not bound, because there is no -spec"
        ));
    }
}
