//! Types as Erlang text, with parentheses where the tree needs them.

use super::terms;
use crate::ast::{Integer, MapField, Operator, RecordType, Signature, Type, TypeKind};

/// The text that is being written.
#[derive(Default)]
pub(super) struct Printer(pub(super) String);

/// How tightly a type binds: a looser type inside a tighter one gets parentheses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Annotation,
    Union,
    Range,
    Sum,
    Product,
    Prefix,
    Primary,
}

impl Printer {
    pub(super) fn text(&mut self, text: &str) {
        self.0.push_str(text);
    }

    pub(super) fn atom(&mut self, name: &str) {
        self.0.push_str(&terms::atom(name));
    }

    pub(super) fn variable(&mut self, name: &str) {
        self.0.push_str(&terms::variable(name));
    }

    pub(super) fn separated<T>(
        &mut self,
        items: &[T],
        separator: &str,
        mut print: impl FnMut(&mut Self, &T),
    ) {
        for (index, item) in items.iter().enumerate() {
            if index > 0 {
                self.text(separator);
            }
            print(self, item);
        }
    }

    pub(super) fn top_type(&mut self, ty: &Type) {
        self.at_level(ty, Level::Annotation);
    }

    pub(super) fn signature(&mut self, signature: &Signature) {
        self.text("(");
        match &signature.parameters {
            Some(parameters) => self.types(parameters),
            None => self.text("..."),
        }
        self.text(") -> ");
        self.top_type(&signature.result);
    }

    fn types(&mut self, types: &[Type]) {
        self.separated(types, ", ", Self::top_type);
    }

    fn at_level(&mut self, ty: &Type, level: Level) {
        if level_of(ty) >= level {
            return self.bare(ty);
        }
        self.text("(");
        self.bare(ty);
        self.text(")");
    }

    fn bare(&mut self, ty: &Type) {
        match &ty.kind {
            TypeKind::Variable(name) => self.variable(name),
            TypeKind::Annotated(name, inner) => {
                self.variable(name);
                self.text(" :: ");
                self.top_type(inner);
            }
            TypeKind::Atom(name) => self.atom(name),
            TypeKind::Integer(integer) => self.text(&integer.text()),
            TypeKind::Char(code) => self.text(&terms::character(*code)),
            TypeKind::Prefix(..) | TypeKind::Infix(..) | TypeKind::Range(..) => self.operator(ty),
            TypeKind::Union(members) => self.union(members),
            TypeKind::Builtin(name, arguments) => self.builtin(name, arguments),
            TypeKind::User(name, arguments) => self.call(name, arguments),
            TypeKind::Remote(remote) => {
                self.atom(&remote.module);
                self.text(":");
                self.call(&remote.name, &remote.arguments);
            }
            TypeKind::Tuple(Some(elements)) => {
                self.text("{");
                self.types(elements);
                self.text("}");
            }
            TypeKind::Tuple(None) => self.text("tuple()"),
            TypeKind::Map(Some(fields)) => {
                self.text("#{");
                self.separated(fields, ", ", Self::map_field);
                self.text("}");
            }
            TypeKind::Map(None) => self.text("map()"),
            TypeKind::Record(record) => self.record(record),
            TypeKind::Fun(Some(signature)) => {
                self.text("fun(");
                self.signature(signature);
                self.text(")");
            }
            TypeKind::Fun(None) => self.text("fun()"),
            TypeKind::Bitstring(size, unit) => self.bitstring(size, unit),
        }
    }

    /// Writes members without parentheses, except an annotation or a union that would swallow the
    /// following members.
    fn union(&mut self, members: &[Type]) {
        let last = members.len().saturating_sub(1);
        for (index, member) in members.iter().enumerate() {
            if index > 0 {
                self.text(" | ");
            }
            let annotated = matches!(member.kind, TypeKind::Annotated(..));
            let level = if index == last && annotated {
                Level::Annotation
            } else {
                Level::Range
            };
            self.at_level(member, level);
        }
    }

    fn builtin(&mut self, name: &str, arguments: &[Type]) {
        match (name, arguments) {
            ("nil", []) => self.text("[]"),
            ("list", [element]) => {
                self.text("[");
                self.top_type(element);
                self.text("]");
            }
            ("nonempty_list", [element]) => {
                self.text("[");
                self.top_type(element);
                self.text(", ...]");
            }
            _ => self.call(name, arguments),
        }
    }

    fn call(&mut self, name: &str, arguments: &[Type]) {
        self.atom(name);
        self.text("(");
        self.types(arguments);
        self.text(")");
    }

    fn map_field(&mut self, field: &MapField) {
        self.top_type(&field.key);
        self.text(if field.required { " := " } else { " => " });
        self.top_type(&field.value);
    }

    fn record(&mut self, record: &RecordType) {
        self.text("#");
        if let Some(module) = &record.module {
            self.atom(module);
            self.text(":");
        }
        self.atom(&record.name);
        self.text("{");
        self.separated(&record.fields, ", ", |printer, field| {
            printer.atom(&field.name);
            printer.text(" :: ");
            printer.top_type(&field.ty);
        });
        self.text("}");
    }

    fn bitstring(&mut self, size: &Type, unit: &Type) {
        let zero = |ty: &Type| ty.kind == TypeKind::Integer(Integer::Small(0));
        let part = |printer: &mut Self, sign: &str, ty: &Type| {
            printer.text(sign);
            printer.at_level(ty, Level::Range);
        };
        self.text("<<");
        if !zero(size) {
            part(self, "_:", size);
        }
        if !zero(unit) {
            part(self, if zero(size) { "_:_*" } else { ", _:_*" }, unit);
        }
        self.text(">>");
    }

    fn operator(&mut self, ty: &Type) {
        match &ty.kind {
            TypeKind::Prefix(operator, operand) => {
                self.text(operator.text());
                if matches!(operator, Operator::Not | Operator::Bnot) {
                    self.text(" ");
                }
                let start = self.0.len();
                self.at_level(operand, Level::Prefix);
                // `- -1`: without the blank, the two signs would be another operator.
                if self.0[start..].starts_with(operator.text()) {
                    self.0.insert(start, ' ');
                }
            }
            TypeKind::Infix(operator, left, right) => {
                let level = level_of(ty);
                self.at_level(left, level);
                self.text(" ");
                self.text(operator.text());
                self.text(" ");
                self.at_level(right, tighter(level));
            }
            TypeKind::Range(low, high) => {
                self.at_level(low, Level::Sum);
                self.text("..");
                self.at_level(high, Level::Sum);
            }
            _ => {}
        }
    }
}

fn tighter(level: Level) -> Level {
    if level == Level::Sum {
        Level::Product
    } else {
        Level::Prefix
    }
}

fn level_of(ty: &Type) -> Level {
    match &ty.kind {
        TypeKind::Annotated(..) => Level::Annotation,
        TypeKind::Union(_) => Level::Union,
        TypeKind::Range(..) => Level::Range,
        TypeKind::Prefix(..) => Level::Prefix,
        TypeKind::Infix(operator, ..) => match operator {
            Operator::Times
            | Operator::Slash
            | Operator::Div
            | Operator::Rem
            | Operator::Band
            | Operator::And => Level::Product,
            _ => Level::Sum,
        },
        _ => Level::Primary,
    }
}
