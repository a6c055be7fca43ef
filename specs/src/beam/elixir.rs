//! Elixir's debug information: a map that describes the module, and its attributes.
//!
//! The attributes are `-type`, `-spec`, `-callback` and similar ones in the abstract format, from
//! last to first. The map and the export table replace the other forms of an Erlang module.

use super::etf::{Decoder, EtfTerm};
use super::forms::{Reader, is_read};
use super::of_file;
use super::terms::{constant, location};
use crate::ast::{Entry, Form, FormKind, Location, Module, Name, StructField};
use crate::catalog;
use crate::diagnostic::{Diagnostic, LocalDiagnostic};

/// Functions that the compiler adds to every module.
const ADDED: [&str; 3] = ["module_info", "behaviour_info", "__info__"];

/// The parts of the map that are used.
#[derive(Default)]
struct Description {
    file: Name,
    line: u32,
    behaviours: Vec<Name>,
    struct_fields: Vec<StructField>,
}

/// Reads `Map, Attributes` of `{elixir_v1, Map, Attributes}`.
pub(super) fn read(
    decoder: &mut Decoder<'_>,
    exports: Vec<(Name, i64)>,
    module: &mut Module,
    diagnostics: &mut Vec<Diagnostic>,
) -> Result<(), LocalDiagnostic> {
    let description = description(decoder)?;
    let count = decoder.enter_list();
    let count = count.ok_or_else(|| of_file(&catalog::BAD_CHUNK, "Dbgi"))?;
    let mut attributes = Vec::new();
    for _ in 0..count {
        let bytes = decoder.skip()?;
        if is_read(bytes) {
            attributes.push((line(bytes)?, bytes));
        }
    }
    // Attributes on the same line, as macros write them, keep their order.
    attributes.reverse();
    attributes.sort_by_key(|(line, _)| *line);
    module.struct_fields.clone_from(&description.struct_fields);
    module.forms = heading(&description, module.name.as_ref(), exports);
    let mut reader = Reader::in_file(module, diagnostics, description.file);
    for (_, attribute) in attributes {
        reader.form(attribute)?;
    }
    Ok(())
}

/// The line of `{attribute, Annotation, …}`.
fn line(attribute: &[u8]) -> Result<u32, LocalDiagnostic> {
    let mut decoder = Decoder::new(attribute);
    decoder.enter_tuple();
    decoder.skip()?;
    Ok(location(&decoder.term()?).line)
}

/// Reads the needed keys of the map. The others hold the bodies of functions.
fn description(decoder: &mut Decoder<'_>) -> Result<Description, LocalDiagnostic> {
    let mut found = Description::default();
    let keys = decoder.enter_map();
    for _ in 0..keys.ok_or_else(|| of_file(&catalog::BAD_CHUNK, "Dbgi"))? {
        let key = decoder.term()?;
        match key.as_atom().map(Name::as_str) {
            Some("file") => found.file = decoder.term()?.as_text().unwrap_or_default().into(),
            Some("line") => found.line = location(&decoder.term()?).line,
            Some("struct") => found.struct_fields = struct_fields(&decoder.term()?),
            Some("attributes") => found.behaviours = behaviours(&decoder.term()?),
            _ => {
                decoder.skip()?;
            }
        }
    }
    Ok(found)
}

/// `[{behaviour, Module}, …]`
fn behaviours(attributes: &EtfTerm) -> Vec<Name> {
    let attributes = attributes.as_list().unwrap_or_default().iter();
    attributes
        .filter_map(|attribute| match attribute.as_tuple()? {
            [key, name] if key.is_atom("behaviour") => name.as_atom().cloned(),
            _ => None,
        })
        .collect()
}

/// `[#{field => Name, default => Value, …}, …]`; `nil` for a module without a struct.
fn struct_fields(fields: &EtfTerm) -> Vec<StructField> {
    let value = |field: &'_ [(EtfTerm, EtfTerm)], key: &str| {
        let mut pairs = field.iter();
        pairs
            .find(|(known, _)| known.is_atom(key))
            .map(|(_, value)| value.clone())
    };
    let field = |field: &EtfTerm| match field {
        EtfTerm::Map(field) => Some(StructField {
            name: value(field, "field")?.as_atom()?.clone(),
            default: value(field, "default").as_ref().and_then(constant),
        }),
        _ => None,
    };
    let fields = fields.as_list().unwrap_or_default();
    fields.iter().filter_map(field).collect()
}

/// The forms at the head of an Erlang module.
fn heading(
    description: &Description,
    name: Option<&Name>,
    exports: Vec<(Name, i64)>,
) -> Vec<Entry> {
    let is_written = |(name, _): &(Name, i64)| !ADDED.contains(&name.as_str());
    let mut exports: Vec<_> = exports.into_iter().filter(is_written).collect();
    exports.sort();
    let name = name.map(|name| FormKind::Module(name.clone()));
    let behaviours = description.behaviours.iter().cloned();
    let kinds = name
        .into_iter()
        .chain(behaviours.map(FormKind::Behaviour))
        .chain([FormKind::Export(exports)]);
    let at = Location {
        line: description.line,
        column: 0,
    };
    kinds
        .map(|kind| Entry {
            form: Form::new(at, kind).into(),
            file: description.file.clone(),
            in_main_file: true,
            doc: None,
        })
        .collect()
}
