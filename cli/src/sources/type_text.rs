//! Types on a command line.

use std::sync::Arc;

use otp_specs::ast::{Entry, Form, FormKind, Location, Module, Name, TypeForm, TypeFormKind};
use otp_specs::types::Type;
use otp_specs::{Lookup, Release, Severity, parse_type, resolve};

use super::Library;
use crate::report::{Result, catalog};

/// Reads a type, and looks up the names in it.
pub(crate) fn type_of_text(text: &str, library: &Library) -> Result<Type> {
    let not = |why: &dyn std::fmt::Display| catalog::NOT_A_TYPE.with(&[&text, &why]);
    let body = parse_type(text, Release(library.release)).map_err(|error| not(&error))?;
    let form = FormKind::Type(TypeForm {
        kind: TypeFormKind::Type,
        name: Name::new_static("type"),
        parameters: Vec::new(),
        body,
    });
    let module = Module {
        forms: vec![Entry {
            form: Arc::new(Form::new(Location::default(), form)),
            file: Name::default(),
            in_main_file: true,
            doc: None,
        }],
        ..Module::default()
    };
    let mut universe = |name: &str| {
        let source = library.modules.known(name);
        match source.map(|source| library.parse(source)) {
            Some(Ok(read)) => Lookup::Found(read.module),
            _ => Lookup::Missing,
        }
    };
    let (resolved, diagnostics) = resolve(&module, &mut universe);
    if let Some(wrong) = diagnostics
        .iter()
        .find(|one| one.severity == Severity::Error)
    {
        let error = not(&wrong.label);
        return Err(match wrong.hint.as_str() {
            "" => error,
            hint => error.help(hint),
        });
    }
    let mut types = resolved.types.into_iter();
    let missing = || catalog::INTERNAL.with(&[&"a type was lost"]);
    types.next().map(|found| found.body).ok_or_else(missing)
}
