//! `--functions`: what bindings need besides the modules that were asked for.

use std::collections::BTreeSet;

use otp_codegen::{Output, function_references, references, with_bindings};
use otp_specs::types::Module;

use crate::sources::{Library, Source};
use crate::ui::Ui;

/// Adds the modules whose types the functions name, directly or by other types. One that cannot be
/// read becomes dynamic terms, which the report counts.
pub(super) fn add_neighbours(read: &mut Vec<(Source, Module)>, library: &Library) {
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
            if let Ok(module) = library.read(&source, &|_| Ok(()), &|_| ()) {
                read.push((source, module));
            }
        }
    }
}

/// The first `wanted` modules whole, of the others the types that these name.
pub(super) fn narrowed(modules: Vec<Module>, wanted: usize) -> Vec<Module> {
    let names = modules.iter().take(wanted);
    let wanted: BTreeSet<String> = names.map(|module| module.name.clone()).collect();
    with_bindings(modules, &wanted)
}

/// Says which functions have no binding.
pub(super) fn report(output: &Output, ui: &Ui) {
    for (module, report) in &output.functions {
        for skipped in &report.skipped {
            let (function, reason) = (&skipped.function, skipped.reason);
            ui.note(&format!("{module}:{function} is not bound: {reason}"));
        }
    }
}
