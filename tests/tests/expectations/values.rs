//! The program of `cargo xtask values`: it compiles the types of whole applications together with
//! this file, and compares them with terms that PropEr has generated.

mod limits;

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::fs;

use limits::{Difference, LIMITS, reason};
use otp_bridge::json::{Json, JsonRepresentation, Position};
use otp_bridge::term::{Iodata, etf};
use otp_bridge::{FromTerm, Term, ToTerm};
use serde_json::Value;

/// A Rust type that was generated from an Erlang type.
pub(crate) struct Typed {
    /// The Erlang module, and the type as `module:name`.
    module: &'static str,
    name: &'static str,
    arity: usize,
    check: fn(&[Case], &mut Found),
}

impl Typed {
    pub(crate) const fn of<T>(module: &'static str, name: &'static str, arity: usize) -> Self
    where
        T: FromTerm + ToTerm + JsonRepresentation + Debug,
    {
        Typed {
            module,
            name,
            arity,
            check: check::<T>,
        }
    }
}

/// A term that PropEr has generated.
struct Case {
    value: Term,
    /// Whether PropEr takes the term for an instance.
    is_instance: Option<bool>,
    /// Mutations of the term, and whether each is an instance.
    mutations: Vec<(Term, Option<bool>)>,
}

/// Results of the comparison.
#[derive(Default)]
struct Found {
    name: String,
    values: usize,
    mutations: usize,
    instances: usize,
    /// Number of terms that PropEr cannot judge.
    unknown: usize,
    /// For each kind, the number of differences, and an example for each type.
    differences: BTreeMap<String, Kind>,
}

/// A kind of difference: how often it occurred, and for each type how often, with an example.
#[derive(Default)]
struct Kind {
    count: usize,
    examples: BTreeMap<String, (usize, String)>,
}

impl Found {
    fn add(&mut self, kind: &str, example: impl FnOnce() -> String) {
        let difference = self.differences.entry(kind.to_owned()).or_default();
        difference.count += 1;
        let examples = difference.examples.entry(self.name.clone());
        let (count, _) = examples.or_insert_with(|| (0, example()));
        *count += 1;
    }
}

fn check<T: FromTerm + ToTerm + JsonRepresentation + Debug>(cases: &[Case], found: &mut Found) {
    let schema = schemars::SchemaGenerator::default()
        .into_root_schema_for::<Json<T>>()
        .to_value();
    let validator = jsonschema::draft202012::new(&schema).expect("a good schema");
    let is_valid = |json: &Value| validator.is_valid(json);
    for case in cases {
        found.values += 1;
        if case.is_instance == Some(true) {
            check_value::<T>(&case.value, &is_valid, found);
        }
        for (term, is_instance) in &case.mutations {
            check_mutation::<T>(term, *is_instance, &is_valid, found);
        }
    }
}

/// Checks that a value survives the way to Rust and back, and then to JSON and back.
fn check_value<T: FromTerm + ToTerm + JsonRepresentation + Debug>(
    term: &Term,
    is_valid: &dyn Fn(&Value) -> bool,
    found: &mut Found,
) {
    let value = match term.decode::<T>() {
        Ok(value) => value,
        Err(error) => {
            return found.add(refusal::<T>(term, &error), || format!("{term}: {error}"));
        }
    };
    let written = Term::of(&value);
    if written != *term {
        let kind = match flat(&written) == flat(term) {
            true => "iodata has the same bytes, nested otherwise",
            false => "a value is written differently",
        };
        found.add(kind, || format!("{term} as {written}"));
    }
    let text = serde_json::to_string(&Json(value)).expect("JSON");
    let json: Value = serde_json::from_str(&text).expect("JSON");
    if !is_valid(&json) {
        found.add("the JSON of a value is not of the schema", || text.clone());
    }
    match T::from_json(&json, Position::Alone) {
        Ok(back) if Term::of(&back) == written => {}
        Ok(back) => found.add("JSON changes a value", || {
            format!("{text}: {written} as {}", Term::of(&back))
        }),
        Err(error) => found.add("the JSON of a value is refused", || {
            format!("{text}: {error}")
        }),
    }
}

/// Returns the term with a binary in the place of everything that may be iodata.
fn flat(term: &Term) -> Term {
    if let Ok(data) = term.decode::<Iodata>() {
        return Term::Binary(data.to_vec().into());
    }
    each_part(term, flat)
}

/// Returns the term with its direct parts changed.
fn each_part(term: &Term, change: fn(&Term) -> Term) -> Term {
    match term {
        Term::List(parts) => Term::List(parts.iter().map(change).collect()),
        Term::Tuple(parts) => Term::Tuple(parts.iter().map(change).collect()),
        Term::Map(entries) => {
            let entry = |(key, value): &(Term, Term)| (change(key), change(value));
            Term::Map(entries.iter().map(entry).collect())
        }
        other => other.clone(),
    }
}

