//! Predefined types.

use otp_contract::schema::{
    Definitions, Names, Predefined, any_map, any_tuple, atom, boolean, bounded, characters,
    exactly, float, improper, list, lists_of_iodata, nonempty_list, range, tuple, union,
};
use otp_specs::types::{Builtin, Int};
use serde_json::Value;

use super::types::Types;

impl Types<'_> {
    pub(super) fn builtin(&mut self, builtin: Builtin) -> Value {
        match builtin {
            Builtin::Atom | Builtin::Module | Builtin::Node => self.reference(Predefined::Atom),
            Builtin::Boolean => boolean(),
            Builtin::Integer => self.reference(Predefined::Integer),
            Builtin::Float => float(),
            Builtin::Number => union(vec![self.reference(Predefined::Integer), float()]),
            Builtin::NonNegInteger => self.reference(Predefined::NonNegInteger),
            Builtin::PosInteger => self.reference(Predefined::PosInteger),
            Builtin::NegInteger => self.reference(Predefined::NegInteger),
            Builtin::Arity | Builtin::Byte => range(0, 255),
            Builtin::Char => range(0, 0x0010_FFFF),
            Builtin::Pid => self.reference(Predefined::Pid),
            Builtin::Port => self.reference(Predefined::Port),
            Builtin::Reference => self.reference(Predefined::Reference),
            Builtin::Identifier => union(vec![
                self.reference(Predefined::Pid),
                self.reference(Predefined::Port),
                self.reference(Predefined::Reference),
            ]),
            Builtin::Binary | Builtin::NonemptyBinary => self.reference(Predefined::Binary),
            Builtin::Bitstring | Builtin::NonemptyBitstring => {
                self.reference(Predefined::Bitstring)
            }
            Builtin::Function => self.reference(Predefined::Fun),
            Builtin::Iodata => self.reference(Predefined::Iodata),
            Builtin::Iolist => union(lists_of_iodata(self)),
            Builtin::String => characters(0),
            Builtin::NonemptyString => characters(1),
            Builtin::Timeout => union(vec![
                atom("infinity"),
                self.reference(Predefined::NonNegInteger),
            ]),
            // In Rust, it is any term.
            Builtin::Record => self.reference(Predefined::Term),
            Builtin::Tuple
            | Builtin::Map
            | Builtin::Mfa
            | Builtin::List
            | Builtin::NonemptyList
            | Builtin::MaybeImproperList
            | Builtin::NonemptyMaybeImproperList => self.container(builtin),
        }
    }

    /// Returns the schema of predefined types that contain other terms.
    fn container(&mut self, builtin: Builtin) -> Value {
        let term = self.reference(Predefined::Term);
        match builtin {
            Builtin::Map => any_map(&Names::Any, true, &term, &term),
            Builtin::Mfa => {
                let atom = self.reference(Predefined::Atom);
                tuple(&Names::Any, vec![atom.clone(), atom, range(0, 255)], None)
            }
            Builtin::List => list(&term),
            Builtin::NonemptyList => nonempty_list(&term),
            Builtin::MaybeImproperList => union(vec![list(&term), improper(&term, &term)]),
            Builtin::NonemptyMaybeImproperList => {
                union(vec![nonempty_list(&term), improper(&term, &term)])
            }
            _ => any_tuple(&term),
        }
    }

    pub(super) fn range(&mut self, low: &Int, high: &Int) -> Value {
        let bound = |bound: &Int| match bound {
            Int::Small(value) => *value,
            Int::Big(digits) if digits.starts_with('-') => i128::MIN,
            Int::Big(_) => i128::MAX,
        };
        bounded(self, bound(low), bound(high))
    }

    /// Returns the schema of exactly this integer.
    pub(super) fn literal(value: &Int) -> Value {
        match value {
            Int::Small(value) => exactly(&value.to_string()),
            Int::Big(digits) => exactly(digits),
        }
    }
}
