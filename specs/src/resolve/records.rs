//! Records: their declarations, and uses that refine fields.

use std::sync::Arc;

use super::Resolver;
use super::variables::Scope;
use crate::ast::{self, FieldType, Location, Name};
use crate::catalog;
use crate::types::{Builtin, Record, RecordField, Type, TypeName};

impl<'a> Resolver<'a> {
    /// Resolves every `-record` whose values are tuples. A record inside a record's field has only
    /// its refined fields, because records may contain themselves.
    pub(super) fn records(&mut self) -> Vec<Record> {
        let declared = self.names.records.clone();
        let mut records = Vec::with_capacity(declared.len());
        for (entry, form) in declared {
            self.enter(&entry.file, Scope::None);
            let fields = form.fields.iter().map(|field| RecordField {
                name: field.name.to_string(),
                ty: field.ty.as_ref().map_or(Type::Any, |ty| self.ty(ty)),
            });
            let fields = fields.collect();
            records.push(Record {
                name: form.name.to_string(),
                fields,
                defaults: form
                    .fields
                    .iter()
                    .map(|field| field.default.clone())
                    .collect(),
                header: entry.header(),
            });
        }
        let forms = || self.names.records.iter().map(|(_, form)| *form);
        let by_name = forms().map(|form| form.name.as_str());
        self.records = by_name.zip(records.iter().cloned()).collect();
        let is_tuple = forms().map(|form| !form.native);
        let records = records.into_iter().zip(is_tuple);
        records.filter(|one| one.1).map(|one| one.0).collect()
    }

    /// `#name{field :: T}`, `#module:name{field :: T}`. A native record keeps no fields, because
    /// only Erlang reads them.
    pub(super) fn record_type(
        &mut self,
        at: Location,
        module: Option<&Name>,
        name: &Name,
        refined: &'a [FieldType],
    ) -> Type {
        let module = module.filter(|module| **module != self.names.module);
        let known = match module {
            Some(module) => self.remote_record(at, module, name),
            None if self.names.has_record(name) => true,
            None => {
                self.report(catalog::UNKNOWN_RECORD.at(at, name.as_str()));
                false
            }
        };
        if !known {
            return Type::Invalid;
        }
        let declared = match module {
            None => self
                .records
                .get(name.as_str())
                .map(|record| record.fields.clone()),
            Some(_) => None,
        };
        let nodes = declared.as_ref().map_or(0, Vec::len);
        if !self.spend(nodes, at, name) {
            return Type::Invalid;
        }
        let fields = match declared {
            Some(fields) => self.refined(fields, refined),
            None => refined.iter().map(|field| self.field(field)).collect(),
        };
        if module.is_some() || self.names.is_native(name) {
            return Type::Builtin(Builtin::Record);
        }
        let module = self.names.module.to_string();
        Type::Record(
            Arc::new(TypeName {
                module,
                name: name.to_string(),
                arity: 0,
            }),
            fields,
        )
    }

    fn refined(
        &mut self,
        mut fields: Vec<RecordField>,
        refined: &'a [FieldType],
    ) -> Vec<RecordField> {
        for field in refined {
            let ty = self.ty(&field.ty);
            match fields.iter_mut().find(|known| known.name == field.name) {
                Some(known) => known.ty = ty,
                None => {
                    let name = field.name.as_str();
                    self.report(catalog::UNKNOWN_FIELD.at(field.at, name));
                }
            }
        }
        fields
    }

    fn field(&mut self, field: &'a ast::FieldType) -> RecordField {
        RecordField {
            name: field.name.to_string(),
            ty: self.ty(&field.ty),
        }
    }
}
