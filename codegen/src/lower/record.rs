//! Records: one item for each declaration that is used, and one for each refinement of it.

use otp_specs::ast::Integer;
use otp_specs::types::{Constant, FieldDefault, Record, RecordField, Type, TypeName};

use super::drafts::Draft;
use super::named::boxed_in;
use super::position::Position;
use super::{Context, lower};
use crate::facts::recursion::Node;
use crate::facts::scope::record_name;
use crate::ir::{DefaultValue, Field, ItemKind, RustType};
use crate::names::Taken;
use crate::report::Reason;
use crate::text;

pub(super) fn record(
    cx: &mut Context<'_>,
    ty: &Type,
    name: &TypeName,
    fields: &[RecordField],
    position: &Position<'_>,
) -> RustType {
    let is_own = name.module == cx.module.name;
    let is_known = is_own || cx.facts.scope.is_header(&name.module);
    let declared = cx.facts.world.record(name).filter(|_| is_known);
    let Some(declared) = declared else {
        return cx.fallback(ty, position, Reason::OtherModule);
    };
    // Inside a record's own fields, only the refined ones are listed.
    let effective = |field: &RecordField| {
        let refined = fields.iter().find(|refined| refined.name == field.name);
        refined.unwrap_or(field).clone()
    };
    let fields: Vec<RecordField> = declared.fields.iter().map(effective).collect();
    if declared.fields != fields {
        let kind = record_kind(cx, declared, &fields, &position.outside_clause());
        let names: Vec<String> = position.names();
        let names: Vec<String> = names.iter().map(|name| format!("{name}Record")).collect();
        return cx.anonymous(&names, text::erlang(ty), kind, position);
    }
    let Some(plain) = cx.facts.names.of_record(&name.module, &name.name) else {
        return cx.fallback(ty, position, Reason::UnknownType);
    };
    if let Some(other) = cx.replaced(plain, &text::erlang(ty), position) {
        if cx.records.insert(name.name.clone()) {
            cx.hidden(|cx| record_item(cx, plain, declared, &Node::record(name)));
        }
        return other;
    }
    let node = Node::record(name);
    if is_own {
        self::declared(cx, declared);
    }
    let item = cx.reference(&name.module, plain, Vec::new());
    let item = cx.precise(item);
    boxed_in(cx, position, &node, item)
}

/// Adds the item of a declaration of this module, the first time that it is needed.
pub(super) fn declared(cx: &mut Context<'_>, record: &Record) {
    let name = record_name(cx.module, record);
    let plain = cx.facts.names.of_record(&name.module, &name.name);
    if let Some(plain) = plain.filter(|_| cx.records.insert(name.name.clone())) {
        record_item(cx, plain, record, &Node::record(&name));
    }
}

fn record_item(cx: &mut Context<'_>, plain: &str, declared: &Record, node: &Node) {
    let position = Position::top(plain).owned(node, &[]);
    let kind = record_kind(cx, declared, &declared.fields, &position);
    cx.add(Draft {
        plain: plain.to_owned(),
        erlang: format!("#{}{{}}", text::atom(&declared.name)),
        parameters: Vec::new(),
        defaults: Vec::new(),
        anonymous: false,
        kind,
    });
}

/// Returns the value that the VM uses if a record's field is not given.
fn default(declared: Option<&FieldDefault>) -> Option<Constant> {
    match declared {
        None => Some(Constant::Atom("undefined".into())),
        Some(FieldDefault::Literal(literal)) => Some(literal.clone()),
        Some(FieldDefault::Negative(Constant::Integer(integer))) => match integer {
            Integer::Small(number) => number
                .checked_neg()
                .map(|number| Constant::Integer(Integer::Small(number))),
            Integer::Big(_) => None,
        },
        Some(FieldDefault::Negative(Constant::Float(number))) => Some(Constant::Float(-number)),
        Some(FieldDefault::Negative(_) | FieldDefault::Expression) => None,
    }
}

fn record_kind(
    cx: &mut Context<'_>,
    declared: &Record,
    fields: &[RecordField],
    position: &Position<'_>,
) -> ItemKind {
    let mut taken = Taken::default();
    let mut lowered = Vec::new();
    for (index, field) in fields.iter().enumerate() {
        let given = declared.defaults.get(index).and_then(Option::as_ref);
        let ty = lower(cx, &field.ty, &position.inside(&field.name));
        lowered.push(Field {
            name: taken.claim_field(&field.name),
            key: field.name.clone(),
            required: true,
            ty,
            erlang: format!("{} :: {}", text::atom(&field.name), text::erlang(&field.ty)),
            default: default(given).map(DefaultValue),
        });
    }
    ItemKind::Record {
        tag: declared.name.clone(),
        fields: lowered,
    }
}
