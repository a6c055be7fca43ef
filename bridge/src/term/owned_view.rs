//! Reading owned terms.

use super::{AnyResource, DecodeError, Reader, Saved, StaticAtom, Term, TermKind, View, order};
use crate::term::types::{Atom, Bitstring, Float, Fun, Integer, Pid, Port, Reference};

impl<'a> View<'a> for &'a Term {
    fn kind(self) -> TermKind {
        match self {
            Term::Atom(_) => TermKind::Atom,
            Term::Integer(_) | Term::BigInteger(_) => TermKind::Integer,
            Term::Float(_) => TermKind::Float,
            Term::Binary(_) | Term::Bitstring(_) => TermKind::Bitstring,
            Term::List(_) | Term::ImproperList(_) => TermKind::List,
            Term::Tuple(_) => TermKind::Tuple,
            Term::Map(_) => TermKind::Map,
            Term::Pid(_) => TermKind::Pid,
            Term::Port(_) => TermKind::Port,
            Term::Reference(_) => TermKind::Reference,
            Term::Fun(_) => TermKind::Fun,
        }
    }

    fn identity(self) -> usize {
        std::ptr::from_ref(self).addr()
    }

    fn is_atom(self, atom: &'static StaticAtom) -> bool {
        matches!(self, Term::Atom(own) if own.text() == atom.text())
    }

    fn atom(self) -> Option<Atom> {
        match self {
            Term::Atom(atom) => Some(atom.clone()),
            _ => None,
        }
    }

    fn integer(self) -> Option<i64> {
        match self {
            Term::Integer(value) => Some(*value),
            Term::BigInteger(value) => i64::try_from(value).ok(),
            _ => None,
        }
    }

    fn unsigned(self) -> Option<u64> {
        match self {
            Term::Integer(value) => u64::try_from(*value).ok(),
            Term::BigInteger(value) => u64::try_from(value).ok(),
            _ => None,
        }
    }

    fn big_integer(self) -> Option<Integer> {
        match self {
            Term::Integer(value) => Some(Integer::from(*value)),
            Term::BigInteger(value) => Some(value.clone()),
            _ => None,
        }
    }

    fn float(self) -> Option<Float> {
        match self {
            Term::Float(value) => Some(*value),
            _ => None,
        }
    }

    fn binary(self) -> Option<&'a [u8]> {
        match self {
            Term::Binary(bytes) => Some(bytes),
            Term::Bitstring(bits) => bits.as_bytes(),
            _ => None,
        }
    }

    fn shared_binary(self) -> Option<bytes::Bytes> {
        match self {
            Term::Binary(bytes) => Some(bytes.clone().into_bytes()),
            _ => None,
        }
    }

    fn bitstring(self) -> Option<Bitstring> {
        match self {
            Term::Binary(bytes) => Some(Bitstring::from(bytes.to_vec())),
            Term::Bitstring(bits) => Some(bits.clone()),
            _ => None,
        }
    }

    fn tuple_arity(self) -> Option<usize> {
        match self {
            Term::Tuple(elements) => Some(elements.len()),
            _ => None,
        }
    }

    fn tuple<const N: usize>(self) -> Option<[Self; N]> {
        match self {
            Term::Tuple(elements) => {
                let elements: &[Term; N] = elements.as_slice().try_into().ok()?;
                Some(elements.each_ref())
            }
            _ => None,
        }
    }

    fn tuple_elements(self) -> Option<impl ExactSizeIterator<Item = Self>> {
        match self {
            Term::Tuple(elements) => Some(elements.iter()),
            _ => None,
        }
    }

    fn is_empty_list(self) -> bool {
        matches!(self, Term::List(elements) if elements.is_empty())
    }

    fn list(self) -> Option<impl ExactSizeIterator<Item = Self>> {
        match self {
            Term::List(elements) => Some(elements.iter()),
            _ => None,
        }
    }

    fn list_with_tail(self) -> Option<(impl Iterator<Item = Self>, Option<Self>)> {
        match self {
            Term::List(elements) => Some((elements.iter(), None)),
            Term::ImproperList(list) => Some((list.elements().iter(), Some(list.tail()))),
            _ => None,
        }
    }

    fn map_size(self) -> Option<usize> {
        match self {
            Term::Map(entries) => Some(entries.len()),
            _ => None,
        }
    }

    fn map_get(self, key: &'static StaticAtom) -> Option<Self> {
        match self {
            Term::Map(entries) => {
                let index = entries
                    .find(|probe| order::with_atom(probe, key.text()))
                    .ok()?;
                Some(&entries.entry(index).1)
            }
            _ => None,
        }
    }

    fn map_entries(self) -> Option<impl Iterator<Item = (Self, Self)>> {
        match self {
            Term::Map(entries) => Some(entries.iter().map(|(key, value)| (key, value))),
            _ => None,
        }
    }

    fn pid(self) -> Option<Pid> {
        match self {
            Term::Pid(pid) => Some(pid.clone()),
            _ => None,
        }
    }

    fn port(self) -> Option<Port> {
        match self {
            Term::Port(port) => Some(port.clone()),
            _ => None,
        }
    }

    fn reference(self) -> Option<Reference> {
        match self {
            Term::Reference(reference) => Some(reference.clone()),
            _ => None,
        }
    }

    fn resource(self) -> Option<AnyResource> {
        match self {
            Term::Reference(reference) => reference.resource().cloned(),
            _ => None,
        }
    }

    fn fun(self) -> Option<Fun> {
        match self {
            Term::Fun(fun) => Some(fun.clone()),
            _ => None,
        }
    }

    fn save(self) -> Result<Saved, DecodeError> {
        Ok(Saved::owned(View::to_owned(self)?))
    }

    fn copy(self, _: Reader<'_>) -> Result<Term, DecodeError> {
        Ok(self.clone())
    }
}
