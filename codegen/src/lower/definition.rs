//! `-type`, `-opaque` and `-nominal` forms.

use otp_specs::types::{Type, TypeDef, TypeKind, TypeName};

use super::drafts::Draft;
use super::map::map_kind;
use super::members::normal;
use super::named::by_user;
use super::position::{Position, type_parameters};
use super::record;
use super::tuple::tuple_kind;
use super::union::{is_boolean, option_content};
use super::variants::variants;
use super::{Context, lower};
use crate::catalog;
use crate::facts::bare;
use crate::facts::recursion::Node;
use crate::facts::scope::record_name;
use crate::facts::world::type_name;
use crate::ir::{ItemKind, RustType};

/// Lowers the selected types of a module, and the selected records of a header. Other records
/// become items when another item refers to them.
pub(super) fn definitions(
    cx: &mut Context<'_>,
    has_type: impl Fn(&TypeName) -> bool,
    has_record: impl Fn(&TypeName) -> bool,
) {
    let module = cx.module;
    for definition in &module.types {
        if has_type(&type_name(module, definition)) {
            self::definition(cx, definition);
        }
    }
    if cx.facts.scope.is_header(&module.name) {
        for record in &module.records {
            if has_record(&record_name(module, record)) {
                record::declared(cx, record);
            }
        }
    }
}

/// Adds the item of a definition.
fn definition(cx: &mut Context<'_>, definition: &TypeDef) {
    let form = format!("{}/{}", definition.name, definition.params.len());
    let name = type_name(cx.module, definition);
    let Some(plain) = cx.facts.names.of_type(&name) else {
        return;
    };
    if cx.facts.names.instance(&name).is_some() {
        return;
    }
    if cx.facts.overrides.skipped.contains(&name) {
        let parameters = type_parameters(plain, &definition.params);
        cx.hidden(|cx| _ = definition_kind(cx, definition, &parameters));
        cx.replaced.insert(plain.to_owned());
        return;
    }
    let rust = cx.facts.overrides.name(&cx.module.name, plain).to_owned();
    let known = cx.drafts.named(&rust);
    if known.is_some_and(|draft| draft.plain == plain) {
        return cx.diagnose(form, &catalog::DEFINED_TWICE);
    }
    if definition.body == Type::Invalid {
        cx.diagnose(form, &catalog::NOT_RESOLVED);
    }
    let parameters = type_parameters(&rust, &definition.params);
    // Named types are in source order, and come before the unnamed ones that they contain.
    let place = cx.drafts.reserve();
    let kind = match cx.facts.overrides.mapped.get(&name) {
        None => definition_kind(cx, definition, &parameters),
        Some(path) => {
            cx.hidden(|cx| _ = definition_kind(cx, definition, &parameters));
            ItemKind::Alias(by_user(path))
        }
    };
    let draft = Draft {
        plain: plain.to_owned(),
        erlang: definition.erlang.clone(),
        defaults: defaults(cx, &name, &parameters),
        parameters: parameters.into_iter().map(|(_, rust)| rust).collect(),
        anonymous: false,
        kind,
    };
    cx.drafts.fill(place, rust, draft);
}

/// Returns the parameters that may be left out.
fn defaults(cx: &Context<'_>, name: &TypeName, parameters: &[(String, String)]) -> Vec<String> {
    let required = cx.facts.names.required(name);
    let rust = parameters.iter().map(|(_, rust)| rust.clone());
    rust.skip(required).collect()
}

fn definition_kind(
    cx: &mut Context<'_>,
    definition: &TypeDef,
    parameters: &[(String, String)],
) -> ItemKind {
    let name = type_name(cx.module, definition);
    if let Some(mapped) = cx.facts.mapped.0.get(&name) {
        return ItemKind::Reexport(mapped.path.clone());
    }
    let is_provided = is_provided(cx, &name);
    let node = Node::Type(name);
    let position = Position::top(&definition.name).owned(&node, parameters);
    if definition.kind == TypeKind::Opaque {
        let inner = if is_provided {
            RustType::TERM
        } else {
            lower(cx, &definition.body, &position.inside("Representation"))
        };
        return ItemKind::Newtype {
            inner,
            opaque: true,
        };
    }
    if let Some(kind) = structure(cx, &definition.body, &position) {
        return kind;
    }
    let ty = lower(cx, &definition.body, &position);
    match definition.kind {
        TypeKind::Opaque | TypeKind::Nominal => ItemKind::Newtype {
            inner: ty,
            opaque: false,
        },
        TypeKind::Transparent if cx.facts.recursion.cyclic(&node) => ItemKind::Newtype {
            inner: ty,
            opaque: false,
        },
        TypeKind::Transparent => ItemKind::Alias(ty),
    }
}

/// Returns whether `otp-bridge` may have the type. Of an opaque type, only its name counts.
fn is_provided(cx: &Context<'_>, name: &TypeName) -> bool {
    let rust = cx.facts.names.of_type(name).unwrap_or_default();
    let item = (name.module.clone(), rust.to_owned());
    cx.facts.provided.contains_key(&item)
}

/// Returns the enum or struct of a type, if `body` is of that kind.
fn structure(cx: &mut Context<'_>, body: &Type, position: &Position<'_>) -> Option<ItemKind> {
    match bare(body) {
        Type::Union(members) => {
            let members = normal(cx.facts.world, members);
            match members.as_slice() {
                [only] => structure(cx, only, position),
                _ if is_boolean(&members) || option_content(cx, &members).is_some() => None,
                _ => Some(ItemKind::Enum(variants(cx, &members, position))),
            }
        }
        Type::Tuple(elements) if !elements.is_empty() => Some(tuple_kind(cx, elements, position)),
        Type::Map(fields) => map_kind(cx, fields, position),
        _ => None,
    }
}
