//! Values of Erlang types as a user would write them in Rust: every alternative of every union
//! once, with the plainest values in all other positions.

use std::sync::Arc;

use otp_specs::types::{Builtin, Type, TypeName};

use crate::clauses::is_state;
use crate::otp::{Otp, Return, capitalised, stem};

/// A value.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Sample {
    /// An atom: its unit struct.
    Atom(String),
    /// A tuple.
    Tuple(Vec<Sample>),
    /// A list: a vector.
    List(Vec<Sample>),
    /// A value of a Rust type, which stands for this Erlang type.
    Value(String, Type),
    /// The process's state, or another value whose type is a parameter of the trait.
    Parameter(String),
    /// A value that converts into the union that Rust expects here.
    Into(Box<Sample>),
    /// The dynamic `Term` of a value.
    Term(Box<Sample>),
    /// Text, where any term is allowed.
    Text,
    /// A value of a Rust type that is not a term. No Erlang type contains it.
    NoTerm,
}

/// The way in which a position accepts values.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Position {
    /// The position is a clause.
    Clause,
    /// The position is an element of a clause. It accepts conversions into unnamed unions.
    Element,
    /// The position is inside a value that is converted. It accepts conversions into all unions.
    Open,
    /// The position only accepts values of its type.
    Exact,
}

/// Maximum depth of named types whose alternatives an `Exact` position lists.
const DEPTH: usize = 1;

/// Lists the values that a callback may return.
pub(crate) struct Samples<'o> {
    pub(crate) otp: &'o Otp,
    pub(crate) of: &'o Return,
}

