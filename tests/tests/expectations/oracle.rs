//! Decides whether a term is of an Erlang type, from the type alone.
//!
//! The oracle knows neither the generator nor the types of the run time, which are compared with
//! it. It differs from Erlang in the limits that `docs/mapping.md` names: 64 bits for the
//! predefined integer types, and text without surrogates.

use std::collections::BTreeMap;

use otp_bridge::Term;
use otp_bridge::term::ImproperList;
use otp_bridge::term::Integer;
use otp_specs::types::{Builtin, Int, MapField, Module, Type, TypeDef, TypeKind, TypeName};

/// All modules, and the values of type variables.
pub(crate) struct Oracle<'m> {
    modules: BTreeMap<&'m str, &'m Module>,
    /// Whether maps may have keys that their type does not name.
    ignores_keys: bool,
}

/// Values of type variables.
pub(crate) type Variables = BTreeMap<String, Type>;

impl<'m> Oracle<'m> {
    pub(crate) fn new(modules: &'m [Module]) -> Self {
        let by_name = |module: &'m Module| (module.name.as_str(), module);
        Oracle {
            modules: modules.iter().map(by_name).collect(),
            ignores_keys: false,
        }
    }

    /// Makes the oracle accept further keys in maps, as the types of bindings do.
    pub(crate) fn ignoring_keys(self) -> Self {
        Oracle {
            ignores_keys: true,
            ..self
        }
    }

    /// Returns the body of a named type with its variables replaced.
    pub(crate) fn body(&self, name: &TypeName, arguments: &[Type]) -> Type {
        let definition = self.definition(name);
        let variables = definition.params.iter().cloned();
        let variables: Variables = variables.zip(arguments.iter().cloned()).collect();
        replace(&definition.body, &variables)
    }

