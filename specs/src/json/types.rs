//! JSON of written types.

use super::terms::Writer;
use crate::ast::{FieldType, Integer, MapField, Signature, Type, TypeKind};

impl Writer<'_> {
    pub(super) fn ty(&mut self, ty: &Type) {
        match &ty.kind {
            TypeKind::Variable(name) => self.variable(name),
            TypeKind::Annotated(name, inner) => self.tagged("ann_type", |writer| {
                writer.raw(",[");
                writer.variable(name);
                writer.raw(",");
                writer.ty(inner);
                writer.raw("]");
            }),
            TypeKind::Atom(name) => self.atom_node(name),
            TypeKind::Integer(integer) => self.integer_node(integer),
            TypeKind::Char(code) => self.tagged("char", |writer| {
                writer.raw(",");
                writer.raw(&code.to_string());
            }),
            TypeKind::Prefix(operator, operand) => {
                self.operator(operator.text(), &[operand]);
            }
            TypeKind::Infix(operator, left, right) => {
                self.operator(operator.text(), &[left, right]);
            }
            TypeKind::Range(low, high) => self.pair_type("range", low, high),
            TypeKind::Union(members) => self.named_type("type", "union", members),
            TypeKind::Builtin(name, arguments) => self.named_type("type", name, arguments),
            TypeKind::User(name, arguments) => self.named_type("user_type", name, arguments),
            TypeKind::Remote(remote) => self.tagged("remote_type", |writer| {
                writer.raw(",[");
                writer.atom_node(&remote.module);
                writer.raw(",");
                writer.atom_node(&remote.name);
                writer.raw(",");
                writer.types(&remote.arguments);
                writer.raw("]");
            }),
            TypeKind::Tuple(Some(elements)) => self.named_type("type", "tuple", elements),
            TypeKind::Tuple(None) => self.any_of("tuple"),
            TypeKind::Map(Some(fields)) => self.tagged("type", |writer| {
                writer.raw(",\"map\",");
                writer.list(fields, Self::map_field);
            }),
            TypeKind::Map(None) => self.any_of("map"),
            TypeKind::Record(record) => {
                self.record(record.module.as_deref(), &record.name, &record.fields);
            }
            TypeKind::Fun(Some(signature)) => self.signature(signature),
            TypeKind::Fun(None) => self.named_type("type", "fun", &[]),
            TypeKind::Bitstring(size, unit) => self.pair_type("binary", size, unit),
        }
    }

    pub(super) fn variable(&mut self, name: &str) {
        self.tagged("var", |writer| {
            writer.raw(",");
            writer.string(name);
        });
    }

    fn types(&mut self, types: &[Type]) {
        self.list(types, Self::ty);
    }

    fn integer_node(&mut self, integer: &Integer) {
        self.tagged("integer", |writer| {
            writer.raw(",");
            writer.integer(integer);
        });
    }

    /// `(type name [arguments])`
    fn named_type(&mut self, tag: &str, name: &str, arguments: &[Type]) {
        self.tagged(tag, |writer| {
            writer.raw(",");
            writer.string(name);
            writer.raw(",");
            writer.types(arguments);
        });
    }

    fn pair_type(&mut self, name: &str, first: &Type, second: &Type) {
        self.tagged("type", |writer| {
            writer.raw(",");
            writer.string(name);
            writer.raw(",[");
            writer.ty(first);
            writer.raw(",");
            writer.ty(second);
            writer.raw("]");
        });
    }

    /// `(type tuple any)`
    fn any_of(&mut self, name: &str) {
        self.tagged("type", |writer| {
            writer.raw(",");
            writer.string(name);
            writer.raw(",\"any\"");
        });
    }

    fn operator(&mut self, text: &str, operands: &[&Type]) {
        self.tagged("op", |writer| {
            writer.raw(",");
            writer.string(text);
            for operand in operands {
                writer.raw(",");
                writer.ty(operand);
            }
        });
    }

    fn map_field(&mut self, field: &MapField) {
        let kind = if field.required {
            "map_field_exact"
        } else {
            "map_field_assoc"
        };
        self.pair_type(kind, &field.key, &field.value);
    }

    /// `(type record [(atom name) fields…])`; a remote name is `(tuple [(atom m) (atom r)])`.
    fn record(&mut self, module: Option<&str>, name: &str, fields: &[FieldType]) {
        self.tagged("type", |writer| {
            writer.raw(",\"record\",[");
            match module {
                None => writer.atom_node(name),
                Some(module) => writer.tagged("tuple", |writer| {
                    writer.raw(",[");
                    writer.atom_node(module);
                    writer.raw(",");
                    writer.atom_node(name);
                    writer.raw("]");
                }),
            }
            for field in fields {
                writer.raw(",");
                writer.tagged("type", |writer| {
                    writer.raw(",\"field_type\",[");
                    writer.atom_node(&field.name);
                    writer.raw(",");
                    writer.ty(&field.ty);
                    writer.raw("]");
                });
            }
            writer.raw("]");
        });
    }

    /// `(type fun [(type product parameters) result])`
    pub(super) fn signature(&mut self, signature: &Signature) {
        self.tagged("type", |writer| {
            writer.raw(",\"fun\",[");
            match &signature.parameters {
                Some(parameters) => writer.named_type("type", "product", parameters),
                None => writer.raw("{\"t\":[\"type\",\"any\"]}"),
            }
            writer.raw(",");
            writer.ty(&signature.result);
            writer.raw("]");
        });
    }
}