impl Samples<'_> {
    /// Returns the values of every clause, the plainest first.
    pub(crate) fn clauses(&self) -> Vec<Vec<Sample>> {
        let mut clauses = Vec::new();
        self.add_clauses(&self.of.result, &mut clauses);
        clauses
    }

    /// Returns a clause in which the given values are replaced, as if the callback could change
    /// them: with a state, and without the data.
    pub(crate) fn changed(&self, clause: &Type) -> Sample {
        let Type::Tuple(elements) = bare(clause) else {
            panic!("{}: no tuple: {clause:?}", self.of.qualified);
        };
        let elements = elements.iter().enumerate();
        let kept = elements.filter(|(_, ty)| !is_state(ty, &self.of.state));
        let sample = |(index, ty): (usize, &Type)| match index {
            1 => Sample::Parameter("State".to_owned()),
            _ => self.all(ty, Position::Element, DEPTH).remove(0),
        };
        Sample::Tuple(kept.map(sample).collect())
    }

    fn add_clauses(&self, ty: &Type, clauses: &mut Vec<Vec<Sample>>) {
        match ty {
            Type::Union(members) => {
                for member in members {
                    match bare(member) {
                        // If there are other members, any term is written as the dynamic `Term`.
                        Type::Any if self.parameter(member).is_none() => {
                            clauses.push(vec![any(Position::Exact)]);
                        }
                        _ => self.add_clauses(member, clauses),
                    }
                }
            }
            Type::Annotated(..) if self.parameter(ty).is_none() => {
                self.add_clauses(bare(ty), clauses);
            }
            Type::Named(name, arguments) if self.parameter(ty).is_none() => {
                match self.otp.body(name, arguments) {
                    Some(body @ (Type::Union(_) | Type::Tuple(_) | Type::Atom(_)))
                    | Some(body @ Type::Named(..)) => self.add_clauses(&body, clauses),
                    _ => clauses.push(self.all(ty, Position::Clause, DEPTH)),
                }
            }
            _ => clauses.push(self.all(ty, Position::Clause, DEPTH)),
        }
    }

    /// Returns the parameter of the trait that `ty` stands for, if there is one.
    pub(crate) fn parameter(&self, ty: &Type) -> Option<String> {
        let parameters = &self.of.parameters;
        let known = |name: &str| parameters.iter().find(|known| *known == name).cloned();
        match ty {
            Type::Annotated(name, inner) => match &**inner {
                Type::Any | Type::Var(_) => known(stem(name)),
                inner => self.parameter(inner),
            },
            Type::Var(name) => known(stem(name)),
            // The state of `gen_statem`, and the function of the same name.
            Type::Named(name, _) => match name.name.as_str() {
                "data" => known("Data"),
                "state" | "state_name" => known("State"),
                _ => None,
            },
            Type::Atom(atom) if *atom == self.of.function => known("State"),
            _ => None,
        }
    }

    /// Returns values of `ty`, the plainest first.
    fn all(&self, ty: &Type, position: Position, depth: usize) -> Vec<Sample> {
        if let Some(parameter) = self.parameter(ty) {
            return vec![Sample::Parameter(parameter)];
        }
        match ty {
            Type::Annotated(_, inner) => self.all(inner, position, depth),
            Type::Any | Type::Var(_) => vec![any(position)],
            Type::Atom(atom) => vec![Sample::Atom(atom.clone())],
            Type::Union(members) => self.union(members, position, depth),
            Type::Named(name, arguments) => self.named(ty, name, arguments, position, depth),
            Type::Tuple(elements) => self.tuple(elements, position, depth),
            Type::List(element) => self.list(element, depth),
            // A reference to the root supervisor.
            Type::Builtin(Builtin::Pid)
                if self.of.behaviour == "application" && position == Position::Element =>
            {
                let reference = "gen_server::Server<Root>".to_owned();
                vec![Sample::Value(reference, Type::Builtin(Builtin::Pid))]
            }
            Type::Builtin(builtin) => of_builtin(*builtin, position),
            other => panic!("{}: no sample of {other:?}", self.of.qualified),
        }
    }

    fn union(&self, members: &[Type], position: Position, depth: usize) -> Vec<Sample> {
        let inner = match position {
            Position::Element | Position::Open => Position::Open,
            Position::Clause | Position::Exact => position,
        };
        // A map is a value of the named type that contains it.
        let members = members.iter().filter(|ty| !matches!(ty, Type::Map(_)));
        let all = members.flat_map(|member| self.all(member, inner, depth));
        let into = |sample: Sample| match (position, &sample) {
            (Position::Exact, Sample::Into(_) | Sample::Term(_)) => sample,
            (Position::Exact, _) => Sample::Into(Box::new(sample)),
            _ => sample,
        };
        all.map(into).collect()
    }

    fn named(
        &self,
        ty: &Type,
        name: &Arc<TypeName>,
        arguments: &[Type],
        position: Position,
        depth: usize,
    ) -> Vec<Sample> {
        let rust = format!("{}::{}", name.module, capitalised(&name.name));
        let value = if name.name == "from" {
            Sample::Value("gen_server::Caller<&'static str>".to_owned(), ty.clone())
        } else {
            Sample::Value(rust, ty.clone())
        };
        let Some(body) = self.otp.body(name, arguments) else {
            return vec![value];
        };
        match bare(&body) {
            _ if name.name == "from" => vec![value],
            Type::Union(_) | Type::Tuple(_)
                if matches!(position, Position::Exact | Position::Element) =>
            {
                let mut all = vec![value];
                if let Some(depth) = depth.checked_sub(1) {
                    let into = |sample| match sample {
                        sample @ Sample::Into(_) => sample,
                        other => Sample::Into(Box::new(other)),
                    };
                    all.extend(self.all(&body, Position::Open, depth).into_iter().map(into));
                }
                all
            }
            Type::Map(_) => vec![value],
            _ => self.all(&body, position, depth),
        }
    }

    fn tuple(&self, elements: &[Type], position: Position, depth: usize) -> Vec<Sample> {
        let tagged = |elements: &[Type]| matches!(elements.first().map(bare), Some(Type::Atom(_)));
        let begun = match elements.first().map(bare) {
            Some(Type::Tuple(head)) => tagged(head),
            _ => tagged(elements),
        };
        let inside = match position {
            Position::Clause if begun => Position::Element,
            Position::Open if begun => Position::Open,
            _ => Position::Exact,
        };
        let alternatives: Vec<Vec<Sample>> = elements
            .iter()
            .map(|element| match bare(element) {
                // A tuple that is converted accepts any number, and checks it at run time.
                Type::Builtin(Builtin::PosInteger) if position == Position::Open && !begun => {
                    let number = Type::Builtin(Builtin::PosInteger);
                    vec![Sample::Value("u64".to_owned(), number)]
                }
                _ => self.all(element, inside, depth),
            })
            .collect();
        let plain: Vec<Sample> = alternatives.iter().map(|all| all[0].clone()).collect();
        let mut tuples = vec![Sample::Tuple(plain.clone())];
        for (index, all) in alternatives.iter().enumerate() {
            for other in &all[1..] {
                let mut elements = plain.clone();
                elements[index] = other.clone();
                tuples.push(Sample::Tuple(elements));
            }
        }
        tuples
    }

    fn list(&self, element: &Type, depth: usize) -> Vec<Sample> {
        let of_type = match bare(element) {
            Type::Named(name, _) => {
                let rust = format!("Vec<{}::{}>", name.module, capitalised(&name.name));
                let list = Type::List(Box::new(element.clone()));
                Some(Sample::Value(rust, list))
            }
            _ => None,
        };
        let one = |sample: Sample| match sample {
            // The vector is of a named type, and its elements convert into it.
            Sample::Value(_, Type::Named(..)) if of_type.is_some() => None,
            sample => Some(Sample::List(vec![sample])),
        };
        let inner = self.all(element, Position::Exact, depth);
        let each = inner.into_iter().filter_map(one);
        of_type.iter().cloned().chain(each).collect()
    }
}

