//! `-type`, `-opaque` and `-nominal` forms.

use otp_specs::types::{Type, TypeDef, TypeKind};

use super::named::by_user;
use super::place::type_parameters;
use super::union::normal;
use super::{Lowerer, Place};
use crate::facts::bare;
use crate::facts::recursion::Node;
use crate::facts::world::type_name;
use crate::ir::{Item, Kind};

impl Lowerer<'_> {
    /// The item of a definition.
    pub(super) fn definition(&mut self, definition: &TypeDef) {
        let form = format!("{}/{}", definition.name, definition.params.len());
        let names = self.shared.names.get(&self.module.name);
        let name = names.and_then(|names| names.of_type(&definition.name, definition.params.len()));
        let Some(name) = name.map(str::to_owned) else {
            return;
        };
        let skipped = &self.shared.overrides.skipped;
        if skipped.contains(&type_name(self.module, definition)) {
            return;
        }
        if self.items.iter().any(|item| item.name == name) {
            return self.diagnose(form, "is defined twice: the first definition counts");
        }
        if definition.body == Type::Invalid {
            self.diagnose(form, "could not be resolved: it becomes the dynamic `Term`");
        }
        let parameters = type_parameters(&definition.params);
        // The slot is taken before the body is lowered, so that named types come in source order
        // and before the unnamed ones that they hold.
        let slot = self.items.len();
        self.items.push(Item {
            name,
            erlang: definition.erlang.clone(),
            parameters: parameters.iter().map(|(_, rust)| rust.clone()).collect(),
            anonymous: false,
            kind: Kind::Tuple {
                tag: None,
                elements: Vec::new(),
            },
            derives: Vec::new(),
        });
        let kind = self.definition_kind(definition, &parameters);
        self.items[slot].kind = kind;
    }

    fn definition_kind(&mut self, definition: &TypeDef, parameters: &[(String, String)]) -> Kind {
        let name = type_name(self.module, definition);
        if let Some(path) = self.shared.overrides.mapped.get(&name) {
            return Kind::Alias(by_user(path));
        }
        if let Some(mapped) = self.shared.mapped.0.get(&name) {
            return Kind::Reexport(mapped.path.clone());
        }
        let node = Node::Type(name);
        let place = Place::top(&definition.name).owned(&node, parameters);
        if definition.kind == TypeKind::Opaque {
            return Kind::Newtype {
                inner: self.lower(&definition.body, &place.inside("Representation")),
                opaque: true,
            };
        }
        if let Some(kind) = self.structure(&definition.body, &place) {
            return kind;
        }
        let ty = self.lower(&definition.body, &place);
        match definition.kind {
            TypeKind::Opaque | TypeKind::Nominal => Kind::Newtype {
                inner: ty,
                opaque: false,
            },
            TypeKind::Transparent if self.shared.recursion.cyclic(&node) => Kind::Newtype {
                inner: ty,
                opaque: false,
            },
            TypeKind::Transparent => Kind::Alias(ty),
        }
    }

    /// The enum or struct that a type of its own has, if `body` is of that kind.
    fn structure(&mut self, body: &Type, place: &Place<'_>) -> Option<Kind> {
        match bare(body) {
            Type::Union(members) => {
                let members = normal(self.shared.world, members);
                match members.as_slice() {
                    [only] => self.structure(only, place),
                    _ if self.option_content(&members).is_some() => None,
                    _ => Some(Kind::Enum(self.variants(&members, place))),
                }
            }
            Type::Tuple(elements) if !elements.is_empty() => Some(self.tuple_kind(elements, place)),
            Type::Map(fields) => self.map_kind(fields, place),
            _ => None,
        }
    }
}