/// Checks that a mutation is decoded exactly if it is an instance, and that the schema accepts its
/// JSON exactly in that case.
fn check_mutation<T: FromTerm + ToTerm + JsonRepresentation + Debug>(
    term: &Term,
    is_instance: Option<bool>,
    is_valid: &dyn Fn(&Value) -> bool,
    found: &mut Found,
) {
    found.mutations += 1;
    let read = term.decode::<T>();
    match (&read, is_instance) {
        (_, None) => found.unknown += 1,
        (Ok(_), Some(true)) => found.instances += 1,
        (Err(_), Some(false)) => {}
        (Ok(value), Some(false)) => {
            let value = format!("{value:?}");
            let kind = match value.contains("Caller<") {
                true => "the process and the tag of a caller may be any terms",
                false => "a term that is not an instance is read",
            };
            found.add(kind, || format!("{term} as {value}"));
        }
        (Err(error), Some(true)) => {
            found.add(refusal::<T>(term, error), || format!("{term}: {error}"));
        }
    }
    let text = serde_json::to_string(&Json(term.clone())).expect("JSON");
    let json: Value = serde_json::from_str(&text).expect("JSON");
    let read = T::from_json(&json, Position::Alone);
    if read.is_ok() == is_valid(&json) {
        return;
    }
    let difference = Difference {
        json: &json,
        error: read.as_ref().err(),
        accepts: &|json: &Value| T::from_json(json, Position::Alone).is_ok(),
    };
    let kind = match (reason(&difference), &read) {
        (Some(limit), _) => format!("JSON Schema cannot express {}", LIMITS[limit].text),
        (None, Ok(_)) => "reading takes JSON that is not of the schema".to_owned(),
        (None, Err(_)) => "the schema has JSON that reading refuses".to_owned(),
    };
    found.add(&kind, || match &read {
        Ok(_) => text,
        Err(error) => format!("{text}: {error}"),
    });
}

/// Classifies the error with which an instance is refused. The error of a union may be about
/// another member than the one with the bound.
fn refusal<T: FromTerm>(term: &Term, error: &otp_bridge::term::DecodeError) -> &'static str {
    if at_bound(error) || small(term).decode::<T>().is_ok() {
        "an instance is beyond a bound of the Rust type"
    } else {
        "an instance is refused"
    }
}

/// Returns the term with 97 in the place of integers of more than 64 bits, and of surrogates.
fn small(term: &Term) -> Term {
    match term {
        Term::Integer(0xD800..0xE000) => Term::Integer(97),
        Term::BigInteger(_) if term.decode::<u64>().is_err() => Term::Integer(97),
        other => each_part(other, small),
    }
}

/// Returns whether the error is about a limit that docs/mapping.md names.
fn at_bound(error: &otp_bridge::term::DecodeError) -> bool {
    error.expected_type().ends_with("for others)")
}

/// For each type of a module, by name and arity: the terms, or the reason why there are none.
type Cases = BTreeMap<(String, usize), Result<Vec<Case>, String>>;

fn read(module: &str) -> Cases {
    let bytes = fs::read(format!("cases/{module}.cases")).expect("the terms of a module");
    let Ok(Term::List(types)) = etf::decode(&bytes) else {
        panic!("{module}: not a list");
    };
    let one = |of_type: &Term| {
        let (name, arity, cases): (otp_bridge::Atom, usize, Term) =
            of_type.decode().expect("a type with its terms");
        let cases = match &cases {
            Term::List(cases) => Ok(cases.iter().map(case).collect()),
            none => {
                let (_, why): (otp_bridge::Atom, otp_bridge::term::ErlangString) =
                    none.decode().expect("a reason");
                Err(why.0)
            }
        };
        ((name.text().to_owned(), arity), cases)
    };
    types.iter().map(one).collect()
}

fn case(term: &Term) -> Case {
    let (value, is_instance, mutations): (Term, otp_bridge::Atom, Vec<(Term, otp_bridge::Atom)>) =
        term.decode().expect("a case");
    let verdict = |atom: &otp_bridge::Atom| match atom.text() {
        "true" => Some(true),
        "false" => Some(false),
        _ => None,
    };
    Case {
        value,
        is_instance: verdict(&is_instance),
        mutations: mutations
            .into_iter()
            .map(|(term, atom)| (term, verdict(&atom)))
            .collect(),
    }
}

/// Compares all types, and prints lines `key<TAB>count` and
/// `difference<TAB>kind<TAB>count<TAB>type<TAB>example`.
pub(crate) fn compare(types: &[Typed]) {
    let mut by_module: BTreeMap<&str, Vec<&Typed>> = BTreeMap::new();
    for typed in types {
        by_module.entry(typed.module).or_default().push(typed);
    }
    let (mut found, mut compared, mut absent) = (Found::default(), 0, BTreeMap::new());
    for (module, types) in by_module {
        let mut all = read(module);
        for typed in types {
            match all.remove(&(typed.name.to_owned(), typed.arity)) {
                Some(Ok(cases)) => {
                    compared += 1;
                    found.name = typed.name.to_owned();
                    (typed.check)(&cases, &mut found);
                }
                Some(Err(why)) => *absent.entry(why).or_insert(0) += 1,
                // Only public types are compared.
                None => {}
            }
        }
    }
    println!("types\t{compared}");
    println!("values\t{}", found.values);
    println!("mutations\t{}", found.mutations);
    println!("instances\t{}", found.instances);
    println!("unknown\t{}", found.unknown);
    for (why, count) in absent {
        println!("absent\t{count}\t{}", one_line(&why));
    }
    for (kind, difference) in &found.differences {
        for (name, (count, example)) in &difference.examples {
            println!("difference\t{kind}\t{count}\t{name}\t{}", one_line(example));
        }
    }
}

fn one_line(text: &str) -> String {
    let line = text.replace(['\n', '\t'], " ");
    line.chars().take(400).collect()
}
