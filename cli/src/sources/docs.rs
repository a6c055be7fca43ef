//! Documentation chunks: their location, and what they lack.

use std::collections::BTreeSet;
use std::path::PathBuf;

use otp_specs::ast::{DocText, DocumentedKind, FormKind, FunctionFormKind, Module};
use otp_specs::{Diagnostic, Severity, print};

use super::kinds::parse_file;
use super::modules::{SOURCE_DEPTH, has_ending, stem};
use super::{Library, Source};
use crate::report::{Error, catalog};

/// Maximum depth of a source below the folder of its application.
const CHUNK_HEIGHT: usize = SOURCE_DEPTH + 2;
/// Maximum number of names that are listed individually.
const MOST_LISTED: usize = 8;

/// Returns the chunk file of a module: in `doc/chunks` of its application, as written by OTP, edoc
/// and rebar3.
pub(super) fn chunk_file(source: &Source) -> Option<PathBuf> {
    if has_ending(&source.path, "chunk") {
        return Some(source.path.clone());
    }
    let name = format!("doc/chunks/{}.chunk", stem(&source.path));
    let folders = source.path.ancestors().skip(1).take(CHUNK_HEIGHT);
    let mut chunks = folders.map(|folder| folder.join(&name));
    chunks.find(|path| path.is_file())
}

/// Returns the error for a module without a chunk file.
pub(super) fn without_chunk(library: &Library, source: &Source) -> Error {
    let module = stem(&source.path);
    let code = parse_file(&source.path, &library.headers);
    if code.is_ok_and(|parsed| !parsed.module.documented.is_empty()) {
        return catalog::CHUNK_WITHOUT_FORMS
            .with(&[&module])
            .at(source.path.display())
            .help(
                "since OTP 27 it stands in the .beam file beside the forms: leave out --from docs, or name \
             an OTP 26 or older by --otp-root",
            );
    }
    let error = catalog::NO_CHUNK.with(&[&module]).at(source.path.display());
    match &source.application {
        Some(_) => error.help(
            "chunks of OTP 24 to 26 are in Debian's package `erlang-doc`, or are made by `make docs \
             DOC_TARGETS=chunks`",
        ),
        None => error.help(
            "edoc writes chunks to doc/chunks, with {doclet, edoc_doclet_chunks} and \
             {layout, edoc_layout_chunks}",
        ),
    }
}

/// Returns the error for a chunk with documentation, but without forms.
pub(super) fn without_forms(module: &Module, path: &std::path::Path) -> Error {
    let name = module.name.as_ref().map_or("", |name| name.as_str());
    catalog::CHUNK_WITHOUT_FORMS
        .with(&[&name])
        .at(path.display())
        .help("chunks of OTP 24 to 26 and of edoc have forms; for others leave out --from docs")
}

/// Returns what a chunk lacks, one line for each kind of thing.
pub(super) fn gaps(module: &Module, unresolved: &[Diagnostic]) -> Vec<String> {
    let name = module.name.as_ref().map_or("", |name| name.as_str());
    let mut gaps = Vec::new();
    for (kind, what) in [
        (DocumentedKind::Type, "types"),
        (DocumentedKind::Callback, "callbacks"),
        (DocumentedKind::Function, "functions"),
    ] {
        let words_alone = without_form(module, kind);
        if !words_alone.is_empty() {
            gaps.push(format!(
                "the documentation of `{name}` lacks the forms of these {what}: {}",
                listed(&words_alone)
            ));
        }
    }
    let lost = unresolved
        .iter()
        .filter(|one| one.severity == Severity::Error);
    let labels = lost.map(|one| one.label.clone());
    let labels: BTreeSet<String> = labels.collect();
    if !labels.is_empty() {
        gaps.push(format!(
            "the documentation of `{name}` refers to types that no documentation holds, such as records and \
             types that are not exported; they become a dynamic `Term`: {}",
            listed(&labels)
        ));
    }
    gaps
}

fn without_form(module: &Module, kind: DocumentedKind) -> BTreeSet<String> {
    let forms = module
        .forms
        .iter()
        .filter_map(|entry| match &entry.form.kind {
            FormKind::Type(form) if kind == DocumentedKind::Type => {
                Some((form.name.as_str(), form.parameters.len()))
            }
            FormKind::Function(form) => {
                let its = match form.kind {
                    FunctionFormKind::Spec => DocumentedKind::Function,
                    FunctionFormKind::Callback => DocumentedKind::Callback,
                };
                (its == kind).then_some((form.name.as_str(), form.arity))
            }
            _ => None,
        });
    let forms: BTreeSet<(&str, usize)> = forms.collect();
    // Functions that are documented as hidden have entries without text.
    let documented = module
        .documented
        .iter()
        .filter(|one| one.kind == kind && matches!(one.doc.text, DocText::Text(_)));
    let without = documented.filter(|one| !forms.contains(&(one.name.as_str(), one.arity)));
    without
        .map(|one| format!("{}/{}", print::atom(&one.name), one.arity))
        .collect()
}

fn listed(names: &BTreeSet<String>) -> String {
    let first: Vec<&str> = names.iter().take(MOST_LISTED).map(String::as_str).collect();
    match names.len() - first.len() {
        0 => first.join(", "),
        more => format!("{} and {more} more", first.join(", ")),
    }
}
