//! Writes values, and functions that return them, as Rust source.

use std::collections::BTreeSet;

use crate::otp::{Otp, Return};
use crate::sample::Sample;

/// The head of a crate: the items that its functions use.
const HEAD: &str = "\
//! Written by the test `mutation` of otp-tests.
use otp_bridge::term::*;
use otp_bridge::*;

/// Some value: nothing here runs.
pub fn value<T>() -> T {
    loop {}
}

/// The types of the callbacks' own values. None of them is a term.
pub struct State;
pub struct Data;
pub struct Reply;

/// A type without `derive(Term)`.
pub struct NoTerm;

/// The root supervisor of an application.
pub struct Root;

#[supervisor::supervisor]
impl supervisor::Supervisor for Root {
    type Args = ();

    fn init(_: ()) -> impl supervisor::InitReturn {
        atoms::ignore
    }
}
";

const INTO: &str = ".into()";

/// The source of a crate. Every function is one line.
pub(crate) struct Source<'o> {
    otp: &'o Otp,
    lines: Vec<String>,
    /// Misspelt atoms, which OTP does not have.
    misspelt: BTreeSet<String>,
    /// Whether lists of several types are written with `list!`. A `gen_statem` accepts vectors of
    /// each kind of actions, so the elements alone do not determine the type.
    mixes: bool,
}

impl<'o> Source<'o> {
    pub(crate) fn new(otp: &'o Otp) -> Self {
        Source {
            otp,
            lines: HEAD.lines().map(str::to_owned).collect(),
            misspelt: BTreeSet::new(),
            mixes: false,
        }
    }

    /// Adds text unchanged. Returns the number of its first line.
    pub(crate) fn text(&mut self, text: &str) -> usize {
        let first = self.lines.len() + 1;
        self.lines.extend(text.lines().map(str::to_owned));
        first
    }

    /// Adds a function that returns `expression` as the callback does. Returns its line.
    pub(crate) fn function(&mut self, of: &Return, expression: &str) -> usize {
        let number = self.lines.len() + 1;
        self.text(&format!(
            "pub fn f{number}() -> {} {{ {expression} }}",
            of.bound()
        ))
    }

    /// Prepares for the next expression, which is a clause of a callback.
    pub(crate) fn write_for(&mut self, of: &Return, clause: &Sample) {
        // These accept only one kind of elements.
        let replies = Sample::Atom("stop_and_reply".to_owned());
        let has_one_kind = of.qualified.ends_with(":callback_mode/0") || clause.holds(&replies);
        self.mixes = of.behaviour == "gen_statem" && !has_one_kind;
    }

    /// Returns the sample as an expression.
    pub(crate) fn expression(&mut self, sample: &Sample) -> String {
        match sample {
            Sample::Atom(atom) => match self.otp.atom(atom) {
                Some(identifier) => format!("atoms::{identifier}"),
                None => {
                    self.misspelt.insert(atom.clone());
                    format!("misspelt::{atom}")
                }
            },
            Sample::Tuple(elements) => {
                let elements: Vec<String> = elements
                    .iter()
                    .map(|element| self.expression(element) + ",")
                    .collect();
                format!("({})", elements.join(" "))
            }
            Sample::List(elements) => {
                let elements: Vec<String> = elements
                    .iter()
                    .map(|element| self.expression(element))
                    .collect();
                match self.mixes && elements.iter().any(|element| element.ends_with(INTO)) {
                    true => format!("list![{}]", elements.join(", ").replace(INTO, "")),
                    false => format!("vec![{}]", elements.join(", ")),
                }
            }
            Sample::Value(rust, _) => format!("value::<{rust}>()"),
            Sample::Parameter(name) => format!("value::<{name}>()"),
            Sample::Into(inner) => format!("{}{INTO}", self.expression(inner)),
            Sample::Term(inner) => format!("Term::of(&{})", self.expression(inner)),
            Sample::Text => "\"text\"".to_owned(),
            Sample::NoTerm => "NoTerm".to_owned(),
        }
    }

    pub(crate) fn finish(mut self) -> String {
        self.lines.push("pub mod misspelt {".to_owned());
        for atom in &self.misspelt {
            let line =
                format!("#[derive(Debug, Clone, PartialEq, otp_bridge::Term)] pub struct {atom};");
            self.lines.push(line);
        }
        self.lines.push("}\n".to_owned());
        self.lines.join("\n")
    }
}
