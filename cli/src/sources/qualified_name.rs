//! `MODULE:NAME/ARITY`, as command lines and otp.toml have it.

use std::path::Path;

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
    /// path of a file is a module, whatever characters it has.
    pub(crate) fn of(word: &str) -> Result<Self> {
        let all = |module: &str| Self {
            module: unquoted(module),
            name: None,
            arity: None,
        };
        if Path::new(word).is_file() {
            return Ok(all(word));
        }
        let Some((module, rest)) = word.rsplit_once(':') else {
            return Ok(all(word));
        };
        let (name, arity) = match rest.rsplit_once('/') {
            Some((name, arity)) => {
                let arity = arity.parse().map_err(|_| catalog::ARITY.with(&[&arity]))?;
                (name, Some(arity))
            }
            None => (rest, None),
        };
        Ok(Self {
            name: Some(unquoted(name)),
            arity,
            ..all(module)
        })
    }
}

/// `'quoted name'` as the name that it stands for; `#'quoted name'` too.
fn unquoted(name: &str) -> String {
    let (mark, name) = match name.strip_prefix('#') {
        Some(name) => ("#", name),
        None => ("", name),
    };
    let inner = name
        .strip_prefix('\'')
        .and_then(|name| name.strip_suffix('\''));
    format!("{mark}{}", inner.unwrap_or(name))
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
            (":", name("", Some(""), None)),
            ("'Elixir.A':#'a b'", name("Elixir.A", Some("#a b"), None)),
        ] {
            assert_eq!(QualifiedName::of(word).unwrap(), expected, "{word}");
        }
        let error = QualifiedName::of("gen:t/x").unwrap_err();
        assert_eq!(error.what(), "`x` is not an arity: an arity is a number");
    }
}
