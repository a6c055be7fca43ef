//! Which Rust functions an overloaded `-spec` becomes.

use std::collections::BTreeSet;

use otp_specs::types::{Builtin, Clause, Function, Int, Type};

use crate::facts::clauses::merged;
use crate::facts::{annotation, bare};
use crate::names::snake;

/// A Rust function to be: one clause, or several taken together.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Form {
    /// What tells it from the other forms of the same function; `None` when it is the only one.
    pub(crate) label: Option<String>,
    /// Argument types.
    pub(crate) params: Vec<Type>,
    /// Arguments that the label says already: single atoms.
    pub(crate) given: BTreeSet<usize>,
    /// Result type.
    pub(crate) result: Type,
}

/// A union of more atoms than this is not named by them.
const NAMED_ATOMS: usize = 3;

/// The forms of `function`, in source order. Empty when no clause has as many arguments as it says.
pub(crate) fn forms(function: &Function) -> Vec<Form> {
    let mut clauses: Vec<&Clause> = Vec::new();
    for clause in &function.clauses {
        if clause.params.len() == function.arity && !clauses.contains(&clause) {
            clauses.push(clause);
        }
    }
    let differing: Vec<usize> = (0..function.arity)
        .filter(|index| !all_equal(clauses.iter().map(|clause| &clause.params[*index])))
        .collect();
    let same_result = all_equal(clauses.iter().map(|clause| &clause.result));
    if clauses.len() < 2 || differing.is_empty() || (differing.len() == 1 && same_result) {
        return whole(function.arity, &clauses).into_iter().collect();
    }
    let (told_by, labels) = labels(&clauses, &differing);
    let form = |(clause, label): (&&Clause, String)| Form {
        label: Some(label),
        given: told_by
            .iter()
            .copied()
            .filter(|index| matches!(bare(&clause.params[*index]), Type::Atom(_)))
            .collect(),
        params: clause.params.clone(),
        result: clause.result.clone(),
    };
    clauses.iter().zip(labels).map(form).collect()
}

fn all_equal<'t>(mut types: impl Iterator<Item = &'t Type>) -> bool {
    let first = types.next().map(bare);
    types.all(|ty| Some(bare(ty)) == first)
}

/// All clauses as one form: each position is the union of the clauses'.
fn whole(arity: usize, clauses: &[&Clause]) -> Option<Form> {
    let column = |index: usize| -> Vec<&Type> {
        clauses.iter().map(|clause| &clause.params[index]).collect()
    };
    let results: Vec<&Type> = clauses.iter().map(|clause| &clause.result).collect();
    (!clauses.is_empty()).then(|| Form {
        label: None,
        params: (0..arity).map(|index| together(&column(index))).collect(),
        given: BTreeSet::new(),
        result: together(&results),
    })
}

/// The union of `types`; one of them as it is when they are the same but for their names.
fn together(types: &[&Type]) -> Type {
    match types {
        [first, ..] if all_equal(types.iter().copied()) => (*first).clone(),
        _ => merged(types),
    }
}

/// A label for each clause, and the arguments that it was made of: the first argument whose labels
/// are all different; otherwise the first in which the clauses differ, with the further ones where
/// that is not enough.
fn labels(clauses: &[&Clause], differing: &[usize]) -> (Vec<usize>, Vec<String>) {
    let of = |index: usize| -> Vec<String> {
        clauses
            .iter()
            .map(|clause| label(&clause.params[index]))
            .collect()
    };
    let mut first = Vec::new();
    for index in differing {
        let labels = of(*index);
        if labels.iter().collect::<BTreeSet<_>>().len() == labels.len() {
            return (vec![*index], labels);
        }
        if first.is_empty() {
            first = labels;
        }
    }
    let joined = |(clause, label_of_first): (&&Clause, &String)| {
        if first
            .iter()
            .filter(|other| *other == label_of_first)
            .count()
            == 1
        {
            return label_of_first.clone();
        }
        let labels = differing.iter().map(|index| label(&clause.params[*index]));
        labels.collect::<Vec<_>>().join("_")
    };
    let labels = clauses.iter().zip(&first).map(joined).collect();
    (differing.to_vec(), labels)
}

/// What an argument is called in a name.
pub(crate) fn label(ty: &Type) -> String {
    match (bare(ty), annotation(ty)) {
        (Type::Atom(atom), _) => atom.clone(),
        (Type::Tuple(elements), _) if tag(elements).is_some() => {
            tag(elements).unwrap_or_default().to_owned()
        }
        (_, Some(name)) => snake(name),
        (Type::Union(members), None) => union_label(members),
        (other, None) => kind_label(other),
    }
}

fn tag(elements: &[Type]) -> Option<&str> {
    match elements.first().map(bare) {
        Some(Type::Atom(tag)) => Some(tag),
        _ => None,
    }
}

fn union_label(members: &[Type]) -> String {
    let atoms: Vec<&str> = members
        .iter()
        .filter_map(|member| match bare(member) {
            Type::Atom(atom) => Some(atom.as_str()),
            _ => None,
        })
        .collect();
    if atoms.len() == members.len() && atoms.len() <= NAMED_ATOMS {
        atoms.join("_or_")
    } else {
        "argument".to_owned()
    }
}

fn kind_label(ty: &Type) -> String {
    let name = match ty {
        Type::Named(name, _) | Type::Record(name, _) => return snake(&name.name),
        Type::Integer(Int::Small(number)) => return number.to_string().replace('-', "minus"),
        Type::Builtin(builtin) => builtin_label(*builtin),
        Type::List(element) | Type::NonemptyList(element) => match bare(element) {
            Type::Named(..) | Type::Builtin(_) => return format!("{}_list", label(element)),
            _ => "list",
        },
        Type::Integer(Int::Big(_)) | Type::Range(..) => "integer",
        Type::Nil => "nil",
        Type::MaybeImproperList(..) | Type::NonemptyImproperList(..) => "list",
        Type::Tuple(_) => "tuple",
        Type::Map(_) => "map",
        Type::Bitstring { .. } => "bitstring",
        Type::Fun(..) => "fun",
        Type::Any
        | Type::None
        | Type::Invalid
        | Type::Var(_)
        | Type::Annotated(..)
        | Type::Atom(_)
        | Type::Union(_) => "term",
    };
    name.to_owned()
}

fn builtin_label(builtin: Builtin) -> &'static str {
    match builtin {
        Builtin::Atom => "atom",
        Builtin::Boolean => "boolean",
        Builtin::Integer
        | Builtin::NonNegInteger
        | Builtin::PosInteger
        | Builtin::NegInteger
        | Builtin::Arity
        | Builtin::Byte
        | Builtin::Char => "integer",
        Builtin::Float => "float",
        Builtin::Number => "number",
        Builtin::Pid => "pid",
        Builtin::Port => "port",
        Builtin::Reference => "reference",
        Builtin::Identifier => "identifier",
        Builtin::Binary | Builtin::NonemptyBinary => "binary",
        Builtin::Bitstring | Builtin::NonemptyBitstring => "bitstring",
        Builtin::Function => "fun",
        Builtin::Tuple => "tuple",
        Builtin::Map => "map",
        Builtin::Iodata => "iodata",
        Builtin::Iolist => "iolist",
        Builtin::String | Builtin::NonemptyString => "string",
        Builtin::Module => "module",
        Builtin::Node => "node",
        Builtin::Mfa => "mfa",
        Builtin::Timeout => "timeout",
        Builtin::List
        | Builtin::NonemptyList
        | Builtin::MaybeImproperList
        | Builtin::NonemptyMaybeImproperList => "list",
        Builtin::Record => "record",
    }
}
