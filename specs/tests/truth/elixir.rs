//! Compares every type, spec and callback of Elixir's own modules with what Elixir itself reads.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use otp_specs::ast::{Entry, FormKind, TypeFormKind};
use otp_specs::{json, parse_beam};

use super::{compare, support, truth};

/// The BEAM files of Elixir; none if it is not installed.
fn elixirs() -> Vec<PathBuf> {
    let Some(lib) = support::elixir() else {
        println!("skipped: Elixir is not installed (`cargo xtask test` installs it)");
        return Vec::new();
    };
    support::files_below(&lib, "beam")
}

/// The lines of a module, sorted, as far as Elixir's `Code.Typespec` has them; then its unexported
/// types.
fn typespec_lines(parsed: &otp_specs::Parsed, file: &str) -> Vec<String> {
    let mut exported: BTreeSet<(&str, i64)> = BTreeSet::new();
    for entry in &parsed.module.forms {
        if let FormKind::ExportType(names) = &entry.form.kind {
            exported.extend(names.iter().map(|(name, arity)| (name.as_str(), *arity)));
        }
    }
    let mut lines = Vec::new();
    for entry in &parsed.module.forms {
        let mut text = String::new();
        match &entry.form.kind {
            FormKind::Type(form) => {
                let arity = form.parameters.len();
                let is_exported = exported.contains(&(form.name.as_str(), arity as i64));
                if !is_exported && form.kind == TypeFormKind::Type {
                    lines.push(format!("typep {:?}/{arity}", form.name.as_str()));
                }
            }
            FormKind::Function(_) => {}
            _ => continue,
        }
        // A form of a generated parser is in another file; `Code.Typespec` does not show that.
        let entry = Entry {
            in_main_file: true,
            ..entry.clone()
        };
        json::line(&mut text, file, parsed.module.name.as_deref(), &entry);
        lines.push(text.trim_end().to_owned());
    }
    lines.sort();
    lines
}

/// Compares Elixir's own modules with its own `Code.Typespec`.
#[test]
fn elixirs_modules() {
    let files = elixirs();
    if files.is_empty() {
        return;
    }
    let named: Vec<_> = files
        .iter()
        .map(|file| file.with_extension("elixir"))
        .collect();
    let ours = files.iter().zip(&named).map(|(file, named)| {
        let name = named.to_string_lossy().into_owned();
        let parsed = parse_beam(&name, &fs::read(file).expect("the module is installed"));
        assert_eq!(parsed.diagnostics, [], "{name}");
        let lines = typespec_lines(&parsed, &name);
        (name, lines)
    });
    let ours = ours.collect();
    let mut theirs = truth(&named, &[], false);
    theirs.values_mut().for_each(|lines| lines.sort());
    compare("Elixir's modules", ours, theirs);
}
