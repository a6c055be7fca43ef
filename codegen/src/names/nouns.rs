//! Nouns for types, as parts of other names, in snake case: `pid`, `pid_list`, `address_port`.
//!
//! | type | noun |
//! |---|---|
//! | `Name :: T`, a variable | `name`; a leading `New` is dropped |
//! | `m:t()`, `#r{}`, `pid()`, an atom, `16` | its name: `t`, `r`, `pid`, `16` |
//! | `{tag, …}` | `tag` |
//! | another tuple of at most three elements | their nouns, `address_port`, up to [`LENGTH`] letters; otherwise, and if all are predefined types, `pair`, `triple`, `tuple` |
//! | `[T]` | `t_list`; `list` if `T` has no noun or a long one |
//! | a map | the atoms that are values of its required keys, `#{level := socket, type := rights}` is `socket_rights`; otherwise `map` |
//! | a union | its members' nouns, `client_or_server`, up to [`LENGTH`] letters; otherwise none |
//! | `term()` | none |

use std::collections::BTreeSet;

use otp_specs::types::{Builtin, Int, MapField, Type};

use super::modules::type_base;
use super::words::{snake_words, value_name};
use crate::types::{annotation, bare, split_tag};

/// The longest noun, in letters, of several types.
const LENGTH: usize = 28;
/// The maximum number of types in a noun.
const PARTS: usize = 3;

/// Returns the noun of `ty`, if it has one.
pub(crate) fn noun(ty: &Type) -> Option<String> {
    match annotation(ty) {
        Some(name) if !name.starts_with('_') => Some(snake_words(value_name(name))),
        _ => kind(bare(ty)),
    }
}

/// Returns the noun of a type without its annotation.
pub(crate) fn kind(ty: &Type) -> Option<String> {
    let fixed = match ty {
        Type::Any | Type::None | Type::Invalid | Type::Var(_) => return None,
        Type::Annotated(..) => return noun(ty),
        Type::Atom(name) => return Some(snake_words(name)),
        Type::Named(name, _) => {
            let base = type_base(&name.module, &name.name);
            return Some(snake_words(base));
        }
        Type::Record(name, _) => return Some(snake_words(&name.name)),
        Type::Integer(number) => return Some(of_integer(number)),
        Type::Builtin(builtin) => of_builtin(*builtin),
        Type::Union(members) => return of_parts(&with_boolean(members), "_or_"),
        Type::Tuple(elements) => return Some(of_tuple(elements)),
        Type::List(element) | Type::NonemptyList(element) => return Some(of_list(element)),
        Type::Map(fields) => return Some(of_map(fields)),
        Type::Range(..) => "integer",
        Type::Nil => "nil",
        Type::MaybeImproperList(element, _) | Type::NonemptyImproperList(element, _) => {
            return Some(of_list(element));
        }
        Type::Bitstring { size, unit } if size % 8 == 0 && unit % 8 == 0 => "binary",
        Type::Bitstring { .. } => "bitstring",
        Type::Fun(..) => "fun",
    };
    Some(fixed.to_owned())
}

/// Returns the nouns of all parts, if each has one and they are few and short.
fn of_parts(parts: &[Type], between: &str) -> Option<String> {
    if parts.len() > PARTS {
        return None;
    }
    let nouns: Option<Vec<String>> = parts.iter().map(noun).collect();
    let nouns = nouns?;
    let different: BTreeSet<&String> = nouns.iter().collect();
    let noun = joined(&nouns, between);
    (noun.len() <= LENGTH && different.len() == nouns.len()).then_some(noun)
}

/// Returns the members of a union, with `true` and `false` combined.
fn with_boolean(members: &[Type]) -> Vec<Type> {
    let is = |ty: &Type, atom: &str| matches!(bare(ty), Type::Atom(name) if name == atom);
    let has = |atom: &str| members.iter().any(|member| is(member, atom));
    if !(has("true") && has("false")) {
        return members.to_vec();
    }
    let others = members
        .iter()
        .filter(|member| !is(member, "true") && !is(member, "false"));
    let boolean = [Type::Builtin(Builtin::Boolean)];
    boolean.into_iter().chain(others.cloned()).collect()
}

