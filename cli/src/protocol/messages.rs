//! Which message a clause takes, and what it replies.

use otp_specs::types::Type;

use super::{Kind, union};

/// The types of a clause.
pub(super) struct Clause {
    arguments: Vec<Type>,
    returns: Vec<Type>,
}

/// A message, and its reply if that is known.
type Taken = (Kind, Type, Option<Type>);

impl Clause {
    /// A tuple of its argument types and of what it returns.
    pub(super) fn of(carrier: Type) -> Option<Clause> {
        let Type::Tuple(mut parts) = carrier else {
            return None;
        };
        let returns = match parts.pop()? {
            Type::Union(members) => members,
            one => vec![one],
        };
        Some(Clause {
            arguments: parts,
            returns,
        })
    }

    /// What stands at `index` of the tuples that begin with `tag` and have so many elements.
    fn returned(&self, tag: &str, index: usize, sizes: &[usize]) -> Option<Type> {
        let found = self.returns.iter().filter_map(|returned| match returned {
            Type::Tuple(elements) if sizes.contains(&elements.len()) => {
                let is_tagged = elements.first() == Some(&Type::Atom(tag.to_owned()));
                is_tagged.then(|| elements[index].clone())
            }
            _ => None,
        });
        let found: Vec<Type> = found.collect();
        (!found.is_empty()).then(|| union(found))
    }
}

/// The messages that a clause of a callback takes.
pub(super) fn taken(behaviour: &str, callback: &str, clause: &Clause) -> Vec<Taken> {
    let message = |index: usize| clause.arguments.get(index).cloned();
    let of = |kind, index, reply| message(index).map(|ty| (kind, ty, reply));
    let one = match (behaviour, callback) {
        ("gen_server", "handle_call") => of(Kind::Call, 0, clause.returned("reply", 1, &[3, 4])),
        ("gen_server", "handle_cast") => of(Kind::Cast, 0, None),
        ("gen_server" | "gen_event", "handle_info") => of(Kind::Info, 0, None),
        ("gen_event", "handle_event") => of(Kind::Event, 0, None),
        ("gen_event", "handle_call") => of(Kind::Call, 0, clause.returned("ok", 1, &[3, 4])),
        (
            "gen_statem",
            "init" | "callback_mode" | "terminate" | "code_change" | "format_status",
        ) => None,
        // A state's function, or `handle_event`. Its replies are actions, which say nothing of the call.
        ("gen_statem", _) => {
            let kinds = message(0).map(|ty| kinds(&ty)).unwrap_or_default();
            let each = kinds.into_iter().filter_map(|kind| of(kind, 1, None));
            return each.collect();
        }
        _ => None,
    };
    one.into_iter().collect()
}

/// The types of event that come from outside.
fn kinds(event_type: &Type) -> Vec<Kind> {
    match event_type {
        Type::Union(members) => members.iter().flat_map(kinds).collect(),
        Type::Atom(name) if name == "cast" => vec![Kind::Cast],
        Type::Atom(name) if name == "info" => vec![Kind::Info],
        Type::Tuple(elements) if elements.first() == Some(&Type::Atom("call".to_owned())) => {
            vec![Kind::Call]
        }
        _ => Vec::new(),
    }
}

/// What a message is called: by its type, its tag, or itself.
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
    use super::*;

    fn atom(name: &str) -> Type {
        Type::Atom(name.to_owned())
    }

    #[test]
    fn a_reply_is_what_all_returns_reply() {
        let reply = |of: &str| Type::Tuple(vec![atom("reply"), atom(of), Type::Any]);
        let stop = Type::Tuple(vec![atom("stop"), Type::Any, Type::Any]);
        let returns = Type::Union(vec![reply("ok"), stop, reply("ok"), reply("full")]);
        let carrier = Type::Tuple(vec![atom("put"), Type::Any, Type::Any, returns]);
        let clause = Clause::of(carrier).expect("a tuple");
        let expected = Type::Union(vec![atom("ok"), atom("full")]);
        let taken = taken("gen_server", "handle_call", &clause);
        assert_eq!(taken, [(Kind::Call, atom("put"), Some(expected))]);
    }

    #[test]
    fn a_machine_takes_what_comes_from_outside() {
        let call = Type::Tuple(vec![atom("call"), Type::Any]);
        let kinds = Type::Union(vec![call, atom("internal"), atom("cast")]);
        let carrier = Type::Tuple(vec![kinds, atom("push"), Type::Any, Type::Any]);
        let clause = Clause::of(carrier).expect("a tuple");
        let expected = [Kind::Call, Kind::Cast].map(|kind| (kind, atom("push"), None));
        assert_eq!(taken("gen_statem", "half open", &clause), expected);
        assert_eq!(taken("gen_statem", "terminate", &clause), []);
    }
}
