//! Names of bound functions and of their arguments.
//!
//! | Erlang | Rust | rule |
//! |---|---|---|
//! | `insert/2`, the only arity | `insert` | the name itself |
//! | `send_after(Time, Dest, Msg)`, `…(Time, Dest, Msg, Options)` | `send_after`, `send_after_with_options` | `with` and the arguments that the plain arity lacks |
//! | `match(Continuation)`, `match(Table, Pattern)`, `match(Table, Pattern, Limit)` | `match_with_continuation`, `r#match`, `match_with_limit` | plain is the arity whose arguments most others have; of several the smallest |
//! | `call(Node, Fun)`, `call(Node, Module, Function, Args)` | `call`, `call_with_mfa` | a module, a function and its arguments are `mfa` |
//! | clauses `flag(trap_exit, B)`, `flag(priority, L)` | `flag_trap_exit`, `flag_priority` | the label of the first argument in which all differ |
//! | clauses `info(cpu)`, `info({cpu, Id})` | `info_cpu`, `info_cpu_id` | a tuple's elements, if its tag is not enough |

use std::collections::{BTreeMap, BTreeSet};

use otp_specs::types::{Builtin, Type};

use super::nouns::{joined, last_words, noun, plural};
use super::taken::ordinal;
use super::words::snake_words;
use super::{LIMIT, Taken, snake};
use crate::types::{annotation, bare};

/// A name up to this length, in letters, is preferred to a longer, more informative one.
const SHORT: usize = 30;
/// A list is named after its elements if their noun is shorter than this, in letters.
const LONGEST_PLURAL: usize = 20;
/// Maximum number of further arguments in the name of an arity.
const ARGUMENTS: usize = 3;
/// Minimum number of words that are kept of a label: `with_name`.
const LEAST: usize = 2;
/// The words for a module, a function and its arguments.
const MFA: [&[&str]; 3] = [
    &["module", "mod", "m"],
    &["function", "function_name", "func", "fun", "f"],
    &["args", "arguments", "arg_list", "a"],
];

/// Returns whether an Erlang function's name can be part of a Rust name. A `?` or `!` at its end is
/// Elixir's.
pub(crate) fn is_name(function: &str) -> bool {
    let words = function.strip_suffix(['?', '!']).unwrap_or(function);
    words.starts_with(char::is_alphabetic)
        && words
            .chars()
            .all(|character| super::words::is_letter(character) || character == '_')
}

/// The arguments of one arity of a function.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct ArgumentNames {
    pub(crate) all: Vec<String>,
    /// Arguments that distinguish its clauses, and are therefore already part of their names.
    pub(crate) told: BTreeSet<String>,
}

/// Returns suffixes that distinguish the arities of `function`: the text after the function's name,
/// empty for the plain arity.
pub(crate) fn suffixes(
    function: &str,
    arities: &BTreeMap<usize, ArgumentNames>,
) -> BTreeMap<usize, String> {
    let plain = plain(arities);
    let mut taken: BTreeSet<String> = BTreeSet::from([String::new()]);
    let mut suffixes = BTreeMap::new();
    for (arity, arguments) in arities {
        let suffix = match plain {
            Some((shortest, _)) if shortest == arity => String::new(),
            _ => {
                let shorter = arities.range(..arity).rev().map(|(_, shorter)| shorter);
                let others: Vec<&ArgumentNames> = plain
                    .map(|(_, plain)| plain)
                    .into_iter()
                    .chain(shorter)
                    .collect();
                let mut names = candidates(function, arguments, &others).into_iter();
                let free = names.find(|name| !taken.contains(name));
                free.unwrap_or_else(|| format!("_with_{}_argument", ordinal(*arity)))
            }
        };
        taken.insert(suffix.clone());
        suffixes.insert(*arity, suffix);
    }
    suffixes
}

