//! The Erlang types of callbacks, for the `-spec` lines of the Erlang modules.

pub use otp_contract::manifest::Signature;

use crate::term::{Definitions, quote_atom, words};

/// The types of a `-callback` or `-spec` form, as Erlang text. A variable stands for the type that
/// an implementation chooses (`Request`, `State`). Generated.
#[derive(Debug)]
pub struct Form {
    /// The types of its arguments.
    pub arguments: &'static [&'static str],
    /// The members of its return type, a union.
    pub returns: &'static [&'static str],
}

/// Adds the types of one clause to definitions. Generated.
pub type Sign = fn(&mut Definitions) -> Signature;

impl Form {
    /// Returns the form with these types for its variables; another variable becomes `term()`.
    #[must_use]
    pub fn with(&self, bound: &[(&str, String)]) -> Signature {
        let all = |texts: &[&str]| texts.iter().map(|text| replaced(text, bound)).collect();
        Signature {
            arguments: all(self.arguments),
            returns: all(self.returns),
        }
    }
}

/// Returns `state()`: the type of the state that a behaviour's forms call `State`.
#[must_use]
pub fn type_of_state(variable: &str) -> String {
    format!("{}()", quote_atom(&words(variable)))
}

impl Form {
    /// Returns whether the variable occurs.
    pub(crate) fn mentions(&self, variable: &str) -> bool {
        let mut texts = self.arguments.iter().chain(self.returns);
        let bound = [(variable, String::new())];
        texts.any(|text| replaced(text, &bound) != replaced(text, &[]))
    }
}

/// Replaces every variable in `text`. A quoted text is an atom.
fn replaced(text: &str, bound: &[(&str, String)]) -> String {
    let mut result = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '\'' => quoted(rest),
            _ if is_of_word(first) => word(rest),
            _ => first.len_utf8(),
        };
        let (part, others) = rest.split_at(length);
        if first.is_uppercase() {
            let found = bound.iter().find(|(name, _)| *name == part);
            result.push_str(found.map_or("term()", |(_, text)| text));
        } else {
            result.push_str(part);
        }
        rest = others;
    }
    result
}

fn is_of_word(character: char) -> bool {
    character.is_alphanumeric() || matches!(character, '_' | '@')
}

fn word(text: &str) -> usize {
    text.find(|c| !is_of_word(c)).unwrap_or(text.len())
}

/// Returns the length of the quoted atom at the start of `text`.
fn quoted(text: &str) -> usize {
    let mut escaped = false;
    for (at, character) in text.char_indices().skip(1) {
        match character {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '\'' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_become_types_and_atoms_stay() {
        let bound = [("State", "state()".to_owned()), ("S", "no".to_owned())];
        let text = r"{'State', State, a_State, 'it\'s S', [S2], Reply}";
        assert_eq!(
            replaced(text, &bound),
            r"{'State', state(), a_State, 'it\'s S', [term()], term()}"
        );
    }
}