    fn definition(&self, name: &TypeName) -> &'m TypeDef {
        let module = self.modules[name.module.as_str()];
        let found = |definition: &&TypeDef| {
            definition.name == name.name && definition.params.len() == name.arity
        };
        module.types.iter().find(found).expect("a defined type")
    }

    /// Returns all fields of a record type: the refined ones, and the declared ones.
    pub(crate) fn record(
        &self,
        name: &TypeName,
        refined: &[otp_specs::types::RecordField],
    ) -> Vec<Type> {
        let module = self.modules[name.module.as_str()];
        let record = module
            .records
            .iter()
            .find(|record| record.name == name.name);
        let declared = &record.expect("a declared record").fields;
        let effective = |field: &otp_specs::types::RecordField| {
            let refined = refined.iter().find(|refined| refined.name == field.name);
            refined.unwrap_or(field).ty.clone()
        };
        declared.iter().map(effective).collect()
    }

    /// Returns whether `term` is of the type.
    pub(crate) fn accepts(&self, ty: &Type, term: &Term) -> bool {
        match ty {
            Type::Any => true,
            Type::None | Type::Invalid => false,
            Type::Annotated(_, inner) => self.accepts(inner, term),
            Type::Var(name) => panic!("{name} is a variable without a value"),
            Type::Named(name, arguments) => {
                let body = self.body(name, arguments);
                match self.definition(name).kind {
                    TypeKind::Opaque => self.is_of_kind(&body, term),
                    TypeKind::Transparent | TypeKind::Nominal => self.accepts(&body, term),
                }
            }
            Type::Builtin(builtin) => builtin_accepts(*builtin, term),
            Type::Atom(atom) => matches!(term, Term::Atom(found) if found.text() == atom),
            Type::Integer(number) => in_range(term, number, number),
            Type::Range(low, high) => in_range(term, low, high),
            Type::Union(members) => members.iter().any(|member| self.accepts(member, term)),
            Type::Tuple(elements) => match term {
                Term::Tuple(found) => self.all(elements, found),
                _ => false,
            },
            Type::Record(name, fields) => self.record_accepts(name, fields, term),
            Type::Nil => *term == Term::nil(),
            Type::List(element) => self.list_accepts(element, term),
            Type::NonemptyList(element) => *term != Term::nil() && self.list_accepts(element, term),
            Type::MaybeImproperList(element, tail) => {
                self.list_accepts(element, term) || self.improper_accepts(element, tail, term)
            }
            Type::NonemptyImproperList(element, tail) => self.improper_accepts(element, tail, term),
            Type::Map(fields) => match term {
                Term::Map(entries) => self.map_accepts(fields, entries),
                _ => false,
            },
            Type::Bitstring { size, unit } => bits(term).is_some_and(|bits| {
                let more = bits.checked_sub(*size);
                more.is_some_and(|more| more == 0 || (*unit > 0 && more % unit == 0))
            }),
            Type::Fun(arguments, _) => match (term, arguments) {
                (Term::Fun(fun), Some(arguments)) => usize::from(fun.arity()) == arguments.len(),
                (Term::Fun(_), None) => true,
                _ => false,
            },
        }
    }

    /// Returns whether `term` is of a kind that the type includes. No more can be checked for an
    /// opaque type.
    fn is_of_kind(&self, ty: &Type, term: &Term) -> bool {
        match ty {
            Type::Annotated(_, inner) => self.is_of_kind(inner, term),
            Type::Named(name, arguments) => self.is_of_kind(&self.body(name, arguments), term),
            Type::Union(members) => members.iter().any(|member| self.is_of_kind(member, term)),
            Type::Atom(_) => matches!(term, Term::Atom(_)),
            Type::Integer(_) | Type::Range(..) => integer(term).is_some(),
            Type::Tuple(_) | Type::Record(..) => matches!(term, Term::Tuple(_)),
            Type::Map(_) => matches!(term, Term::Map(_)),
            Type::Nil
            | Type::List(_)
            | Type::NonemptyList(_)
            | Type::MaybeImproperList(..)
            | Type::NonemptyImproperList(..) => builtin_accepts(Builtin::MaybeImproperList, term),
            Type::Bitstring { .. } => bits(term).is_some(),
            Type::Fun(..) => matches!(term, Term::Fun(_)),
            Type::Any | Type::Var(_) => true,
            Type::None | Type::Invalid | Type::Builtin(_) => self.accepts(ty, term),
        }
    }

    fn all(&self, types: &[Type], terms: &[Term]) -> bool {
        let mut pairs = types.iter().zip(terms);
        types.len() == terms.len() && pairs.all(|(ty, term)| self.accepts(ty, term))
    }

    fn record_accepts(
        &self,
        name: &TypeName,
        fields: &[otp_specs::types::RecordField],
        term: &Term,
    ) -> bool {
        let types = self.record(name, fields);
        match term {
            Term::Tuple(elements) => match elements.split_first() {
                Some((Term::Atom(tag), rest)) => tag.text() == name.name && self.all(&types, rest),
                _ => false,
            },
            _ => false,
        }
    }

    fn list_accepts(&self, element: &Type, term: &Term) -> bool {
        match term {
            Term::List(elements) => elements.iter().all(|found| self.accepts(element, found)),
            _ => false,
        }
    }

    fn improper_accepts(&self, element: &Type, tail: &Type, term: &Term) -> bool {
        let parts = |list: &ImproperList| {
            let mut elements = list.elements().iter();
            elements.all(|found| self.accepts(element, found)) && self.accepts(tail, list.tail())
        };
        matches!(term, Term::ImproperList(list) if parts(list))
    }

    /// An entry belongs to the leftmost field whose type its key is of.
    fn map_accepts(&self, fields: &[MapField], entries: &otp_bridge::term::TermMap) -> bool {
        let is_open = self.ignores_keys && fields.iter().all(|field| is_atom(&field.key));
        let fits = |(key, value): &(Term, Term)| match self.field_of(fields, key) {
            Some(field) => self.accepts(&field.value, value),
            None => is_open,
        };
        let is_there = |field: &MapField| {
            let mut keys = entries.iter().map(|(key, _)| key);
            !field.required || !is_atom(&field.key) || keys.any(|key| self.accepts(&field.key, key))
        };
        entries.iter().all(fits) && fields.iter().all(is_there)
    }

    /// Returns the field that describes the value of a key.
    pub(crate) fn field_of<'f>(&self, fields: &'f [MapField], key: &Term) -> Option<&'f MapField> {
        fields.iter().find(|field| self.accepts(&field.key, key))
    }
}