/// Returns the arity whose arguments most other arities include; if several are equal, the
/// smallest.
fn plain(arities: &BTreeMap<usize, ArgumentNames>) -> Option<(&usize, &ArgumentNames)> {
    let extended = |arguments: &ArgumentNames| {
        let others = arities.values();
        others.filter(|other| extends(other, arguments)).count()
    };
    arities
        .iter()
        .rev()
        .max_by_key(|(_, arguments)| extended(arguments))
}

/// Returns whether `longer` has all arguments of `shorter` and others.
fn extends(longer: &ArgumentNames, shorter: &ArgumentNames) -> bool {
    let has = |name: &String| longer.all.contains(name);
    longer.all.len() > shorter.all.len() && shorter.all.iter().all(has)
}

/// Returns suffixes that distinguish an arity from `others`, the best first: the arguments that the
/// plain arity lacks, those that a shorter one lacks, and some of its own arguments: the last ones
/// if it includes all of a shorter arity, otherwise the first.
fn candidates(function: &str, arguments: &ArgumentNames, others: &[&ArgumentNames]) -> Vec<String> {
    let without = |other: &[String]| -> Vec<String> {
        let rest = arguments.all.iter().filter(|name| !other.contains(name));
        let (told, open): (Vec<&String>, Vec<&String>) =
            rest.partition(|name| arguments.told.contains(*name));
        let names = if open.is_empty() { told } else { open };
        in_a_name(function, &names.into_iter().cloned().collect::<Vec<_>>())
    };
    let further = others.iter().map(|other| without(&other.all));
    let further = further.filter(|names| (1..=ARGUMENTS).contains(&names.len()));
    let further: Vec<Vec<String>> = further.collect();
    let all = without(&[]);
    let most = all.len().min(ARGUMENTS);
    let first = (1..=most).rev().map(|count| all[..count].to_vec());
    let last = (1..=most)
        .rev()
        .map(|count| all[all.len() - count..].to_vec());
    let some: Vec<Vec<String>> = if others.iter().any(|other| extends(arguments, other)) {
        last.chain(first).collect()
    } else {
        first.chain(last).collect()
    };
    if all.is_empty() {
        return vec!["_without_arguments".to_owned()];
    }
    let is_up_to = |limit: usize, names: &[String]| function.len() + with(names).len() <= limit;
    let shorter = further
        .iter()
        .flat_map(|names| [names.clone(), last_words(names)]);
    let shorter = shorter.filter(|names| is_up_to(SHORT, names));
    let all = || further.iter().chain(&some);
    let cut = |names: &Vec<String>| (names.len() == 1).then(|| cut(function, names));
    // A single argument is the best, even if some of its words have to be dropped.
    let single = all().take(1).filter(|names| names.len() == 1);
    let fits = all().filter(|names| is_up_to(LIMIT, names));
    let fits = single
        .chain(fits)
        .flat_map(|names| [last_words(names), names.clone()]);
    let fits = fits.filter(|names| is_up_to(LIMIT, names));
    let whole = shorter.chain(fits).map(|names| with(&names));
    whole.chain(all().filter_map(cut)).collect()
}

/// Returns `_with_` and the names, without words that would make it too long.
fn cut(function: &str, names: &[String]) -> String {
    let whole = shortened(function, &[with(names).trim_start_matches('_').to_owned()]);
    whole.get(function.len()..).unwrap_or_default().to_owned()
}

/// `_with_a`, `_with_a_and_b`, `_with_a_b_and_c`
fn with(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [one] => format!("_with_{one}"),
        [rest @ .., last] => format!("_with_{}_and_{last}", rest.join("_")),
    }
}

