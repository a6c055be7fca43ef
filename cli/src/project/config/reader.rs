//! Items of otp.toml, and mistakes in it at their location.

use std::ops::Range;
use std::path::Path;

use toml_edit::{Document, TableLike};

use crate::report::{Error, Result, locate, nearest, quoted};

/// The document of a text.
pub(super) fn document<'t>(path: &Path, text: &'t str) -> Result<Document<&'t str>> {
    Document::parse(text).map_err(|error| {
        let what = error.message().trim_end_matches('\n').to_owned();
        fault(path, text, error.span(), what)
    })
}

/// Reads items of a document whose text and path its messages name.
#[derive(Clone, Copy)]
pub(super) struct Reader<'a> {
    pub(super) path: &'a Path,
    pub(super) text: &'a str,
}

impl Reader<'_> {
    pub(super) fn fault(&self, span: Option<Range<usize>>, what: String) -> Error {
        fault(self.path, self.text, span, what)
    }

    pub(super) fn line(&self, span: Option<Range<usize>>) -> usize {
        locate(self.text, span.map_or(0, |span| span.start)).line
    }

    /// Refuses keys that mean nothing; a mistyped one would otherwise pass in silence.
    pub(super) fn only(&self, table: &dyn TableLike, prefix: &str, known: &[&str]) -> Result<()> {
        for (key, item) in table.iter() {
            if known.contains(&key) {
                continue;
            }
            let span = table.key(key).and_then(|key| key.span()).or(item.span());
            let error = self.fault(span, format!("unknown key `{prefix}{key}`"));
            return Err(match nearest(key, known.iter().copied(), 1).first() {
                Some(near) => error.help(format!("did you mean `{near}`?")),
                None => error.help(format!("known here: {}", quoted(known))),
            });
        }
        Ok(())
    }

    pub(super) fn table<'t>(
        &self,
        table: &'t dyn TableLike,
        key: &str,
    ) -> Result<&'t dyn TableLike> {
        let item = table.get(key).ok_or_else(|| {
            let help = match key {
                "system" => "add: [system] with the line stroot = \"stroot\"",
                _ => "add: [behaviours] with the line stroot = \"supervisor\"",
            };
            Error::user(format!("`[{key}]` is missing"))
                .at(self.path.display())
                .help(help)
        })?;
        item.as_table_like()
            .ok_or_else(|| self.fault(item.span(), format!("`{key}` must be a table")))
    }

    pub(super) fn string(
        &self,
        table: &dyn TableLike,
        prefix: &str,
        key: &str,
    ) -> Result<(String, Option<Range<usize>>)> {
        let item = table.get(key).ok_or_else(|| {
            Error::user(format!("`{prefix}{key}` is missing"))
                .at(self.path.display())
                .help(format!(
                    "add the line {key} = \"stroot\", naming the root supervisor"
                ))
        })?;
        let text = item
            .as_str()
            .ok_or_else(|| self.fault(item.span(), format!("`{prefix}{key}` must be a string")))?;
        Ok((text.to_owned(), item.span()))
    }
}

/// A mistake at a location of the file.
pub(super) fn fault(path: &Path, text: &str, span: Option<Range<usize>>, what: String) -> Error {
    match span {
        Some(span) => {
            let location = locate(text, span.start);
            Error::user(what)
                .at(format!(
                    "{}:{}:{}",
                    path.display(),
                    location.line,
                    location.column
                ))
                .detail(location.shown())
        }
        None => Error::user(what).at(path.display()),
    }
}
