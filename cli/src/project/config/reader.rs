//! Reads items of otp.toml, and locates mistakes in it.

use std::collections::BTreeSet;
use std::ops::{Range, RangeInclusive};
use std::path::Path;

use otp_contract::limits::ATOM_CHARACTERS;
use toml_edit::{Document, Item, TableLike, Value};

use super::SECTIONS;
use crate::report::{Error, Result, catalog, locate, nearest, quoted};

/// A section of earlier versions that listed the modules. They are now found in the library.
const MODULES: &str = "behaviours";

pub(super) fn document<'t>(path: &Path, text: &'t str) -> Result<Document<&'t str>> {
    Document::parse(text).map_err(|error| {
        let what = error.message().trim_end_matches('\n');
        located(catalog::NOT_TOML.with(&[&what]), path, text, error.span())
    })
}

/// Reads items of a document. Its messages contain the text and path.
#[derive(Clone, Copy)]
pub(super) struct Reader<'a> {
    pub(super) path: &'a Path,
    pub(super) text: &'a str,
}

impl Reader<'_> {
    pub(super) fn located(&self, error: Error, span: Option<Range<usize>>) -> Error {
        located(error, self.path, self.text, span)
    }

    pub(super) fn wrong_value(&self, item: &Item, key: &str, expected: &str) -> Error {
        let error = catalog::WRONG_VALUE.with(&[&key, &expected]);
        self.located(error, item.span())
    }

    pub(super) fn line(&self, span: Option<Range<usize>>) -> usize {
        locate(self.text, span.map_or(0, |span| span.start)).line
    }

    /// Refuses unknown keys, so that a mistyped one is reported.
    pub(super) fn only(&self, table: &dyn TableLike, prefix: &str, known: &[&str]) -> Result<()> {
        for (key, item) in table.iter() {
            if known.contains(&key) {
                continue;
            }
            let span = table.key(key).and_then(|key| key.span()).or(item.span());
            let error = catalog::UNKNOWN_KEY.with(&[&format!("{prefix}{key}")]);
            let error = self.located(error, span);
            let near = nearest(key, known.iter().copied(), 1);
            return Err(if near.is_empty() {
                error.help(format!("known here: {}", quoted(known)))
            } else {
                error.suggest(&near)
            });
        }
        Ok(())
    }

    /// Refuses unknown sections, and one that earlier versions had.
    pub(super) fn sections(&self, root: &dyn TableLike) -> Result<()> {
        if let Some(item) = root.get(MODULES) {
            let span = root.key(MODULES).and_then(|key| key.span());
            return Err(self.located(catalog::LISTED_MODULES.error(), span.or(item.span())));
        }
        self.only(root, "", &SECTIONS)
    }

    pub(super) fn table<'t>(
        &self,
        table: &'t dyn TableLike,
        key: &str,
    ) -> Result<&'t dyn TableLike> {
        let item = table
            .get(key)
            .ok_or_else(|| catalog::MISSING_TABLE.with(&[&key]).at(self.path.display()))?;
        item.as_table_like()
            .ok_or_else(|| self.wrong_value(item, key, "a table"))
    }

    pub(super) fn string(
        &self,
        table: &dyn TableLike,
        prefix: &str,
        key: &str,
    ) -> Result<(String, Option<Range<usize>>)> {
        let item = table.get(key).ok_or_else(|| {
            catalog::MISSING_KEY
                .with(&[&format!("{prefix}{key}")])
                .at(self.path.display())
                .help(format!(
                    "add the line {key} = \"stroot\", naming the root supervisor"
                ))
        })?;
        let text = item
            .as_str()
            .ok_or_else(|| self.wrong_value(item, &format!("{prefix}{key}"), "a string"))?;
        Ok((text.to_owned(), item.span()))
    }
}

impl Reader<'_> {
    /// Returns a number in that range, if the key exists.
    pub(super) fn integer(
        &self,
        table: &dyn TableLike,
        prefix: &str,
        key: &str,
        range: RangeInclusive<i64>,
    ) -> Result<Option<i64>> {
        let Some(item) = table.get(key) else {
            return Ok(None);
        };
        let number = item.as_integer().filter(|number| range.contains(number));
        let expected = format!("a number from {} to {}", range.start(), range.end());
        match number {
            Some(number) => Ok(Some(number)),
            None => Err(self.wrong_value(item, &format!("{prefix}{key}"), &expected)),
        }
    }

    /// Returns a list of distinct names that are atoms; empty if it is missing.
    pub(super) fn atoms(
        &self,
        table: &dyn TableLike,
        prefix: &str,
        key: &str,
    ) -> Result<Vec<String>> {
        let Some(item) = table.get(key) else {
            return Ok(Vec::new());
        };
        let name = |value: &Value| {
            let text = value.as_str()?;
            (1..=ATOM_CHARACTERS)
                .contains(&text.chars().count())
                .then(|| text.to_owned())
        };
        let names = item.as_array();
        let names = names.and_then(|names| names.iter().map(name).collect::<Option<Vec<_>>>());
        let wrong = |expected| self.wrong_value(item, &format!("{prefix}{key}"), expected);
        let names = names.ok_or_else(|| wrong("a list of names"))?;
        let mut known = BTreeSet::new();
        if names.iter().all(|name| known.insert(name)) {
            Ok(names)
        } else {
            Err(wrong("a list without a name twice"))
        }
    }
}

/// Locates an error in the file.
pub(super) fn located(error: Error, path: &Path, text: &str, span: Option<Range<usize>>) -> Error {
    let Some(span) = span else {
        return error.at(path.display());
    };
    let location = locate(text, span.start);
    let (line, column) = (location.line, location.column);
    error
        .at(format!("{}:{line}:{column}", path.display()))
        .detail(location.shown())
}