fn is_atom(key: &Type) -> bool {
    matches!(bare(key), Type::Atom(_))
}

/// Returns whether a value of `ty` may contain `iodata()`, whose bytes are kept but whose nesting
/// is not.
pub(crate) fn holds_iodata(oracle: &Oracle<'_>, ty: &Type, seen: &mut Vec<TypeName>) -> bool {
    let mut holds = |ty: &Type| holds_iodata(oracle, ty, seen);
    match ty {
        Type::Builtin(builtin) => matches!(builtin, Builtin::Iodata | Builtin::Iolist),
        Type::Annotated(_, inner) | Type::List(inner) | Type::NonemptyList(inner) => holds(inner),
        Type::Union(types) | Type::Tuple(types) => types.iter().any(holds),
        Type::MaybeImproperList(one, other) | Type::NonemptyImproperList(one, other) => {
            holds(one) || holds(other)
        }
        Type::Map(fields) => fields
            .iter()
            .any(|field| holds(&field.key) || holds(&field.value)),
        Type::Record(name, fields) => {
            let first = !seen.contains(name);
            seen.push((**name).clone());
            let fields = oracle.record(name, fields);
            first && fields.iter().any(|field| holds_iodata(oracle, field, seen))
        }
        Type::Named(name, arguments) => {
            let first = !seen.contains(name);
            seen.push((**name).clone());
            first && holds_iodata(oracle, &oracle.body(name, arguments), seen)
        }
        _ => false,
    }
}

fn bare(mut ty: &Type) -> &Type {
    while let Type::Annotated(_, inner) = ty {
        ty = inner;
    }
    ty
}

/// Returns `ty` with its variables replaced.
fn replace(ty: &Type, variables: &Variables) -> Type {
    let one = |ty: &Type| Box::new(replace(ty, variables));
    let all = |types: &[Type]| types.iter().map(|ty| replace(ty, variables)).collect();
    match ty {
        Type::Var(name) => variables.get(name).unwrap_or(ty).clone(),
        Type::Annotated(name, inner) => Type::Annotated(name.clone(), one(inner)),
        Type::Named(name, arguments) => Type::Named(name.clone(), all(arguments)),
        Type::Union(members) => Type::Union(all(members)),
        Type::Tuple(elements) => Type::Tuple(all(elements)),
        Type::List(element) => Type::List(one(element)),
        Type::NonemptyList(element) => Type::NonemptyList(one(element)),
        Type::MaybeImproperList(element, tail) => Type::MaybeImproperList(one(element), one(tail)),
        Type::NonemptyImproperList(element, tail) => {
            Type::NonemptyImproperList(one(element), one(tail))
        }
        Type::Map(fields) => {
            let field = |field: &MapField| MapField {
                key: replace(&field.key, variables),
                value: replace(&field.value, variables),
                required: field.required,
            };
            Type::Map(fields.iter().map(field).collect())
        }
        _ => ty.clone(),
    }
}

fn integer(term: &Term) -> Option<Integer> {
    match term {
        Term::Integer(value) => Some(Integer::from(*value)),
        Term::BigInteger(value) => Some(value.clone()),
        _ => None,
    }
}

fn in_range(term: &Term, low: &Int, high: &Int) -> bool {
    let bound = |bound: &Int| match bound {
        Int::Small(number) => Integer::from(*number),
        Int::Big(digits) => digits.parse().expect("digits"),
    };
    integer(term).is_some_and(|value| bound(low) <= value && value <= bound(high))
}

fn between(term: &Term, low: i128, high: i128) -> bool {
    in_range(term, &Int::Small(low), &Int::Small(high))
}