/// Joins several nouns. Adjacent equal words are written once.
pub(crate) fn joined(nouns: &[String], between: &str) -> String {
    let mut all = String::new();
    for noun in nouns {
        if all.is_empty() {
            all.push_str(noun);
            continue;
        }
        let last = all.rsplit('_').next().unwrap_or_default().to_owned();
        match noun.strip_prefix(&last) {
            Some(rest) if between == "_" && (rest.is_empty() || rest.starts_with('_')) => {
                all.push_str(rest);
            }
            _ => {
                all.push_str(between);
                all.push_str(noun);
            }
        }
    }
    all
}

fn of_tuple(elements: &[Type]) -> String {
    if let Some((tag, _)) = split_tag(elements) {
        return snake_words(tag);
    }
    let is_plain = |ty: &Type| matches!(ty, Type::Builtin(_));
    match elements.iter().all(is_plain) {
        true => None,
        false => of_parts(elements, "_"),
    }
    .unwrap_or_else(|| of_size(elements.len()).to_owned())
}

/// Returns the noun of a tuple with this number of elements.
pub(crate) fn of_size(elements: usize) -> &'static str {
    match elements {
        2 => "pair",
        3 => "triple",
        _ => "tuple",
    }
}

fn of_list(element: &Type) -> String {
    match noun(element) {
        Some(noun) if noun.len() + "_list".len() <= LENGTH => {
            joined(&[noun, "list".to_owned()], "_")
        }
        _ => "list".to_owned(),
    }
}

fn of_map(fields: &[MapField]) -> String {
    let value = |field: &MapField| match bare(&field.value) {
        Type::Atom(value) if field.required => Some(snake_words(value)),
        _ => None,
    };
    let values: Vec<String> = fields.iter().filter_map(value).collect();
    let noun = joined(&values, "_");
    if values.is_empty() || noun.len() > LENGTH {
        "map".to_owned()
    } else {
        noun
    }
}

fn of_integer(number: &Int) -> String {
    let text = match number {
        Int::Small(number) => number.to_string(),
        Int::Big(digits) => digits.clone(),
    };
    text.replace('-', "minus_")
}

fn of_builtin(builtin: Builtin) -> &'static str {
    match builtin {
        Builtin::Atom => "atom",
        Builtin::Boolean => "boolean",
        Builtin::Integer => "integer",
        Builtin::Char => "char",
        Builtin::NonNegInteger => "non_neg_integer",
        Builtin::PosInteger => "pos_integer",
        Builtin::NegInteger => "neg_integer",
        Builtin::Float => "float",
        Builtin::Number => "number",
        Builtin::Arity => "arity",
        Builtin::Byte => "byte",
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

/// Returns `options` for `option`, `properties` for `property`.
pub(crate) fn plural(noun: &str) -> String {
    match noun.strip_suffix('y') {
        Some(stem) if !stem.ends_with(['a', 'e', 'o', 'u']) => format!("{stem}ies"),
        _ if noun.ends_with('s') => noun.to_owned(),
        _ if noun.ends_with(['x', 'z']) || noun.ends_with("ch") || noun.ends_with("sh") => {
            format!("{noun}es")
        }
        _ => format!("{noun}s"),
    }
}

/// Returns the last word of each name, unless two are equal: `headers` and `body` for
/// `http_headers` and `resp_body`, `options` for `option_list`.
pub(crate) fn last_words(names: &[String]) -> Vec<String> {
    let last = |name: &String| match name.strip_suffix("_list").unwrap_or(name).rsplit_once('_') {
        _ if name.contains("_or_") => name.clone(),
        None if name.ends_with("_list") => plural(name.trim_end_matches("_list")),
        None => name.clone(),
        Some((_, last)) if name.ends_with("_list") => plural(last),
        Some((_, last)) => last.to_owned(),
    };
    let words: Vec<String> = names.iter().map(last).collect();
    let distinct: BTreeSet<&String> = words.iter().collect();
    if distinct.len() == names.len() {
        words
    } else {
        names.to_vec()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_named_by_its_elements() {
        for (noun, lists) in [
            ("atom", "atoms"),
            ("property", "properties"),
            ("key", "keys"),
            ("address", "address"),
            ("box", "boxes"),
        ] {
            assert_eq!(plural(noun), lists);
        }
    }

    #[test]
    fn names_lose_all_but_their_last_words() {
        let last = |names: &[&str]| {
            last_words(&names.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>())
        };
        assert_eq!(
            last(&["option_list", "pid_or_name"]),
            ["options", "pid_or_name"]
        );
        assert_eq!(last(&["src_mod", "dest_mod"]), ["src_mod", "dest_mod"]);
    }
}
