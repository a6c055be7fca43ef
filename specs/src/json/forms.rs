//! JSON of forms.

use super::Head;
use super::terms::Writer;
use crate::ast::{
    Clause, Constant, Constraint, FieldDefault, FormKind, FunctionForm, Name, RecordField,
    RecordForm, TypeForm,
};

impl Writer<'_> {
    /// `{"t":["attribute","kind",…]}`
    pub(super) fn form(&mut self, form: &FormKind) {
        let Some(head) = Head::of(form) else {
            return;
        };
        self.tagged("attribute", |writer| {
            writer.raw(",");
            writer.string(head.kind);
            writer.raw(",");
            match form {
                FormKind::Type(form) => writer.type_form(form),
                FormKind::Function(form) => writer.function_form(form),
                FormKind::Record(form) => writer.record_form(form),
                FormKind::ExportType(names) => writer.names(names),
                FormKind::OptionalCallbacks(term) => writer.constant(term),
                FormKind::Module(_)
                | FormKind::Export(_)
                | FormKind::ExportAll
                | FormKind::Behaviour(_) => {}
            }
        });
    }

    fn names(&mut self, names: &[(Name, i64)]) {
        self.list(names, |writer, (name, arity)| {
            writer.name_arity(name, *arity)
        });
    }

    fn type_form(&mut self, form: &TypeForm) {
        self.tagged(&form.name, |writer| {
            writer.raw(",");
            writer.ty(&form.body);
            writer.raw(",");
            writer.list(&form.parameters, |writer, name| writer.variable(name));
        });
    }

    fn function_form(&mut self, form: &FunctionForm) {
        let arity = i64::try_from(form.arity).unwrap_or(i64::MAX);
        self.raw("{\"t\":[");
        match &form.module {
            None => self.name_arity(&form.name, arity),
            Some(module) => self.tagged(module, |writer| {
                writer.raw(",");
                writer.string(&form.name);
                writer.raw(",");
                writer.raw(&arity.to_string());
            }),
        }
        self.raw(",");
        self.list(&form.clauses, Self::clause);
        self.raw("]}");
    }

    fn clause(&mut self, clause: &Clause) {
        if clause.constraints.is_empty() {
            return self.signature(&clause.signature);
        }
        self.tagged("type", |writer| {
            writer.raw(",\"bounded_fun\",[");
            writer.signature(&clause.signature);
            writer.raw(",");
            writer.list(&clause.constraints, Self::constraint);
            writer.raw("]");
        });
    }

    fn constraint(&mut self, constraint: &Constraint) {
        self.tagged("type", |writer| {
            writer.raw(",\"constraint\",[");
            writer.atom_node("is_subtype");
            writer.raw(",[");
            writer.variable(&constraint.variable);
            writer.raw(",");
            writer.ty(&constraint.bound);
            writer.raw("]]");
        });
    }

    fn record_form(&mut self, form: &RecordForm) {
        self.tagged(&form.name, |writer| {
            writer.raw(",");
            writer.list(&form.fields, Self::record_field);
        });
    }

    fn record_field(&mut self, field: &RecordField) {
        let Some(ty) = &field.ty else {
            return self.untyped_field(field);
        };
        self.tagged("typed_record_field", |writer| {
            writer.raw(",");
            writer.untyped_field(field);
            writer.raw(",");
            writer.ty(ty);
        });
    }

    fn untyped_field(&mut self, field: &RecordField) {
        self.tagged("record_field", |writer| {
            writer.raw(",");
            writer.atom_node(&field.name);
            if let Some(default) = &field.default {
                writer.raw(",");
                writer.default(default);
            }
        });
    }

    fn default(&mut self, default: &FieldDefault) {
        match default {
            FieldDefault::Literal(literal) => self.literal(literal),
            FieldDefault::Negative(literal) => self.tagged("op", |writer| {
                writer.raw(",\"-\",");
                writer.literal(literal);
            }),
            FieldDefault::Expression => self.string("_default"),
        }
    }

    /// The node of a literal, `{"t":["integer",1]}`.
    fn literal(&mut self, literal: &Constant) {
        let tag = match literal {
            Constant::Atom(_) => "atom",
            Constant::Integer(_) => "integer",
            Constant::Float(_) => "float",
            Constant::Char(_) => "char",
            Constant::String(_) => "string",
            _ => return self.tagged("nil", |_| {}),
        };
        self.tagged(tag, |writer| {
            writer.raw(",");
            writer.constant(literal);
        });
    }
}