/// Returns the number of bits of a binary or bitstring.
fn bits(term: &Term) -> Option<u64> {
    match term {
        Term::Binary(bytes) => Some(bytes.len() as u64 * 8),
        Term::Bitstring(bits) => Some(bits.bit_count() as u64),
        _ => None,
    }
}

fn is_text(term: &Term) -> bool {
    let character = |term: &Term| match term {
        Term::Integer(code) => {
            u32::try_from(*code).is_ok_and(|code| char::from_u32(code).is_some())
        }
        _ => false,
    };
    matches!(term, Term::List(elements) if elements.iter().all(character))
}

fn is_iolist(term: &Term) -> bool {
    let element =
        |term: &Term| between(term, 0, 255) || matches!(term, Term::Binary(_)) || is_iolist(term);
    match term {
        Term::List(elements) => elements.iter().all(element),
        Term::ImproperList(list) => {
            list.elements().iter().all(element) && matches!(list.tail(), Term::Binary(_))
        }
        _ => false,
    }
}

fn is_mfa(term: &Term) -> bool {
    match term {
        Term::Tuple(elements) => match elements.as_slice() {
            [Term::Atom(_), Term::Atom(_), arity] => between(arity, 0, 255),
            _ => false,
        },
        _ => false,
    }
}

fn builtin_accepts(builtin: Builtin, term: &Term) -> bool {
    let nonempty = *term != Term::nil();
    match builtin {
        Builtin::Atom | Builtin::Module | Builtin::Node => matches!(term, Term::Atom(_)),
        Builtin::Boolean => {
            matches!(term, Term::Atom(atom) if ["true", "false"].contains(&atom.text()))
        }
        Builtin::Integer => integer(term).is_some(),
        Builtin::Float => matches!(term, Term::Float(_)),
        Builtin::Number => matches!(term, Term::Float(_)) || integer(term).is_some(),
        Builtin::NonNegInteger => between(term, 0, u64::MAX.into()),
        Builtin::PosInteger => between(term, 1, u64::MAX.into()),
        Builtin::NegInteger => between(term, i64::MIN.into(), -1),
        Builtin::Arity | Builtin::Byte => between(term, 0, 255),
        Builtin::Char => between(term, 0, 0x10_FFFF),
        Builtin::Pid => matches!(term, Term::Pid(_)),
        Builtin::Port => matches!(term, Term::Port(_)),
        Builtin::Reference => matches!(term, Term::Reference(_)),
        Builtin::Identifier => matches!(term, Term::Pid(_) | Term::Port(_) | Term::Reference(_)),
        Builtin::Binary => bits(term).is_some_and(|bits| bits % 8 == 0),
        Builtin::NonemptyBinary => bits(term).is_some_and(|bits| bits > 0 && bits % 8 == 0),
        Builtin::Bitstring => bits(term).is_some(),
        Builtin::NonemptyBitstring => bits(term).is_some_and(|bits| bits > 0),
        Builtin::Function => matches!(term, Term::Fun(_)),
        Builtin::Tuple => matches!(term, Term::Tuple(_)),
        Builtin::Map => matches!(term, Term::Map(_)),
        Builtin::String => is_text(term),
        Builtin::NonemptyString => nonempty && is_text(term),
        Builtin::Mfa => is_mfa(term),
        Builtin::Timeout => {
            between(term, 0, u64::MAX.into())
                || matches!(term, Term::Atom(atom) if atom.text() == "infinity")
        }
        Builtin::List => matches!(term, Term::List(_)),
        Builtin::NonemptyList => nonempty && matches!(term, Term::List(_)),
        Builtin::MaybeImproperList => matches!(term, Term::List(_) | Term::ImproperList(_)),
        Builtin::NonemptyMaybeImproperList => {
            nonempty && matches!(term, Term::List(_) | Term::ImproperList(_))
        }
        Builtin::Iodata => matches!(term, Term::Binary(_)) || is_iolist(term),
        Builtin::Iolist => is_iolist(term),
        Builtin::Record => false,
    }
}
