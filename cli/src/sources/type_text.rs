//! Types on a command line.

use std::sync::Arc;

use otp_specs::ast::{Entry, Form, FormKind, Location, Module, Name, TypeForm, TypeFormKind};
use otp_specs::catalog::{Message, UNKNOWN_MODULE, UNKNOWN_RECORD, UNKNOWN_TYPE};
use otp_specs::types::Type;
use otp_specs::{Diagnostic, Lookup, Release, Severity, parse_type, resolve};

use super::{Library, QualifiedName, local_name};
use crate::report::{Error, Result, catalog};

/// Reads a type, and looks up the names in it.
pub(crate) fn type_of_text(text: &str, library: &Library) -> Result<Type> {
    let not = |why: &dyn std::fmt::Display| catalog::NOT_A_TYPE.with(&[&text, &why]);
    let body = parse_type(text, Release(library.release))
        .map_err(|error| with_parentheses(not(&error), text))?;
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
        return Err(match help(wrong) {
            "" => error,
            help => error.help(help),
        });
    }
    let mut types = resolved.types.into_iter();
    let missing = || catalog::INTERNAL.with(&[&"a type was lost"]);
    types.next().map(|found| found.body).ok_or_else(missing)
}

/// The error, with the type that `MODULE:NAME` may have meant.
fn with_parentheses(error: Error, text: &str) -> Error {
    match QualifiedName::read(text) {
        Some(Ok(QualifiedName {
            module,
            name: Some(name),
            arity: None | Some(0),
        })) if !name.starts_with('#') => {
            let (module, name) = (local_name(&module, None), local_name(&name, None));
            error.help(format!("a type has parentheses: {module}:{name}()"))
        }
        _ => error,
    }
}

/// Returns the remedy for a name in a type on a command line, where a user cannot define names.
fn help(wrong: &Diagnostic) -> &str {
    let is_of = |message: &Message| wrong.code == message.code;
    if is_of(&UNKNOWN_TYPE) && wrong.label.contains(':') {
        "correct its name and its number of arguments: `otp-rs types MODULE` shows what a module has"
    } else if is_of(&UNKNOWN_TYPE) {
        "write the module in front of a type that is not predefined: supervisor:child_spec()"
    } else if is_of(&UNKNOWN_MODULE) {
        "--pa and --src name folders to look in"
    } else if is_of(&UNKNOWN_RECORD) {
        "name a type of the record's module that refers to it"
    } else {
        &wrong.hint
    }
}
