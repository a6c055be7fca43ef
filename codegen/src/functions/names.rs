//! Names of bound functions and of their arguments.

use std::collections::BTreeMap;

use otp_specs::types::Type;

use super::forms::{Form, label};
use crate::facts::annotation;
use crate::names::{Taken, snake};

/// As many further arguments may name a longer form.
const NAMED_BY_ARGUMENTS: usize = 2;

/// Whether an Erlang function's name can be part of a Rust name.
pub(crate) fn is_name(function: &str) -> bool {
    function.starts_with(|first: char| first.is_ascii_alphabetic())
        && function
            .chars()
            .all(|character| character.is_ascii_alphanumeric() || character == '_')
}

/// What the arities of one function add to its name: nothing to the smallest.
///
/// `arities` has the names of the arguments of each, in order of the arities.
pub(crate) fn suffixes(arities: &BTreeMap<usize, Vec<String>>) -> BTreeMap<usize, String> {
    let mut taken = Taken::default();
    let mut suffixes = BTreeMap::new();
    for (arity, arguments) in arities {
        let wanted = if suffixes.is_empty() {
            String::new()
        } else {
            let shorter = arities.range(..arity).rev().map(|(_, names)| names);
            further(arguments, shorter)
                .map(|names| format!("_{}", names.join("_")))
                .filter(|suffix| !taken.contains(suffix))
                .unwrap_or_else(|| format!("_{arity}"))
        };
        suffixes.insert(*arity, taken.claim(&wanted));
    }
    suffixes
}

/// The arguments that the longest of the shorter forms lacks, if it has all the others.
fn further<'a>(
    arguments: &[String],
    mut shorter: impl Iterator<Item = &'a Vec<String>>,
) -> Option<Vec<String>> {
    shorter.find_map(|shorter| {
        let mut rest = arguments.to_vec();
        for name in shorter {
            let index = rest.iter().position(|other| other == name)?;
            rest.remove(index);
        }
        (!rest.is_empty() && rest.len() <= NAMED_BY_ARGUMENTS).then_some(rest)
    })
}

/// The Rust name of a form: a label is enough where it is free.
pub(crate) fn function_name(
    function: &str,
    suffix: &str,
    form: &Form,
    taken: &mut Taken,
) -> String {
    let name = |text: String| snake(&text.replace("r#", ""));
    let Some(label) = &form.label else {
        return taken.claim(&name(format!("{function}{suffix}")));
    };
    let labelled = name(format!("{function}_{label}"));
    if taken.contains(&labelled) {
        taken.claim(&name(format!("{function}{suffix}_{label}")))
    } else {
        taken.claim(&labelled)
    }
}

/// The names of arguments: their annotations, or what kind they are. `cx` is another's.
pub(crate) fn argument_names(params: &[Type]) -> Vec<String> {
    let mut taken = Taken::default();
    taken.claim("cx");
    let name = |ty: &Type| match annotation(ty) {
        Some(name) => snake(name),
        None => snake(&label(ty)),
    };
    params.iter().map(|ty| taken.claim(&name(ty))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn suffixes_of(forms: &[&[&str]]) -> Vec<String> {
        let names = |form: &&[&str]| {
            let names = form.iter().map(|name| (*name).to_owned()).collect();
            (form.len(), names)
        };
        suffixes(&forms.iter().map(names).collect())
            .into_values()
            .collect()
    }

    #[test]
    fn longer_forms_are_named_by_what_they_add_or_by_their_arity() {
        assert_eq!(
            suffixes_of(&[
                &["time", "dest", "msg"],
                &["time", "dest", "msg", "options"]
            ]),
            ["", "_options"]
        );
        assert_eq!(
            suffixes_of(&[
                &["fun"],
                &["node", "fun"],
                &["m", "f", "a"],
                &["node", "m", "f", "a"]
            ]),
            ["", "_node", "_3", "_4"]
        );
        assert_eq!(
            suffixes_of(&[
                &["continuation"],
                &["table", "pattern"],
                &["table", "pattern", "limit"]
            ]),
            ["", "_2", "_limit"]
        );
    }

    #[test]
    fn only_words_are_names() {
        assert!(is_name("match") && is_name("read_file"));
        assert!(!is_name("+") && !is_name("$handle_undefined_function") && !is_name(""));
    }
}
