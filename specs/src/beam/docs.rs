//! Documentation chunks (EEP 48): texts, and the abstract forms that some chunks carry.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::etf::{self, Decoder, EtfTerm};
use super::forms::Reader;
use super::terms::constant;
use super::{markdown, of_file};
use crate::ast::{
    Doc, DocText, Documented, DocumentedKind, FormKind, FunctionFormKind, Module, Name,
};
use crate::catalog;
use crate::diagnostic::{Diagnostic, LocalDiagnostic, Parsed};
use crate::print;

/// Reads a documentation chunk file: `docs_v1` in the External Term Format, compressed or not.
///
/// Forms come from the entries' `signature` and the module's `types`; an entry without a form is
/// only in [`Module::documented`]. The `Docs` chunk of a BEAM file has no forms at all.
#[must_use]
pub fn parse_chunk(path: &str, bytes: &[u8]) -> Parsed {
    super::parsed(path, |module, diagnostics| read(bytes, module, diagnostics))
}

/// Reads `{docs_v1, Anno, Language, Format, ModuleDoc, Metadata, Docs}`.
pub(super) fn read(
    bytes: &[u8],
    module: &mut Module,
    diagnostics: &mut Vec<Diagnostic>,
) -> Result<(), LocalDiagnostic> {
    let wrong = || of_file(&catalog::NOT_A_DOC_CHUNK, "");
    let term = etf::unpacked(bytes, "Docs")?;
    let mut decoder = Decoder::new(&term);
    if decoder.enter_tuple() != Some(7) || !decoder.term()?.is_atom("docs_v1") {
        return Err(wrong());
    }
    let annotation = decoder.term()?;
    decoder.skip()?;
    let format = decoder.term()?.as_text().unwrap_or_default();
    let (text, metadata) = (decoder.term()?, decoder.term()?);
    let count = decoder.enter_list().ok_or_else(wrong)?;
    module.name = module_name(&annotation, &metadata);
    module.doc = Some(doc(&text, &metadata, &format));
    let mut forms = Vec::new();
    for _ in 0..count {
        let entry = decoder.term()?;
        let Some((documented, signature)) = documented(&entry, &format) else {
            continue;
        };
        forms.extend(signature);
        module.documented.push(documented);
    }
    add_forms(module, diagnostics, &forms, &metadata);
    Ok(())
}

/// Returns the module's name: `name` in the metadata, or the source file's stem.
fn module_name(annotation: &EtfTerm, metadata: &EtfTerm) -> Option<Name> {
    let named = value(metadata, "name").and_then(EtfTerm::as_text);
    let file = annotation
        .as_list()
        .unwrap_or_default()
        .iter()
        .find_map(|entry| match entry.as_tuple() {
            Some([key, file]) if key.is_atom("file") => file.as_text(),
            _ => None,
        });
    let stem = file.as_deref().and_then(|file| {
        let name = file.rsplit('/').next()?;
        Some(
            name.rsplit_once('.')
                .map_or(name, |(stem, _)| stem)
                .to_owned(),
        )
    });
    named.or(stem).map(Name::from)
}

/// Adds forms of the entries, then those of the module's `types` that no entry has.
fn add_forms(
    module: &mut Module,
    diagnostics: &mut Vec<Diagnostic>,
    signatures: &[EtfTerm],
    metadata: &EtfTerm,
) {
    let mut reader = Reader::new(module, diagnostics);
    for form in signatures {
        reader.add(form);
    }
    if let Some(EtfTerm::Map(types)) = value(metadata, "types") {
        // A large map is not ordered.
        let mut types: Vec<_> = types
            .iter()
            .filter_map(|(key, form)| Some((name_arity(key)?, form)))
            .collect();
        types.sort_by_key(|(key, _)| *key);
        reader.unknown_types(types.into_iter().map(|(_, form)| form));
    }
}

/// `{name, 1}`
fn name_arity(key: &EtfTerm) -> Option<(&Name, i64)> {
    match key.as_tuple()? {
        [name, arity] => Some((name.as_atom()?, arity.as_small()?)),
        _ => None,
    }
}

/// The value of an atom key.
fn value<'t>(map: &'t EtfTerm, key: &str) -> Option<&'t EtfTerm> {
    match map {
        EtfTerm::Map(fields) => fields
            .iter()
            .find(|(known, _)| known.is_atom(key))
            .map(|(_, value)| value),
        _ => None,
    }
}

