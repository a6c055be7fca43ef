//! Predefined types.

use otp_specs::types::{Builtin, Int};
use serde_json::{Value, json};

use super::definitions::{Predefined, lists_of_iodata};
use super::shapes::{
    SAFE, any_tuple, atom, improper, literal, object, pairs, range, special, tuple, union,
};
use super::types::Types;

impl Types<'_> {
    pub(super) fn builtin(&mut self, builtin: Builtin) -> Value {
        match builtin {
            Builtin::Atom | Builtin::Module | Builtin::Node => self.predefined(Predefined::Atom),
            Builtin::Boolean => json!({ "type": "boolean" }),
            Builtin::Integer => self.predefined(Predefined::Integer),
            Builtin::Float => json!({ "type": "number" }),
            Builtin::Number => union(vec![
                self.predefined(Predefined::Integer),
                json!({ "type": "number" }),
            ]),
            Builtin::NonNegInteger => self.predefined(Predefined::NonNegInteger),
            Builtin::PosInteger => self.predefined(Predefined::PosInteger),
            Builtin::NegInteger => self.predefined(Predefined::NegInteger),
            Builtin::Arity | Builtin::Byte => range(0, 255),
            Builtin::Char => range(0, 0x0010_FFFF),
            Builtin::Pid => self.predefined(Predefined::Pid),
            Builtin::Port => self.predefined(Predefined::Port),
            Builtin::Reference => self.predefined(Predefined::Reference),
            Builtin::Identifier => union(vec![
                self.predefined(Predefined::Pid),
                self.predefined(Predefined::Port),
                self.predefined(Predefined::Reference),
            ]),
            Builtin::Binary | Builtin::NonemptyBinary => self.predefined(Predefined::Binary),
            Builtin::Bitstring | Builtin::NonemptyBitstring => {
                self.predefined(Predefined::Bitstring)
            }
            Builtin::Function => self.predefined(Predefined::Fun),
            Builtin::Iodata => self.predefined(Predefined::Iodata),
            Builtin::Iolist => union(lists_of_iodata(self)),
            Builtin::String => special("string", json!({ "type": "string" })),
            Builtin::NonemptyString => {
                special("string", json!({ "type": "string", "minLength": 1 }))
            }
            Builtin::Timeout => union(vec![
                atom("infinity"),
                self.predefined(Predefined::NonNegInteger),
            ]),
            Builtin::Tuple
            | Builtin::Record
            | Builtin::Map
            | Builtin::Mfa
            | Builtin::List
            | Builtin::NonemptyList
            | Builtin::MaybeImproperList
            | Builtin::NonemptyMaybeImproperList => self.container(builtin),
        }
    }

    /// Those that hold other terms.
    fn container(&mut self, builtin: Builtin) -> Value {
        let term = self.predefined(Predefined::Term);
        let list = json!({ "type": "array", "items": term });
        let nonempty = json!({ "type": "array", "items": term, "minItems": 1 });
        match builtin {
            Builtin::Map => union(vec![object(&term), pairs(&term, &term)]),
            Builtin::Mfa => {
                let atom = self.predefined(Predefined::Atom);
                tuple(vec![atom.clone(), atom, range(0, 255)])
            }
            Builtin::List => list,
            Builtin::NonemptyList => nonempty,
            Builtin::MaybeImproperList => union(vec![list, improper(&term)]),
            Builtin::NonemptyMaybeImproperList => union(vec![nonempty, improper(&term)]),
            _ => any_tuple(&term),
        }
    }

    /// An integer within bounds; one that reaches beyond what numbers keep exactly may have any
    /// digits.
    pub(super) fn integer(&mut self, low: &Int, high: &Int) -> Value {
        let bound = |bound: &Int| match bound {
            Int::Small(value) => *value,
            Int::Big(digits) if digits.starts_with('-') => i128::MIN,
            Int::Big(_) => i128::MAX,
        };
        match (bound(low), bound(high)) {
            (low, high) if low > high => Value::Bool(false),
            (low, high) if low >= -SAFE && high <= SAFE => range(low, high),
            (1, _) => self.predefined(Predefined::PosInteger),
            (0.., _) => self.predefined(Predefined::NonNegInteger),
            (_, ..0) => self.predefined(Predefined::NegInteger),
            _ => self.predefined(Predefined::Integer),
        }
    }

    /// Exactly this integer.
    pub(super) fn literal(&mut self, value: &Int) -> Value {
        match value {
            Int::Small(value) => literal(*value),
            Int::Big(digits) => json!({ "const": { "@integer": digits } }),
        }
    }
}