fn any(position: Position) -> Sample {
    match position {
        Position::Exact => Sample::Term(Box::new(Sample::Text)),
        _ => Sample::Text,
    }
}

fn of_builtin(builtin: Builtin, position: Position) -> Vec<Sample> {
    let value = |rust: &str| Sample::Value(rust.to_owned(), Type::Builtin(builtin));
    match builtin {
        Builtin::Timeout if matches!(position, Position::Open | Position::Clause) => vec![
            value("Timeout"),
            Sample::Value(
                "core::time::Duration".to_owned(),
                Type::Builtin(Builtin::NonNegInteger),
            ),
            Sample::Atom("infinity".to_owned()),
        ],
        Builtin::Timeout => vec![value("Timeout")],
        Builtin::Pid => vec![value("Pid")],
        Builtin::Atom | Builtin::Module | Builtin::Node => vec![value("Atom")],
        Builtin::Boolean => vec![value("bool")],
        Builtin::Integer => vec![value("Integer")],
        Builtin::NonNegInteger => vec![value("u64")],
        Builtin::PosInteger => vec![value("core::num::NonZeroU64")],
        other => panic!("no sample of {other:?}"),
    }
}

/// Returns `ty` without its annotation.
pub(crate) fn bare(ty: &Type) -> &Type {
    match ty {
        Type::Annotated(_, inner) => bare(inner),
        ty => ty,
    }
}

impl Sample {
    /// Returns whether `.into()` converts any part of the sample.
    pub(crate) fn converts(&self) -> bool {
        match self {
            Sample::Into(_) => true,
            Sample::Tuple(elements) | Sample::List(elements) => {
                elements.iter().any(Sample::converts)
            }
            Sample::Term(inner) => inner.converts(),
            Sample::Atom(_)
            | Sample::Value(..)
            | Sample::Parameter(_)
            | Sample::Text
            | Sample::NoTerm => false,
        }
    }

    /// Returns the sample without any `.into()`.
    pub(crate) fn bare(&self) -> Sample {
        let all = |elements: &[Sample]| elements.iter().map(Sample::bare).collect();
        match self {
            Sample::Into(inner) => inner.bare(),
            Sample::Term(inner) => Sample::Term(Box::new(inner.bare())),
            Sample::Tuple(elements) => Sample::Tuple(all(elements)),
            Sample::List(elements) => Sample::List(all(elements)),
            other => other.clone(),
        }
    }

    /// Returns whether the sample contains `part`.
    pub(crate) fn holds(&self, part: &Sample) -> bool {
        let within = match self {
            Sample::Tuple(elements) | Sample::List(elements) => {
                elements.iter().any(|element| element.holds(part))
            }
            Sample::Into(inner) | Sample::Term(inner) => inner.holds(part),
            Sample::Atom(_)
            | Sample::Value(..)
            | Sample::Parameter(_)
            | Sample::Text
            | Sample::NoTerm => false,
        };
        within || self == part
    }
}
