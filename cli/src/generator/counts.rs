//! The report of a run for programs: `otp-rs gen-types --report`.

use std::collections::BTreeMap;

use otp_codegen::{NameKind, Output};
use serde_json::{Value, json};

/// Returns a JSON object with the counts of each module, by its name.
pub(crate) fn counts(output: &Output) -> String {
    let mut types: BTreeMap<&str, usize> = BTreeMap::new();
    let named = output.names.iter();
    for name in named.filter(|name| name.kind == NameKind::Type) {
        *types.entry(&name.module).or_default() += 1;
    }
    let named = output.names.iter();
    let files: BTreeMap<&str, &str> = named
        .filter(|name| name.kind == NameKind::Module)
        .map(|name| (name.module.as_str(), name.rust.as_str()))
        .collect();
    let modules: BTreeMap<&str, Value> = output
        .report
        .modules
        .keys()
        .map(|module| {
            let types = types.get(module.as_str()).copied().unwrap_or_default();
            let file = files.get(module.as_str()).copied();
            (module.as_str(), of_module(output, module, file, types))
        })
        .collect();
    format!("{:#}\n", json!({ "modules": modules }))
}

fn of_module(output: &Output, module: &str, file: Option<&str>, types: usize) -> Value {
    let report = &output.report.modules[module];
    let fallbacks = report.fallbacks.iter().map(|fallback| {
        let reason = fallback.reason.to_string();
        json!({ "position": fallback.position, "erlang": fallback.erlang, "reason": reason })
    });
    let functions = output.functions.get(module).cloned().unwrap_or_default();
    let unbound = functions.skipped.iter().map(|skipped| {
        let reason = skipped.reason.to_string();
        json!({ "function": skipped.function, "reason": reason })
    });
    json!({
        "file": file,
        "types": types,
        "positions": report.positions,
        "fallbacks": fallbacks.collect::<Vec<_>>(),
        "functions": functions.bound + functions.skipped.len(),
        "rust_functions": functions.written,
        "unbound": unbound.collect::<Vec<_>>(),
    })
}
