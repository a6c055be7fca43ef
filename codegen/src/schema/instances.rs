//! Types with their arguments, each written once.

use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;

use otp_specs::types::{Record, Type, TypeDef, TypeName};
use serde_json::Value;

use super::atoms::Atoms;
use crate::facts::references::all_parts;

/// Maximum number of types in all instances, without the first instance of each name. Types that
/// use others twice with different arguments double the number of instances at every step.
const REPEATED: usize = 100_000;
/// Maximum number of characters in the name of an instance that come from its types.
const NAME: usize = 100;

/// A type, or a record with these fields refined, that has instances.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Subject(TypeName, Option<Vec<String>>);

impl Subject {
    pub(super) fn ty(name: &TypeName) -> Subject {
        Subject(name.clone(), None)
    }

    pub(super) fn record(name: &TypeName, refined: &[&str]) -> Subject {
        let refined = refined.iter().map(|field| (*field).to_owned());
        Subject(name.clone(), Some(refined.collect()))
    }
}

/// The value of a type variable.
#[derive(Debug, Clone)]
pub(super) struct Argument {
    pub(super) schema: Value,
    pub(super) atoms: Atoms,
}

/// The surroundings of a type.
#[derive(Debug, Default)]
pub(super) struct SchemaScope<'a> {
    /// The type whose definition it is part of.
    pub(super) owner: Option<TypeName>,
    /// Its type variables.
    pub(super) variables: BTreeMap<&'a str, Argument>,
}

/// The definition from which an instance's schema is generated.
pub(super) enum Body<'a> {
    Type(&'a TypeDef, SchemaScope<'a>),
    /// A record, and the schemas of its refined fields.
    Record(&'a Record, BTreeMap<String, Value>),
}

impl Body<'_> {
    /// Returns the number of its types.
    fn size(&self) -> usize {
        let mut open: Vec<&Type> = match self {
            Body::Type(definition, _) => vec![&definition.body],
            Body::Record(record, _) => record.fields.iter().map(|field| &field.ty).collect(),
        };
        let mut size = 1;
        while let Some(ty) = open.pop() {
            size += 1;
            open.extend(all_parts(ty));
        }
        size
    }
}

/// The instances of a document.
#[derive(Default)]
pub(super) struct Instances<'a> {
    /// The name of each instance in the document, by the text of its arguments' schemas.
    keys: BTreeMap<Subject, BTreeMap<String, String>>,
    /// The names of large arguments, by their text.
    constants: BTreeMap<String, String>,
    /// The number of the next instance of each name.
    numbers: BTreeMap<String, usize>,
    /// The number of types in all instances, without the first instance of each name.
    repeated: usize,
    /// Instances whose schemas have not been written yet.
    pending: VecDeque<(String, Rc<Body<'a>>)>,
}

impl<'a> Instances<'a> {
    /// Returns the name of an instance in the document, like `supervisor:child_spec()`; `None` if
    /// there are too many.
    pub(super) fn key(
        &mut self,
        subject: Subject,
        arguments: &[Value],
        shown: impl FnOnce() -> String,
        body: impl FnOnce() -> Rc<Body<'a>>,
    ) -> Option<String> {
        let arguments: Vec<String> = arguments.iter().map(Value::to_string).collect();
        let arguments = arguments.join(",");
        let of_subject = self.keys.get(&subject);
        if let Some(key) = of_subject.and_then(|of_subject| of_subject.get(&arguments)) {
            return Some(key.clone());
        }
        let body = body();
        if of_subject.is_some() {
            let repeated = self.repeated + body.size();
            if repeated > REPEATED {
                return None;
            }
            self.repeated = repeated;
        }
        let key = self.claim(shown());
        let of_subject = self.keys.entry(subject).or_default();
        of_subject.insert(arguments, key.clone());
        self.pending.push_back((key.clone(), body));
        Some(key)
    }

    /// Returns the name of a schema that is an argument.
    pub(super) fn constant(&mut self, schema: &Value, shown: impl FnOnce() -> String) -> String {
        let text = schema.to_string();
        if let Some(key) = self.constants.get(&text) {
            return key.clone();
        }
        let key = self.claim(shown());
        self.constants.insert(text, key.clone());
        key
    }

    /// Returns the next instance whose schema has to be written.
    pub(super) fn next(&mut self) -> Option<(String, Rc<Body<'a>>)> {
        self.pending.pop_front()
    }

    /// Claims a name that no other instance has.
    fn claim(&mut self, name: String) -> String {
        let name = match name.char_indices().nth(NAME) {
            Some((end, _)) => format!("{}...", &name[..end]),
            None => name,
        };
        let number = self.numbers.entry(name.clone()).or_insert(0);
        *number += 1;
        match *number {
            1 => name,
            number => format!("{name} #{number}"),
        }
    }
}
