//! Generated files: a sorted map in memory, until a caller writes it.

use std::collections::BTreeMap;
use std::fmt;

/// Paths, with `/` between folders and relative to the output folder, and their texts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Files(pub BTreeMap<String, String>);

impl Files {
    /// Every path with its text, in order of the paths.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0
            .iter()
            .map(|(path, text)| (path.as_str(), text.as_str()))
    }

    /// The text of `path`.
    pub fn get(&self, path: &str) -> Option<&str> {
        self.0.get(path).map(String::as_str)
    }

    /// Adds a file, in place of one with the same path.
    pub fn insert(&mut self, path: impl Into<String>, text: impl Into<String>) {
        self.0.insert(path.into(), text.into());
    }
}

/// How a file that exists differs from a fresh one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Difference {
    /// A fresh file does not exist yet.
    Missing(String),
    /// A file exists that would not be written any more.
    Leftover(String),
    /// The texts differ.
    Changed {
        /// Path of the file.
        path: String,
        /// First line that differs, counted from 1.
        line: usize,
        /// That line as it exists; empty when the existing text ends before it.
        existing: String,
        /// That line as it would be written; empty when the fresh text ends before it.
        fresh: String,
    },
}

impl fmt::Display for Difference {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Difference::Missing(path) => write!(formatter, "{path}: missing"),
            Difference::Leftover(path) => write!(formatter, "{path}: is no longer generated"),
            Difference::Changed {
                path,
                line,
                existing,
                fresh,
            } => {
                write!(
                    formatter,
                    "{path}:{line}: stale\n  - {existing}\n  + {fresh}"
                )
            }
        }
    }
}

/// Compares generated files that exist with fresh ones; empty when they agree byte for byte.
pub fn check(existing: &Files, fresh: &Files) -> Vec<Difference> {
    let mut differences = Vec::new();
    for (path, text) in fresh.iter() {
        match existing.get(path) {
            None => differences.push(Difference::Missing(path.to_owned())),
            Some(found) if found == text => {}
            Some(found) => differences.push(first_difference(path, found, text)),
        }
    }
    for (path, _) in existing.iter() {
        if fresh.get(path).is_none() {
            differences.push(Difference::Leftover(path.to_owned()));
        }
    }
    differences
}

fn first_difference(path: &str, existing: &str, fresh: &str) -> Difference {
    let mut old = existing.split('\n');
    let mut new = fresh.split('\n');
    let mut line = 1;
    loop {
        let pair = (old.next(), new.next());
        match pair {
            (Some(left), Some(right)) if left == right => line += 1,
            (left, right) => {
                return Difference::Changed {
                    path: path.to_owned(),
                    line,
                    existing: left.unwrap_or_default().to_owned(),
                    fresh: right.unwrap_or_default().to_owned(),
                };
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(entries: &[(&str, &str)]) -> Files {
        let mut files = Files::default();
        for (path, text) in entries {
            files.insert(*path, *text);
        }
        files
    }

    #[test]
    fn equal_files_do_not_differ() {
        let one = files(&[("mod.rs", "a\nb\n")]);
        assert_eq!(check(&one, &one.clone()), []);
    }

    #[test]
    fn every_kind_of_difference_is_named_with_its_place() {
        let existing = files(&[("a.rs", "1\n2\n"), ("old.rs", ""), ("end.rs", "1\n")]);
        let fresh = files(&[("a.rs", "1\n3\n"), ("new.rs", ""), ("end.rs", "1")]);
        let texts: Vec<String> = check(&existing, &fresh)
            .iter()
            .map(ToString::to_string)
            .collect();
        assert_eq!(
            texts,
            [
                "a.rs:2: stale\n  - 2\n  + 3",
                "end.rs:2: stale\n  - \n  + ",
                "new.rs: missing",
                "old.rs: is no longer generated",
            ]
        );
    }
}
