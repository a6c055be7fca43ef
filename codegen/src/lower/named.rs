//! References to named types.

use otp_specs::types::{Type, TypeName};

use super::{Lowerer, Place};
use crate::facts::recursion::Node;
use crate::ir::RustType;
use crate::report::Reason;

impl Lowerer<'_> {
    pub(super) fn named(
        &mut self,
        ty: &Type,
        name: &TypeName,
        arguments: &[Type],
        place: &Place<'_>,
    ) -> RustType {
        if let Some(path) = self.shared.overrides.mapped.get(name) {
            return self.precise(by_user(path));
        }
        if self.shared.overrides.skipped.contains(name) {
            return self.fallback(ty, place, Reason::Skipped);
        }
        if let Some(mapped) = self.shared.mapped.0.get(name) {
            let reply = mapped.takes_reply.then(|| Box::new(RustType::TERM));
            let mapped = RustType::Mapped {
                path: mapped.path.clone(),
                reply,
            };
            return self.precise(mapped);
        }
        let rust = self.shared.names.get(&name.module);
        let Some(rust) = rust.and_then(|names| names.of_type(&name.name, name.arity)) else {
            let reason = if self.shared.world.has_module(&name.module) {
                Reason::UnknownType
            } else {
                Reason::OtherModule
            };
            return self.fallback(ty, place, reason);
        };
        let rust = rust.to_owned();
        let arguments = arguments
            .iter()
            .map(|argument| self.lower(argument, place))
            .collect();
        let item = RustType::Item {
            module: name.module.clone(),
            name: rust,
            arguments,
        };
        let item = self.precise(item);
        self.boxed_in(place, &Node::Type(name.clone()), item)
    }

    /// `item` in a box, where the owner would otherwise contain itself by value.
    pub(super) fn boxed_in(&self, place: &Place<'_>, inner: &Node, item: RustType) -> RustType {
        let recursive = place
            .owner
            .is_some_and(|owner| self.shared.recursion.boxed(owner, inner));
        if place.by_value && recursive {
            RustType::Standard("Box", vec![item])
        } else {
            item
        }
    }
}

/// The Rust type that a user has for an Erlang one.
pub(super) fn by_user(path: &str) -> RustType {
    RustType::Mapped {
        path: path.to_owned(),
        reply: None,
    }
}