/// Returns names of arguments in the form that function names use: `mfa` for three of them, and
/// without the function's own words at their beginning.
fn in_a_name(function: &str, arguments: &[String]) -> Vec<String> {
    let mut names: Vec<String> = arguments.iter().map(|name| snake_words(name)).collect();
    let is_mfa = |window: &[String]| {
        window
            .iter()
            .zip(MFA)
            .all(|(name, words)| words.contains(&name.as_str()))
    };
    if let Some(start) = names.windows(MFA.len()).position(is_mfa) {
        names.splice(start..start + MFA.len(), ["mfa".to_owned()]);
    }
    for name in &mut names {
        let rest = name
            .strip_prefix(function)
            .and_then(|rest| rest.strip_prefix('_'));
        if let Some(rest) = rest.filter(|rest| !rest.is_empty()) {
            *name = rest.to_owned();
        }
    }
    names
}

/// Returns the Rust name of a form. Labels distinguish it from other forms of its arity; they are
/// used without the suffix if that name is free.
pub(crate) fn function_name(
    function: &str,
    suffix: &str,
    labels: &[String],
    taken: &mut Taken,
) -> String {
    let function = snake_words(function);
    let whole = meeting(&function, suffix);
    if labels.is_empty() {
        let is_question = [
            snake(&whole),
            snake(&meeting(&format!("is_{function}"), suffix)),
        ];
        return taken.claim_first(&is_question);
    }
    let with_suffix = |suffix: &str| -> Vec<String> {
        let suffix = (!suffix.is_empty()).then(|| suffix.to_owned());
        suffix.into_iter().chain(labels.iter().cloned()).collect()
    };
    let suffix = suffix.trim_start_matches('_');
    let bare = suffix.strip_prefix("with_").unwrap_or(suffix);
    let names = [labels.to_vec(), with_suffix(suffix), with_suffix(bare)];
    taken.claim_first(&names.map(|parts| snake(&shortened(&function, &parts))))
}

/// Returns a function's name and suffix. Adjacent equal words are written once.
fn meeting(function: &str, suffix: &str) -> String {
    match suffix.strip_prefix('_') {
        Some(suffix) => joined(&[function.to_owned(), suffix.to_owned()], "_"),
        None => function.to_owned(),
    }
}

/// Returns the name with its labels. If that is too long, the longest labels lose their last words.
fn shortened(name: &str, labels: &[String]) -> String {
    let mut labels: Vec<Vec<&str>> = labels
        .iter()
        .map(|label| label.split('_').collect())
        .collect();
    loop {
        let texts = labels.iter().map(|words| words.join("_"));
        let all: Vec<String> = std::iter::once(name.to_owned()).chain(texts).collect();
        let all = joined(&all, "_");
        let longest = labels.iter_mut().max_by_key(|words| words.len());
        match longest {
            Some(words) if words.len() > LEAST && all.len() > LIMIT => {
                words.pop();
                while words.len() > LEAST && matches!(words.last(), Some(&("or" | "and"))) {
                    words.pop();
                }
            }
            _ if all.len() > LIMIT => return all.replacen("_with_", "_", 1),
            _ => return all,
        }
    }
}

/// Returns the names of arguments: their annotations, or the kinds of their types. `cx` is
/// reserved; `given` arguments have no name.
pub(crate) fn argument_names(params: &[Type], given: &BTreeSet<usize>) -> Vec<String> {
    let mut taken = Taken::default();
    taken.claim("cx");
    let mut names = Vec::new();
    for (index, ty) in params.iter().enumerate() {
        let name = match annotation(ty) {
            Some(name) => snake(name),
            None => snake(&label(ty)),
        };
        names.push(if given.contains(&index) {
            name
        } else {
            taken.claim(&name)
        });
    }
    names
}

