//! `-callback` forms.

use std::collections::BTreeMap;

use otp_specs::types::{Function, Type};

use super::result::mentions;
use super::union::normal;
use super::{Lowerer, Place};
use crate::facts::clauses::{Signature, signature};
use crate::facts::roles::REQUEST;
use crate::facts::type_names::with_arity;
use crate::facts::{annotation, bare};
use crate::ir::{Argument, Callback, Item, Kind, Reply, Role, RustType};
use crate::names::{Taken, camel, snake};

impl Lowerer<'_> {
    /// Lowers one callback. `smallest` tells which arity of a name goes without it.
    pub(super) fn callback(
        &mut self,
        function: &Function,
        smallest: &BTreeMap<&str, usize>,
    ) -> Callback {
        let plain = with_arity(String::new(), &function.name, function.arity, smallest);
        let name = format!("{}{plain}", camel(&function.name));
        let method = match plain.as_str() {
            "" => snake(&function.name),
            arity => format!("{}_{arity}", snake(&function.name)),
        };
        let signature = signature(function);
        let returns = self.returns(&name, &signature.result);
        let mut arguments = self.arguments(&name, &signature);
        let reply = self.reply(&signature, &arguments, mentions(&returns, "Reply"));
        if reply == Reply::OfRequest {
            for argument in &mut arguments {
                argument.ty = with_reply(&argument.ty);
            }
        }
        let return_trait = self.taken.claim(&format!("{name}Return"));
        Callback {
            function: function.name.clone(),
            arity: function.arity,
            optional: function.optional,
            erlang: function.erlang.clone(),
            returns_state: mentions(&returns, "State"),
            name,
            method,
            arguments,
            return_trait,
            returns,
            forms: Vec::new(),
            reply,
        }
    }

    fn reply(&self, signature: &Signature, arguments: &[Argument], in_clause: bool) -> Reply {
        let request = |argument: &Argument| argument.role == Role::Open && argument.name == REQUEST;
        if !in_clause && !self.has_reply(&signature.result) {
            Reply::Absent
        } else if arguments.iter().any(request) {
            Reply::OfRequest
        } else if in_clause {
            Reply::Dynamic
        } else {
            Reply::Absent
        }
    }

    fn arguments(&mut self, callback: &str, signature: &Signature) -> Vec<Argument> {
        let roles = self.roles.of_arguments(self.shared.world, signature);
        let mut names = Taken::default();
        let mut identifiers = Taken::default();
        // What generated code has for type parameters of its own.
        for reserved in ["Reply", "State", "T"] {
            names.claim(reserved);
        }
        identifiers.claim("cx");
        let mut arguments = Vec::new();
        for (index, (ty, role)) in signature.arguments.iter().zip(roles).enumerate() {
            let wanted = match annotation(ty) {
                Some(name) => name.trim_start_matches('_').to_owned(),
                None => format!("Argument{}", index + 1),
            };
            let name = match role {
                Role::State => "State".to_owned(),
                Role::Args | Role::Open | Role::Fixed => names.claim(&camel(&wanted)),
            };
            let identifier = match role {
                Role::State => "state".to_owned(),
                Role::Args | Role::Open | Role::Fixed => identifiers.claim(&snake(&wanted)),
            };
            let ty = self.argument_type(callback, &name, role, ty);
            arguments.push(Argument {
                name,
                identifier,
                role,
                ty,
            });
        }
        arguments
    }

    fn argument_type(&mut self, callback: &str, name: &str, role: Role, ty: &Type) -> RustType {
        match role {
            Role::State => self.precise(RustType::Parameter("State".to_owned())),
            Role::Args | Role::Open => {
                if let Type::Union(members) = bare(ty) {
                    self.open_union(callback, name, members);
                }
                self.precise(RustType::Parameter(name.to_owned()))
            }
            Role::Fixed => self.lower(bare(ty), &Place::top(callback).inside(name)),
        }
    }

    /// An enum that decodes whatever an open argument with a union type may be.
    fn open_union(&mut self, callback: &str, name: &str, members: &[Type]) {
        let place = Place::top(callback).inside(name);
        let members = normal(self.shared.world, members);
        let variants = self.variants(&members, &place);
        let item = Item {
            name: self.taken.claim(&place.name()),
            erlang: crate::text::erlang(&Type::Union(members)),
            parameters: Vec::new(),
            anonymous: true,
            kind: Kind::Enum(variants),
            conversions: Vec::new(),
        };
        self.items.push(item);
    }
}

/// `ty` with the reply of the request where a type written by hand takes it.
fn with_reply(ty: &RustType) -> RustType {
    match ty {
        RustType::Mapped {
            path,
            reply: Some(_),
        } => RustType::Mapped {
            path: path.clone(),
            reply: Some(Box::new(RustType::Parameter("Reply".to_owned()))),
        },
        other => other.map_children(&mut with_reply),
    }
}
