//! `MODULE:NAME/ARITY`, as used on command lines and in otp.toml.

use std::path::Path;

use otp_contract::erlang::quote_atom;
use otp_grammar::{Pair, Rule, leaf, read, whole};

use crate::report::{Result, catalog};

/// A module, or one of its types, records, callbacks or functions.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct QualifiedName {
    /// Its name, or the path of its file.
    pub(crate) module: String,
    /// `None` means the whole module.
    pub(crate) name: Option<String>,
    /// `None` means any.
    pub(crate) arity: Option<usize>,
}

impl QualifiedName {
    /// Reads `MODULE`, `MODULE:NAME` or `MODULE:NAME/ARITY`. Names may be quoted as in Erlang. The
    /// path of a file is a module, whatever characters it contains.
    pub(crate) fn of(word: &str) -> Result<Self> {
        Self::read(word).unwrap_or_else(|| Err(catalog::NOT_A_NAME.with(&[&word])))
    }

    /// Reads a text that has the form of such a name.
    pub(crate) fn read(word: &str) -> Option<Result<Self>> {
        let mut named = Self {
            module: word.to_owned(),
            name: None,
            arity: None,
        };
        if Path::new(word).is_file() {
            return Some(Ok(named));
        }
        let parts = read(word, whole::NAME, |name| {
            let mut parts = Vec::new();
            for part in name.into_inner().flat_map(Pair::into_inner) {
                parts.push((part.as_rule(), text(part)?));
            }
            Ok(parts)
        });
        let mut parts = parts.ok()?.into_iter();
        named.module = parts.next()?.1;
        let mut mark = "";
        for (rule, text) in parts {
            match rule {
                Rule::record_sign => mark = "#",
                Rule::arity => match text.parse() {
                    Ok(arity) => named.arity = Some(arity),
                    Err(_) => return Some(Err(catalog::ARITY.with(&[&text]))),
                },
                _ => named.name = Some(format!("{mark}{text}")),
            }
        }
        Some(Ok(named))
    }

    /// `MODULE:NAME/ARITY` for something else in this module.
    pub(crate) fn instead(&self, name: &str, arity: Option<usize>) -> String {
        let plain = Self {
            module: self.module.clone(),
            name: None,
            arity: None,
        };
        let is_plain =
            Self::read(&self.module).is_some_and(|read| read.is_ok_and(|it| it == plain));
        let module = match is_plain {
            true => self.module.clone(),
            false => quote_atom(&self.module),
        };
        format!("{module}:{}", local_name(name, arity))
    }
}

/// `NAME/ARITY`, with quotes where Erlang has them.
pub(crate) fn local_name(name: &str, arity: Option<usize>) -> String {
    let name = match name.strip_prefix('#') {
        Some(record) => format!("#{}", quote_atom(record)),
        None => quote_atom(name),
    };
    match arity {
        Some(arity) => format!("{name}/{arity}"),
        None => name,
    }
}

/// Returns the text of a part of a name, without its quotes.
fn text(part: Pair<'_>) -> std::result::Result<String, otp_grammar::Error> {
    match part.as_rule() {
        Rule::quoted => leaf::quoted(part),
        _ => Ok(part.as_str().to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(module: &str, name: Option<&str>, arity: Option<usize>) -> QualifiedName {
        QualifiedName {
            module: module.to_owned(),
            name: name.map(str::to_owned),
            arity,
        }
    }

    #[test]
    fn modules_names_and_arities_are_distinguished() {
        for (word, expected) in [
            ("gen", name("gen", None, None)),
            ("gen:t", name("gen", Some("t"), None)),
            ("gen:t/0", name("gen", Some("t"), Some(0))),
            (
                "src/gen.erl:'a b'/2",
                name("src/gen.erl", Some("a b"), Some(2)),
            ),
            ("'Elixir.A':'b c'/0", name("Elixir.A", Some("b c"), Some(0))),
            ("Elixir.Date:t", name("Elixir.Date", Some("t"), None)),
            ("'Elixir.A':#'a b'", name("Elixir.A", Some("#a b"), None)),
        ] {
            assert_eq!(QualifiedName::of(word).unwrap(), expected, "{word}");
        }
        for word in [
            "",
            ":",
            "gen:",
            "{ok, pid()}",
            "m:t(atom())",
            "[byte()]",
            "a | b",
            "'a",
        ] {
            assert!(QualifiedName::read(word).is_none(), "{word}");
        }
        let error = QualifiedName::of("gen:t/x").unwrap_err();
        assert_eq!(error.what(), "`x` is not an arity: an arity is a number");
    }
}
