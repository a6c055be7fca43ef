//! Records: one item for each declaration that is used, one more for each refinement of it.

use otp_specs::types::{RecordField, Type, TypeName};

use super::{Lowerer, Place};
use crate::facts::recursion::Node;
use crate::ir::{Field, Item, Kind, RustType};
use crate::names::{Taken, snake};
use crate::report::Reason;
use crate::text;

impl Lowerer<'_> {
    pub(super) fn record(
        &mut self,
        ty: &Type,
        name: &TypeName,
        fields: &[RecordField],
        place: &Place<'_>,
    ) -> RustType {
        let declared = self
            .shared
            .world
            .record(name)
            .filter(|_| name.module == self.module.name);
        let Some(declared) = declared else {
            return self.fallback(ty, place, Reason::OtherModule);
        };
        // Inside a record's own fields only the refined ones are listed.
        let effective = |field: &RecordField| {
            let refined = fields.iter().find(|refined| refined.name == field.name);
            refined.unwrap_or(field).clone()
        };
        let fields: Vec<RecordField> = declared.fields.iter().map(effective).collect();
        if declared.fields != fields {
            let kind = self.record_kind(&name.name, &fields, &place.outside_clause());
            let names = [format!("{}Record", place.name())];
            return self.anonymous(&names, text::erlang(ty), kind, place);
        }
        let rust = self.shared.names.get(&name.module);
        let Some(rust) = rust.and_then(|names| names.of_record(&name.name)) else {
            return self.fallback(ty, place, Reason::UnknownType);
        };
        let rust = rust.to_owned();
        let node = Node::record(name);
        if self.records.insert(name.name.clone()) {
            self.record_item(&rust, &name.name, &fields, &node);
        }
        let item = RustType::Item {
            module: name.module.clone(),
            name: rust,
            arguments: Vec::new(),
        };
        let item = self.precise(item);
        self.boxed_in(place, &node, item)
    }

    fn record_item(&mut self, rust: &str, tag: &str, fields: &[RecordField], node: &Node) {
        let place = Place::top(rust).owned(node, &[]);
        let kind = self.record_kind(tag, fields, &place);
        self.items.push(Item {
            name: rust.to_owned(),
            erlang: format!("#{}{{}}", text::atom(tag)),
            parameters: Vec::new(),
            anonymous: false,
            kind,
            derives: Vec::new(),
        });
    }

    fn record_kind(&mut self, tag: &str, fields: &[RecordField], place: &Place<'_>) -> Kind {
        let mut taken = Taken::default();
        let mut lowered = Vec::new();
        for field in fields {
            let ty = self.lower(&field.ty, &place.inside(&field.name));
            lowered.push(Field {
                name: taken.claim(&snake(&field.name)),
                key: field.name.clone(),
                required: true,
                ty,
                erlang: format!("{} :: {}", text::atom(&field.name), text::erlang(&field.ty)),
            });
        }
        Kind::Record {
            tag: tag.to_owned(),
            fields: lowered,
        }
    }
}
