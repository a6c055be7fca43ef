//! The position of a type: the names that it can be given, and its surroundings.

use crate::facts::DEPTH;
use crate::facts::recursion::Node;
use crate::names::{Taken, camel, paths};

/// The step to a function's result.
const RESULT: &str = "Result";

/// The position of a type.
#[derive(Debug, Clone)]
pub(super) struct Position<'p> {
    /// Names from the form down to here, in camel case.
    pub(super) path: Vec<String>,
    /// The definition that this is part of.
    pub(super) owner: Option<&'p Node>,
    /// Whether the owner contains the type by value.
    pub(super) by_value: bool,
    /// The owner's type parameters: their names in Erlang and in Rust.
    pub(super) parameters: &'p [(String, String)],
    /// Whether this is a clause of a callback's result, where the reply and the state are type
    /// parameters.
    pub(super) in_clause: bool,
    /// Whether this is in an argument of a function.
    pub(super) is_argument: bool,
    /// A more specific name of the form.
    alternative: Option<String>,
    /// The role of the type (an element, a value), which is appended to a name that is already in
    /// use.
    part: &'static str,
    depth: usize,
}

impl<'p> Position<'p> {
    /// The top of a form.
    pub(super) fn top(name: &str) -> Self {
        Position {
            path: vec![camel(name)],
            owner: None,
            by_value: true,
            parameters: &[],
            in_clause: false,
            is_argument: false,
            alternative: None,
            part: "Value",
            depth: DEPTH,
        }
    }

    /// The top of the `-spec` of a function whose Rust name is `rust`.
    pub(super) fn of_function(name: &str, rust: &str) -> Self {
        Position {
            alternative: Some(camel(rust.trim_start_matches("r#"))),
            ..Position::top(name)
        }
    }

    /// Returns whether this is the whole result of a function.
    pub(super) fn is_result(&self) -> bool {
        self.part == "Value" && matches!(self.path.as_slice(), [_, step] if step == RESULT)
    }

    /// The result of a function.
    pub(super) fn result(&self) -> Self {
        self.inside(RESULT)
    }

    /// Makes the position a part of a definition.
    pub(super) fn owned(self, owner: &'p Node, parameters: &'p [(String, String)]) -> Self {
        Position {
            owner: Some(owner),
            parameters,
            ..self
        }
    }

    /// A part that has a name.
    pub(super) fn inside(&self, name: &str) -> Self {
        let mut position = self.clone();
        position.path.push(camel(name));
        position.part = "Value";
        position
    }

    /// A part on the heap: an element of a list, a value of a map.
    pub(super) fn behind(&self) -> Self {
        Position {
            by_value: false,
            in_clause: false,
            ..self.clone()
        }
    }

    /// An element of a list.
    pub(super) fn element(&self) -> Self {
        Position {
            part: "Element",
            ..self.behind()
        }
    }

    /// A part of a type that becomes an item of its own. Type parameters of the clause are not
    /// available in it.
    pub(super) fn outside_clause(&self) -> Self {
        Position {
            in_clause: false,
            ..self.clone()
        }
    }

    /// One step down; `None` if the type is nested too deeply.
    pub(super) fn deeper(&self) -> Option<Self> {
        let depth = self.depth.checked_sub(1)?;
        Some(Position {
            depth,
            ..self.clone()
        })
    }

    /// Returns the Rust name of the type parameter `name`.
    pub(super) fn parameter(&self, name: &str) -> Option<&'p str> {
        self.parameters
            .iter()
            .find(|(erlang, _)| erlang == name)
            .map(|(_, rust)| rust.as_str())
    }

    /// Returns names for an item that Erlang does not name, the best first.
    pub(super) fn names(&self) -> Vec<String> {
        paths::names(&self.path, self.alternative.as_deref(), self.part)
    }
}

/// Returns the type parameters of a definition, in Erlang and in Rust.
pub(super) fn type_parameters(item: &str, variables: &[String]) -> Vec<(String, String)> {
    let mut taken = Taken::default();
    for name in [item, "Box", "From", "Option", "Vec"] {
        taken.claim(name);
    }
    let mut parameters = Vec::new();
    for variable in variables {
        let plain = camel(variable);
        let longer = format!("{plain}Type");
        parameters.push((variable.clone(), taken.claim_first(&[plain, longer])));
    }
    parameters
}
