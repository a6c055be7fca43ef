//! Forms as Erlang text, on one line, formatted like OTP's own sources.

mod terms;
mod tokens;
mod types;

use crate::ast::{
    Clause, FieldDefault, Form, FormKind, FunctionForm, FunctionFormKind, Name, RecordField,
    RecordForm, Type, TypeForm, TypeFormKind, nesting,
};
pub use terms::{atom, constant};
pub(crate) use terms::{float, variable};
pub(crate) use tokens::{token, tokens};
use types::Printer;

/// A form with its full stop, e.g. `-type t() :: ok.`
#[must_use]
pub fn form(form: &Form) -> String {
    form.walk(of_kind)
}

fn of_kind(kind: &FormKind) -> String {
    let mut printer = Printer::default();
    match kind {
        FormKind::Module(name) => return format!("-module({}).", atom(name)),
        FormKind::Behaviour(name) => return format!("-behaviour({}).", atom(name)),
        FormKind::ExportAll => return "-compile(export_all).".to_owned(),
        FormKind::Type(form) => printer.type_form(form),
        FormKind::Function(form) => printer.function_form(form),
        FormKind::Record(form) => printer.record_form(form),
        FormKind::Export(names) => return format!("-export([{}]).", name_arities(names)),
        FormKind::ExportType(names) => return format!("-export_type([{}]).", name_arities(names)),
        FormKind::OptionalCallbacks(term) => {
            return match crate::constant::name_arities(term) {
                Some(names) => format!("-optional_callbacks([{}]).", name_arities(&names)),
                None => format!("-optional_callbacks({}).", constant(term)),
            };
        }
    }
    printer.0
}

/// A written type.
#[must_use]
pub fn written_type(ty: &Type) -> String {
    let print = || {
        let mut printer = Printer::default();
        printer.top_type(ty);
        printer.0
    };
    if nesting::is_deeper(ty, nesting::SHALLOW) {
        nesting::on_large_stack(print)
    } else {
        print()
    }
}

fn name_arities(names: &[(Name, i64)]) -> String {
    let each = names
        .iter()
        .map(|(name, arity)| format!("{}/{arity}", atom(name)));
    each.collect::<Vec<_>>().join(", ")
}

impl Printer {
    fn type_form(&mut self, form: &TypeForm) {
        self.text(match form.kind {
            TypeFormKind::Type => "-type ",
            TypeFormKind::Opaque => "-opaque ",
            TypeFormKind::Nominal => "-nominal ",
        });
        self.atom(&form.name);
        self.text("(");
        self.separated(&form.parameters, ", ", |printer, name| {
            printer.variable(name)
        });
        self.text(") :: ");
        self.top_type(&form.body);
        self.text(".");
    }

    fn function_form(&mut self, form: &FunctionForm) {
        self.text(match form.kind {
            FunctionFormKind::Spec => "-spec ",
            FunctionFormKind::Callback => "-callback ",
        });
        if let Some(module) = &form.module {
            self.atom(module);
            self.text(":");
        }
        self.atom(&form.name);
        self.separated(&form.clauses, "; ", Self::clause);
        self.text(".");
    }

    fn clause(&mut self, clause: &Clause) {
        self.signature(&clause.signature);
        if !clause.constraints.is_empty() {
            self.text(" when ");
            self.separated(&clause.constraints, ", ", |printer, constraint| {
                printer.variable(&constraint.variable);
                printer.text(" :: ");
                printer.top_type(&constraint.bound);
            });
        }
    }

    fn record_form(&mut self, form: &RecordForm) {
        self.text(if form.native { "-record #" } else { "-record(" });
        self.atom(&form.name);
        self.text(if form.native { "{" } else { ", {" });
        self.separated(&form.fields, ", ", Self::record_field);
        self.text(if form.native { "}." } else { "})." });
    }

    fn record_field(&mut self, field: &RecordField) {
        self.atom(&field.name);
        match &field.default {
            Some(FieldDefault::Literal(literal)) => {
                self.text(" = ");
                self.text(&constant(literal));
            }
            Some(FieldDefault::Negative(literal)) => {
                self.text(" = -");
                self.text(&constant(literal));
            }
            Some(FieldDefault::Expression) => self.text(" = '_default'"),
            None => {}
        }
        if let Some(ty) = &field.ty {
            self.text(" :: ");
            self.top_type(ty);
        }
    }
}
