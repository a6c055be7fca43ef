//! Membership of terms in predefined types.

use otp_bridge::Term;
use otp_specs::types::{Builtin, Int, Type};

/// The answer of a predefined type about a term.
pub(super) enum Says {
    /// Whether the term is of the type.
    Is(bool),
    /// The type is equal to this one.
    SameAs(Type),
}

pub(super) fn of(builtin: Builtin, term: &Term) -> Says {
    Says::Is(match builtin {
        Builtin::Atom | Builtin::Module | Builtin::Node => matches!(term, Term::Atom(_)),
        Builtin::Boolean => is_atom(term, &["true", "false"]),
        Builtin::Integer => is_integer(term),
        Builtin::Float => matches!(term, Term::Float(_)),
        Builtin::Number => is_integer(term) || matches!(term, Term::Float(_)),
        Builtin::NonNegInteger => is_integer(term) && !is_negative(term),
        Builtin::PosInteger => is_integer(term) && !is_negative(term) && *term != Term::Integer(0),
        Builtin::NegInteger => is_negative(term),
        Builtin::Arity | Builtin::Byte => return up_to(255),
        Builtin::Char => return up_to(0x0010_ffff),
        Builtin::Pid => matches!(term, Term::Pid(_)),
        Builtin::Port => matches!(term, Term::Port(_)),
        Builtin::Reference => matches!(term, Term::Reference(_)),
        Builtin::Identifier => {
            matches!(term, Term::Pid(_) | Term::Port(_) | Term::Reference(_))
        }
        Builtin::Binary => matches!(term, Term::Binary(_)),
        Builtin::NonemptyBinary => matches!(term, Term::Binary(bytes) if !bytes.is_empty()),
        Builtin::Bitstring => matches!(term, Term::Binary(_) | Term::Bitstring(_)),
        Builtin::NonemptyBitstring => bits(term).is_some_and(|bits| bits > 0),
        Builtin::Function => matches!(term, Term::Fun(_)),
        Builtin::Tuple => matches!(term, Term::Tuple(_)),
        Builtin::Map => matches!(term, Term::Map(_)),
        Builtin::List => matches!(term, Term::List(_)),
        Builtin::NonemptyList => matches!(term, Term::List(parts) if !parts.is_empty()),
        Builtin::MaybeImproperList => matches!(term, Term::List(_) | Term::ImproperList(_)),
        Builtin::NonemptyMaybeImproperList => match term {
            Term::List(parts) => !parts.is_empty(),
            other => matches!(other, Term::ImproperList(_)),
        },
        Builtin::Iolist => is_iolist(term),
        Builtin::Iodata => matches!(term, Term::Binary(_)) || is_iolist(term),
        Builtin::String => return Says::SameAs(Type::List(character())),
        Builtin::NonemptyString => return Says::SameAs(Type::NonemptyList(character())),
        Builtin::Mfa => {
            let parts = [Builtin::Module, Builtin::Atom, Builtin::Arity];
            return Says::SameAs(Type::Tuple(parts.map(Type::Builtin).into()));
        }
        Builtin::Timeout => is_atom(term, &["infinity"]) || is_integer(term) && !is_negative(term),
        // The terms that are read include no native records.
        Builtin::Record => false,
    })
}

fn up_to(most: i128) -> Says {
    Says::SameAs(Type::Range(Int::Small(0), Int::Small(most)))
}

fn character() -> Box<Type> {
    Box::new(Type::Builtin(Builtin::Char))
}

fn is_atom(term: &Term, texts: &[&str]) -> bool {
    matches!(term, Term::Atom(atom) if texts.contains(&atom.text()))
}

fn is_integer(term: &Term) -> bool {
    matches!(term, Term::Integer(_) | Term::BigInteger(_))
}

fn is_negative(term: &Term) -> bool {
    is_integer(term) && *term < Term::Integer(0)
}

/// Returns the number of bits of a binary or bitstring.
pub(super) fn bits(term: &Term) -> Option<usize> {
    match term {
        Term::Binary(bytes) => Some(bytes.len() * 8),
        Term::Bitstring(bits) => Some(bits.bit_count()),
        _ => None,
    }
}

fn is_iolist(term: &Term) -> bool {
    let is_part = |part: &Term| match part {
        Term::Integer(byte) => (0..=255).contains(byte),
        Term::Binary(_) => true,
        other => is_iolist(other),
    };
    match term {
        Term::List(parts) => parts.iter().all(is_part),
        Term::ImproperList(list) => {
            list.elements().iter().all(is_part) && matches!(list.tail(), Term::Binary(_))
        }
        _ => false,
    }
}
