//! The modules that are needed besides the requested ones, and the report of `--functions`.

use std::collections::BTreeSet;

use otp_codegen::{Output, function_references, references};
use otp_specs::ast::FormKind;
use otp_specs::types::Module;

use crate::report::Ui;
use crate::sources::{Library, Neighbours, Reporter, Source};

/// The prefix of a macro's name in compiled code.
const MACRO: &str = "MACRO-";

/// Adds the modules to whose types the requested modules refer, directly or through other types, so
/// that a type is the same whatever is generated with it. With `functions`, the modules in the
/// types of functions are added, too. Types of a module that cannot be read become dynamic terms,
/// which the report counts.
pub(crate) fn add_neighbours(read: &mut Vec<(Source, Module)>, library: &Library, functions: bool) {
    let requested = read.len();
    let mut seen: BTreeSet<String> = read.iter().map(|(_, module)| module.name.clone()).collect();
    let mut next = 0;
    while let Some((source, module)) = read.get(next) {
        let source = source.clone();
        let mut names = references(module);
        if functions && next < requested {
            names.extend(function_references(module));
        }
        next += 1;
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

/// Returns the number of functions without a `-spec` for each module that exports some.
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

/// Returns whether Elixir's compiler added the function: `__struct__/1`, or that of a macro.
fn is_compilers(name: &str) -> bool {
    name.starts_with(MACRO) || (name.starts_with("__") && name.ends_with("__"))
}

/// Reports the functions that have no binding, and the number that have no `-spec`.
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