/// Returns the name of an argument's type in a name.
pub(crate) fn label(ty: &Type) -> String {
    let integers = [
        Builtin::NonNegInteger,
        Builtin::PosInteger,
        Builtin::NegInteger,
        Builtin::Arity,
        Builtin::Byte,
        Builtin::Char,
    ];
    match (bare(ty), annotation(ty)) {
        (Type::Atom(atom), _) => snake_words(atom),
        (Type::Builtin(builtin), None) if integers.contains(builtin) => "integer".to_owned(),
        (Type::Tuple(elements), _) if crate::types::split_tag(elements).is_some() => {
            let tag = crate::types::split_tag(elements).map(|(tag, _)| snake_words(tag));
            tag.unwrap_or_default()
        }
        (Type::Any, None) => "term".to_owned(),
        (Type::Union(_), None) => noun(ty).unwrap_or_else(|| "value".to_owned()),
        (Type::List(element) | Type::NonemptyList(element), None) => match noun(element) {
            Some(noun) if noun.len() < LONGEST_PLURAL && !noun.contains("_or_") => plural(&noun),
            _ => "list".to_owned(),
        },
        (_, Some(name)) => snake_words(name),
        _ => noun(ty).unwrap_or_else(|| "term".to_owned()),
    }
}

/// Returns a label that tells an argument apart from another one with the same [`label`]: a tuple's
/// elements follow its tag, and a union without a name has its first member's label.
pub(crate) fn longer_label(ty: &Type) -> String {
    match (bare(ty), annotation(ty)) {
        (Type::Tuple(elements), _) => joined(&elements.iter().map(label).collect::<Vec<_>>(), "_"),
        (Type::Union(members), None) if noun(ty).is_none() => {
            members.first().map_or_else(|| label(ty), label)
        }
        _ => label(ty),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn suffixes_of(forms: &[&[&str]]) -> Vec<String> {
        let names = |form: &&[&str]| {
            let names = ArgumentNames {
                all: form.iter().map(|name| (*name).to_owned()).collect(),
                told: BTreeSet::new(),
            };
            (form.len(), names)
        };
        suffixes("f", &forms.iter().map(names).collect())
            .into_values()
            .collect()
    }

    #[test]
    fn arities_are_named_by_what_the_plain_one_lacks() {
        assert_eq!(
            suffixes_of(&[
                &["time", "dest", "msg"],
                &["time", "dest", "msg", "options"]
            ]),
            ["", "_with_options"]
        );
        assert_eq!(
            suffixes_of(&[
                &["fun"],
                &["node", "fun"],
                &["m", "f", "a"],
                &["node", "m", "f", "a"]
            ]),
            ["", "_with_node", "_with_mfa", "_with_node_and_mfa"]
        );
        assert_eq!(
            suffixes_of(&[
                &["continuation"],
                &["table", "pattern"],
                &["table", "pattern", "limit"]
            ]),
            ["_with_continuation", "", "_with_limit"]
        );
        assert_eq!(suffixes_of(&[&[], &["f_options"]]), ["", "_with_options"]);
        assert_eq!(
            suffixes_of(&[&["date"], &["a", "b", "c", "d"], &["p", "q", "r", "s", "t"]]),
            ["", "_with_a_b_and_c", "_with_p_q_and_r"]
        );
    }

    #[test]
    fn a_long_name_has_the_last_words_of_its_arguments() {
        let mut forms = BTreeMap::new();
        for names in [
            &["code", "req"][..],
            &["code", "http_headers", "resp_body", "req"],
        ] {
            let all = names.iter().map(|name| (*name).to_owned()).collect();
            let told = BTreeSet::new();
            forms.insert(names.len(), ArgumentNames { all, told });
        }
        let whole = suffixes("send", &forms);
        assert_eq!(whole[&4], "_with_headers_and_body");
    }

    #[test]
    fn only_words_are_names() {
        assert!(is_name("match") && is_name("read_file") && is_name("valid?"));
        assert!(!is_name("+") && !is_name("$handle_undefined_function") && !is_name(""));
    }

    #[test]
    fn questions_and_bangs() {
        let mut taken = Taken::default();
        let mut name = |function| function_name(function, "", &[], &mut taken);
        assert_eq!(name("valid"), "valid");
        assert_eq!(name("valid?"), "is_valid");
        assert_eq!(name("fetch!"), "fetch_bang");
    }
}
