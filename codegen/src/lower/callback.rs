//! `-callback` forms.

use std::collections::BTreeMap;

use std::sync::Arc;

use otp_contract::behaviour::{REQUEST, Role};
use otp_specs::types::{Function, Type};

use super::result::mentions;
use super::union::normal;
use super::{Lowerer, Place};
use crate::facts::clauses::{Share, Signature, shares};
use crate::facts::rewrite::rewrite;
use crate::facts::type_names::with_arity;
use crate::facts::{DEPTH, annotation, bare};
use crate::ir::{Argument, Callback, Choice, Item, Kind, REPLY, Reply, RustType};
use crate::names::{Taken, camel, snake};
use crate::text;

impl Lowerer<'_> {
    /// Lowers one form, mostly to one callback. `smallest` tells which arity of a name goes without
    /// it.
    pub(super) fn callbacks(
        &mut self,
        function: &Function,
        smallest: &BTreeMap<&str, usize>,
    ) -> Vec<Callback> {
        let plain = with_arity(String::new(), &function.name, function.arity, smallest);
        let name = format!("{}{plain}", camel(&function.name));
        let method = match plain.as_str() {
            "" => snake(&function.name),
            arity => format!("{}_{arity}", snake(&function.name)),
        };
        let any_name = self.roles.of_any_name(self.module, function);
        let mut lowered = Vec::new();
        for mut share in shares(function) {
            if let Some(name) = &any_name {
                // The name of the function is the name of the state: any of them.
                share.signature.result =
                    rewrite(&share.signature.result, DEPTH, &mut |part| match part {
                        Type::Atom(atom) if *atom == function.name => {
                            Some(Type::Named(Arc::new(name.clone()), Vec::new()))
                        }
                        _ => None,
                    });
            }
            let (name, method) = match &share.told_by {
                Some((_, atom)) => (
                    format!("{name}{}", camel(atom)),
                    format!("{method}_{}", snake(atom)),
                ),
                None => (name.clone(), method.clone()),
            };
            let mut callback = self.callback(function, &share, name, method);
            callback.any_name = any_name.is_some();
            lowered.extend(self.split(callback, &share));
        }
        lowered
    }

    fn callback(
        &mut self,
        function: &Function,
        share: &Share,
        name: String,
        method: String,
    ) -> Callback {
        let own = self.roles.state_name();
        let result = &share.signature.result;
        let makes = self.roles.makes_state(function, share);
        let returns = self.returns(&name, result, makes);
        let mut arguments = self.arguments(&name, share);
        let signature = self.callback_signature(share, &arguments);
        let reply = self.reply(&share.signature, &arguments, mentions(&returns, REPLY));
        if reply == Reply::OfRequest {
            for argument in &mut arguments {
                argument.ty = with_reply(&argument.ty);
            }
        }
        let takes = |role: Role| arguments.iter().any(|argument| argument.role == role);
        let chosen = self.roles.chosen_name();
        let returns_chosen = chosen.as_ref().is_some_and(|name| mentions(&returns, name));
        let chosen = chosen.filter(|_| returns_chosen || takes(Role::Chosen));
        let return_trait = self.taken.claim(&format!("{name}Return"));
        Callback {
            function: function.name.clone(),
            arity: function.arity,
            optional: function.optional,
            erlang: function.erlang.clone(),
            name,
            written: method.clone(),
            method,
            any_name: false,
            answer: None,
            makes_state: mentions(&returns, &own),
            returns_reply: mentions(&returns, REPLY),
            own,
            chosen,
            arguments,
            return_trait,
            returns,
            notes: self.notes(result, makes),
            condition: None,
            reply,
            returns_chosen,
            signature,
        }
    }

    /// What there is to say of a result without the state that its form has.
    fn notes(&self, result: &Type, makes: bool) -> Vec<String> {
        let left_out = (!makes).then(|| self.word_for_state(result)).flatten();
        let note = left_out.map(|word| {
            format!("`{word}` is left out: the state stays where it is, behind `&mut self`")
        });
        note.into_iter().collect()
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

    fn arguments(&mut self, callback: &str, share: &Share) -> Vec<Argument> {
        let roles = self.roles.of_arguments(share);
        let own = self.roles.state_name();
        let mut names = Taken::default();
        let mut identifiers = Taken::default();
        // What generated code has for type parameters of its own.
        names.claim(REPLY);
        names.claim("T");
        names.claim(&own);
        if let Some(chosen) = self.roles.chosen_name() {
            names.claim(&chosen);
        }
        identifiers.claim("cx");
        identifiers.claim("call");
        let mut arguments = Vec::new();
        for (index, (ty, role)) in share.signature.arguments.iter().zip(roles).enumerate() {
            let wanted = match argument_name(ty) {
                Some(name) => name.trim_start_matches('_').to_owned(),
                None => format!("Argument{}", index + 1),
            };
            let name = match role {
                Role::State => own.clone(),
                _ => names.claim(&camel(&wanted)),
            };
            let identifier = match role {
                Role::State => identifiers.claim(&snake(&own)),
                _ => identifiers.claim(&snake(&wanted)),
            };
            let choice = match share.choice {
                Some(position) if position == index => self.choice(callback, ty),
                _ => None,
            };
            let ty = self.argument_type(callback, &name, role, ty);
            arguments.push(Argument {
                name,
                identifier,
                role,
                ty,
                choice,
            });
        }
        arguments
    }

    fn argument_type(&mut self, callback: &str, name: &str, role: Role, ty: &Type) -> RustType {
        match role {
            Role::State => self.precise(RustType::Parameter(self.roles.state_name())),
            Role::Chosen => {
                let chosen = self.roles.chosen_name().unwrap_or_default();
                self.precise(RustType::Parameter(chosen))
            }
            Role::Literal => self.lower(bare(ty), &Place::top(callback)),
            Role::Args | Role::Open | Role::Choice => {
                if let Type::Union(members) = bare(ty) {
                    self.open_union(callback, name, members);
                }
                self.precise(RustType::Parameter(name.to_owned()))
            }
            Role::Fixed | Role::Caller | Role::Hidden => {
                self.lower(bare(ty), &Place::top(callback).inside(name))
            }
        }
    }

    /// The trait of what may stand in the position that tells clauses apart; `None` where the form
    /// has no named union there.
    fn choice(&mut self, callback: &str, ty: &Type) -> Option<String> {
        let union = self.lower(bare(ty), &Place::top(callback));
        let RustType::Item { name, .. } = &union else {
            return None;
        };
        if !self.is_enum(&union) {
            return None;
        }
        if let Some(known) = self.choices.iter().find(|choice| choice.union == union) {
            return Some(known.name.clone());
        }
        let name = self.taken.claim(&format!("{name}Of"));
        let erlang = text::erlang(bare(ty));
        self.choices.push(Choice {
            name: name.clone(),
            union,
            erlang,
        });
        Some(name)
    }

    /// An enum that decodes whatever an open argument with a union type may be.
    fn open_union(&mut self, callback: &str, name: &str, members: &[Type]) {
        let place = Place::top(callback).inside(name);
        let members = normal(self.shared.world, members);
        let variants = self.variants(&members, &place);
        let item = Item {
            name: self.taken.claim(&place.name()),
            erlang: text::erlang(&Type::Union(members)),
            parameters: Vec::new(),
            anonymous: true,
            kind: Kind::Enum(variants),
            derives: Vec::new(),
        };
        self.items.push(item);
    }
}

/// What an argument is called: its annotation, or the name of its type.
fn argument_name(ty: &Type) -> Option<&str> {
    match ty {
        Type::Named(name, _) => Some(&name.name),
        other => annotation(other),
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
            reply: Some(Box::new(RustType::Parameter(REPLY.to_owned()))),
        },
        other => other.map_children(&mut with_reply),
    }
}
