//! `--functions`: what bindings need besides the modules that were asked for.

use std::collections::BTreeSet;

use otp_codegen::{Output, function_references, references, with_bindings};
use otp_specs::ast::FormKind;
use otp_specs::types::Module;

use crate::report::Ui;
use crate::sources::{Library, Reporter, Source};

/// Adds the modules whose types the functions name, directly or by other types. Types of a module that
/// cannot be read become dynamic terms, which the report counts.
pub(in crate::commands) fn add_neighbours(read: &mut Vec<(Source, Module)>, library: &Library) {
    let mut seen: BTreeSet<String> = read.iter().map(|(_, module)| module.name.clone()).collect();
    let mut next = 0;
    while let Some((_, module)) = read.get(next) {
        next += 1;
        let mut names = references(module);
        names.extend(function_references(module));
        for name in names {
            if !seen.insert(name.clone()) {
                continue;
            }
            let Ok(source) = library.modules.find(&name) else {
                continue;
            };
            if let Ok(module) = library.read(&source, &Reporter::silent()) {
                read.push((source, module));
            }
        }
    }
}

/// All of the first `requested` modules, and those types of the other modules that they name.
pub(in crate::commands) fn narrowed(modules: Vec<Module>, requested: usize) -> Vec<Module> {
    let names = modules.iter().take(requested);
    let requested: BTreeSet<String> = names.map(|module| module.name.clone()).collect();
    with_bindings(modules, &requested)
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
                exported.extend(names.iter().map(|(name, arity)| (name.as_str(), *arity)));
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

/// Says which functions have no binding, and how many have no `-spec`.
pub(super) fn report(output: &Output, unspecified: &[(String, usize)], ui: &Ui) {
    for (module, report) in &output.functions {
        for skipped in &report.skipped {
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
