//! The messages that clauses take, and their replies.

use otp_contract::callback::{CallbackKind, ReplyPosition};
use otp_contract::manifest::Callback;
use otp_specs::types::Type;

use super::{MessageKind, union};

pub(super) struct ClauseTypes {
    arguments: Vec<Type>,
    returns: Vec<Type>,
}

/// A message, and its reply if that is known.
type Taken = (MessageKind, Type, Option<Type>);

impl ClauseTypes {
    /// Reads them from a tuple of the clause's argument types and its return type.
    pub(super) fn of(carrier: Type) -> Option<ClauseTypes> {
        let Type::Tuple(mut parts) = carrier else {
            return None;
        };
        let returns = match parts.pop()? {
            Type::Union(members) => members,
            one => vec![one],
        };
        Some(ClauseTypes {
            arguments: parts,
            returns,
        })
    }

    /// Returns the type of the reply, at its position in the returned tuples.
    fn reply(&self, positions: &[ReplyPosition]) -> Option<Type> {
        let found = self.returns.iter().filter_map(|returned| {
            let Type::Tuple(elements) = returned else {
                return None;
            };
            let is_it = |position: &&ReplyPosition| {
                let tag = Type::Atom(position.tag.clone());
                position.size == elements.len() && elements.first() == Some(&tag)
            };
            let position = positions.iter().find(is_it)?;
            elements.get(position.index).cloned()
        });
        let found: Vec<Type> = found.collect();
        (!found.is_empty()).then(|| union(found))
    }
}

/// Returns the messages that a clause of a callback takes.
pub(super) fn taken(callback: &Callback, clause: &ClauseTypes) -> Vec<Taken> {
    let facts = callback.facts;
    let message = facts.message.and_then(|index| clause.arguments.get(index));
    let (Some(message), Some(kind)) = (message, kind(facts.kind)) else {
        return Vec::new();
    };
    if let Some(event_type) = facts.event_type {
        // In this case, replies are actions, which do not depend on the call.
        let kinds = clause.arguments.get(event_type).map(kinds);
        let each = kinds.unwrap_or_default().into_iter();
        return each.map(|kind| (kind, message.clone(), None)).collect();
    }
    vec![(kind, message.clone(), clause.reply(&callback.replies))]
}

/// Returns how the messages of such a callback are sent to a process, if other processes send them.
pub(super) fn kind(of: CallbackKind) -> Option<MessageKind> {
    match of {
        CallbackKind::Call => Some(MessageKind::Call),
        CallbackKind::Cast => Some(MessageKind::Cast),
        CallbackKind::Event => Some(MessageKind::Event),
        CallbackKind::Info => Some(MessageKind::Info),
        CallbackKind::Init
        | CallbackKind::Start
        | CallbackKind::Continue
        | CallbackKind::Phase
        | CallbackKind::Change
        | CallbackKind::Status
        | CallbackKind::Mode
        | CallbackKind::End
        | CallbackKind::Other => None,
    }
}

/// Returns the types of event that come from other processes.
fn kinds(event_type: &Type) -> Vec<MessageKind> {
    match event_type {
        Type::Union(members) => members.iter().flat_map(kinds).collect(),
        Type::Atom(name) if name == "cast" => vec![MessageKind::Cast],
        Type::Atom(name) if name == "info" => vec![MessageKind::Info],
        Type::Tuple(elements) if elements.first() == Some(&Type::Atom("call".to_owned())) => {
            vec![MessageKind::Call]
        }
        _ => Vec::new(),
    }
}

/// Returns the name of a message: that of its type, its tag, or the atom itself.
pub(super) fn name(message: &Type) -> Option<String> {
    match message {
        Type::Named(name, _) => Some(name.name.clone()),
        Type::Atom(name) => Some(name.clone()),
        Type::Annotated(_, of) => name(of),
        Type::Tuple(elements) => match elements.first() {
            Some(Type::Atom(tag)) => Some(tag.clone()),
            _ => None,
        },
        Type::Any => Some("any".to_owned()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use otp_contract::callback::CallbackFacts;
    use otp_contract::manifest::Signature;

    use super::*;

    fn atom(name: &str) -> Type {
        Type::Atom(name.to_owned())
    }

    /// A callback with the message at this position.
    fn callback(kind: CallbackKind, message: usize, event_type: Option<usize>) -> Callback {
        Callback {
            id: 0,
            name: "handle".to_owned(),
            arity: 3,
            doc: String::new(),
            facts: CallbackFacts {
                message: Some(message),
                event_type,
                ..CallbackFacts::of(kind)
            },
            replies: [(3, 1), (4, 2)]
                .map(|(size, index)| ReplyPosition {
                    tag: if index == 1 { "reply" } else { "stop" }.to_owned(),
                    size,
                    index,
                })
                .to_vec(),
            answer: Vec::new(),
            signature: Signature::default(),
            clauses: Vec::new(),
        }
    }

    #[test]
    fn a_reply_is_what_all_returns_reply() {
        let reply = |of: &str| Type::Tuple(vec![atom("reply"), atom(of), Type::Any]);
        let stop = Type::Tuple(vec![atom("stop"), Type::Any, Type::Any]);
        let last = Type::Tuple(vec![atom("stop"), Type::Any, atom("gone"), Type::Any]);
        let returns = Type::Union(vec![reply("ok"), stop, reply("ok"), reply("full"), last]);
        let carrier = Type::Tuple(vec![atom("put"), Type::Any, Type::Any, returns]);
        let clause = ClauseTypes::of(carrier).expect("a tuple");
        let expected = Type::Union(vec![atom("ok"), atom("full"), atom("gone")]);
        let taken = taken(&callback(CallbackKind::Call, 0, None), &clause);
        assert_eq!(taken, [(MessageKind::Call, atom("put"), Some(expected))]);
    }

    #[test]
    fn a_machine_takes_what_comes_from_outside() {
        let call = Type::Tuple(vec![atom("call"), Type::Any]);
        let kinds = Type::Union(vec![call, atom("internal"), atom("cast")]);
        let carrier = Type::Tuple(vec![kinds, atom("push"), Type::Any, Type::Any]);
        let clause = ClauseTypes::of(carrier).expect("a tuple");
        let expected =
            [MessageKind::Call, MessageKind::Cast].map(|kind| (kind, atom("push"), None));
        let of_state = callback(CallbackKind::Event, 1, Some(0));
        assert_eq!(taken(&of_state, &clause), expected);
        let end = callback(CallbackKind::End, 1, None);
        assert_eq!(taken(&end, &clause), []);
    }
}
