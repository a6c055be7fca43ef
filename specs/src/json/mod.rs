//! Forms as JSON, one object a line: Erlang's abstract format without its annotations.
//!
//! | Erlang | JSON |
//! |---|---|
//! | atom | `"foo"` |
//! | integer below 2^53 | number; larger ones `{"i":"18446744073709551615"}` |
//! | float | `{"f":"1.0"}` |
//! | tuple | `{"t":[…]}` |
//! | list | `[…]`; improper `{"l":[[…],tail]}` |
//! | binary | `{"b":"hex"}` |
//! | map | `{"m":[[key,value],…]}` |
//! | text of a string node | `{"s":"text"}`, or a list of integers if it holds a non-character |
//!
//! A record field's default that is not a literal is the atom `_default`.

mod forms;
mod terms;
mod types;

use crate::ast::{Constant, Entry, Form, FormKind, FunctionFormKind, TypeFormKind};
use terms::Writer;

/// The other keys of a line.
struct Head<'a> {
    kind: &'static str,
    name: Option<&'a str>,
    arity: usize,
}

impl<'a> Head<'a> {
    /// `None` for forms that do not declare types: `-module`, `-export` and the like.
    fn of(kind: &'a FormKind) -> Option<Head<'a>> {
        let head = |kind, name, arity| Some(Head { kind, name, arity });
        match kind {
            FormKind::Type(form) => {
                let kind = match form.kind {
                    TypeFormKind::Type => "type",
                    TypeFormKind::Opaque => "opaque",
                    TypeFormKind::Nominal => "nominal",
                };
                head(kind, Some(&*form.name), form.parameters.len())
            }
            FormKind::Function(form) => {
                let kind = match form.kind {
                    FunctionFormKind::Spec => "spec",
                    FunctionFormKind::Callback => "callback",
                };
                head(kind, Some(&*form.name), form.arity)
            }
            FormKind::Record(form) => {
                let kind = if form.native {
                    "native_record"
                } else {
                    "record"
                };
                head(kind, Some(&*form.name), form.fields.len())
            }
            FormKind::ExportType(names) => head("export_type", None, names.len()),
            FormKind::OptionalCallbacks(Constant::List(names, _)) => {
                head("optional_callbacks", None, names.len())
            }
            FormKind::OptionalCallbacks(_) => head("optional_callbacks", None, 0),
            FormKind::Module(_)
            | FormKind::Export(_)
            | FormKind::ExportAll
            | FormKind::Behaviour(_) => None,
        }
    }
}

/// Appends the line of a form, `{"file","module","kind","name","arity","own","form"}`, with its
/// line break. A form that does not declare a type adds no line.
pub fn line(out: &mut String, file: &str, module: Option<&str>, entry: &Entry) {
    let Some(head) = Head::of(&entry.form.kind) else {
        return;
    };
    push_start(out, file, module);
    let mut writer = Writer(out);
    writer.raw(",\"kind\":");
    writer.string(head.kind);
    writer.raw(",\"name\":");
    writer.optional(head.name);
    writer.raw(",\"arity\":");
    writer.raw(&head.arity.to_string());
    writer.raw(",\"own\":");
    writer.raw(if entry.in_main_file { "true" } else { "false" });
    writer.raw(",\"form\":");
    entry.form.walk(|kind| writer.form(kind));
    writer.raw("}\n");
}

/// Returns the beginning of every line of a file's forms.
#[must_use]
pub fn line_start(file: &str, module: Option<&str>) -> String {
    let mut out = String::new();
    push_start(&mut out, file, module);
    out
}

fn push_start(out: &mut String, file: &str, module: Option<&str>) {
    let mut writer = Writer(out);
    writer.raw("{\"file\":");
    writer.string(file);
    writer.raw(",\"module\":");
    writer.optional(module);
}

/// Returns the form alone; empty for a form that does not declare a type.
#[must_use]
pub fn form(form: &Form) -> String {
    let mut out = String::new();
    form.walk(|kind| Writer(&mut out).form(kind));
    out
}