/// `{{Kind, Name, Arity}, Anno, Signature, Doc, Metadata}`, with the forms that it carries.
fn documented(entry: &EtfTerm, format: &str) -> Option<(Documented, Vec<EtfTerm>)> {
    let [key, _, signature, text, metadata] = entry.as_tuple()? else {
        return None;
    };
    let [kind, name, arity] = key.as_tuple()? else {
        return None;
    };
    // Elixir compiles a macro to a function with another name and one more argument, the caller.
    let (kind, is_macro) = match kind.as_atom()?.as_str() {
        "function" => (DocumentedKind::Function, false),
        "macro" => (DocumentedKind::Function, true),
        "type" => (DocumentedKind::Type, false),
        "callback" => (DocumentedKind::Callback, false),
        "macrocallback" => (DocumentedKind::Callback, true),
        _ => return None,
    };
    let (name, arity) = (name.as_atom()?, usize::try_from(arity.as_small()?).ok()?);
    let lines = signature.as_list().unwrap_or_default();
    let documented = Documented {
        kind,
        name: if is_macro {
            format!("MACRO-{name}").into()
        } else {
            name.clone()
        },
        arity: arity.saturating_add(usize::from(is_macro)),
        signature: lines.iter().filter_map(EtfTerm::as_text).collect(),
        doc: doc(text, metadata, format),
    };
    let forms = value(metadata, "signature")
        .and_then(EtfTerm::as_list)
        .unwrap_or_default();
    Some((documented, forms.to_vec()))
}

fn doc(text: &EtfTerm, metadata: &EtfTerm, format: &str) -> Doc {
    let metadata_text = |key| value(metadata, key).and_then(metadata_text);
    Doc {
        text: match text {
            EtfTerm::Atom(hidden) if hidden == "hidden" => DocText::Hidden,
            EtfTerm::Map(languages) => match language(languages) {
                Some(text) => DocText::Text(markdown::markdown(text, format)),
                None => DocText::None,
            },
            _ => DocText::None,
        },
        since: metadata_text("since"),
        deprecated: metadata_text("deprecated"),
        equiv: metadata_text("equiv"),
    }
}

/// English, or otherwise the first language.
fn language(languages: &[(EtfTerm, EtfTerm)]) -> Option<&EtfTerm> {
    let english = languages
        .iter()
        .find(|(name, _)| name.as_text().as_deref() == Some("en"));
    english.or(languages.first()).map(|(_, text)| text)
}

/// Text as it is, `{function, f, 1}` as `f/1`, other terms as Erlang.
fn metadata_text(term: &EtfTerm) -> Option<String> {
    if let Some([_, name, arity]) = term.as_tuple()
        && let (Some(name), Some(arity)) = (name.as_atom(), arity.as_small())
    {
        return Some(format!("{}/{arity}", print::atom(name)));
    }
    match term.as_text() {
        Some(text) => Some(text),
        None => constant(term).map(|term| print::constant(&term)),
    }
}

impl Module {
    /// Adds documentation to the forms.
    ///
    /// A form that is already documented keeps its documentation. A module without forms, for
    /// example from a BEAM file without abstract code, gets the forms of the documentation.
    pub fn add_documentation(&mut self, documentation: Module) {
        if self.forms.is_empty() {
            self.forms = documentation.forms;
        }
        self.name = self.name.take().or(documentation.name);
        self.doc = self.doc.take().or(documentation.doc);
        let documented: BTreeMap<(DocumentedKind, &str, usize), &Doc> = documentation
            .documented
            .iter()
            .map(|known| ((known.kind, known.name.as_str(), known.arity), &known.doc))
            .collect();
        for entry in self.forms.iter_mut().filter(|entry| entry.doc.is_none()) {
            let found = subject(&entry.form.kind).and_then(|subject| documented.get(&subject));
            entry.doc = found.map(|doc| Arc::new((*doc).clone()));
        }
        self.documented = documentation.documented;
    }
}

fn subject(kind: &FormKind) -> Option<(DocumentedKind, &str, usize)> {
    match kind {
        FormKind::Type(form) => Some((DocumentedKind::Type, &form.name, form.parameters.len())),
        FormKind::Function(form) => {
            let kind = match form.kind {
                FunctionFormKind::Spec => DocumentedKind::Function,
                FunctionFormKind::Callback => DocumentedKind::Callback,
            };
            Some((kind, &form.name, form.arity))
        }
        _ => None,
    }
}
