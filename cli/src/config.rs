//! otp.toml: which module is the root supervisor, and what behaviour each module has.
//!
//! ```toml
//! [system]
//! stroot = "stroot"
//!
//! [behaviours]
//! stroot = "supervisor"
//! ```

use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

use otp_codegen::BRIDGE_BEHAVIOURS;
use toml_edit::{Document, DocumentMut, Item, TableLike};

use crate::error::{Error, Result};
use crate::names::{self, Named};
use crate::place::locate;

/// The file's name, at the root of an application.
pub(crate) const FILE: &str = "otp.toml";

/// A line `module = "behaviour"` under `[behaviours]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Declared {
    /// The Erlang module.
    pub(crate) module: String,
    /// Its behaviour, one of [`BRIDGE_BEHAVIOURS`].
    pub(crate) behaviour: String,
    /// Line in otp.toml, from 1.
    pub(crate) line: usize,
}

/// otp.toml, read and checked.
#[derive(Debug)]
pub(crate) struct Config {
    /// Where it was read.
    pub(crate) path: PathBuf,
    /// Its text as read.
    pub(crate) text: String,
    /// `system.stroot`: the root supervisor's module.
    pub(crate) stroot: String,
    /// Line of `system.stroot`, from 1.
    pub(crate) stroot_line: usize,
    /// `[behaviours]`, in file order.
    pub(crate) behaviours: Vec<Declared>,
}

impl Config {
    /// Reads and checks the file.
    pub(crate) fn read(path: &Path) -> Result<Self> {
        let text = fs::read_to_string(path).map_err(|error| Error::io("read", path, &error))?;
        Self::parse(path, text)
    }

    fn parse(path: &Path, text: String) -> Result<Self> {
        let document = Document::parse(text.as_str()).map_err(|error| {
            fault(
                path,
                &text,
                error.span(),
                error.message().trim_end_matches('\n').to_owned(),
            )
        })?;
        let reader = Reader { path, text: &text };
        let root: &dyn TableLike = document.as_table();
        reader.only(root, "", &["system", "behaviours"])?;
        let system = reader.table(root, "system")?;
        reader.only(system, "system.", &["stroot"])?;
        let (stroot, stroot_span) = reader.string(system, "system.", "stroot")?;
        let behaviours = reader.behaviours(reader.table(root, "behaviours")?)?;
        let stroot_line = reader.line(stroot_span);
        Ok(Self {
            path: path.to_owned(),
            stroot,
            stroot_line,
            behaviours,
            text,
        })
    }

    /// The line of a module, when it has one.
    pub(crate) fn declared(&self, module: &str) -> Option<&Declared> {
        self.behaviours
            .iter()
            .find(|declared| declared.module == module)
    }

    /// The file's text with a module added; comments, order and line endings stay.
    pub(crate) fn with(&self, module: &str, behaviour: &str) -> Result<String> {
        let mut document: DocumentMut = self
            .text
            .parse()
            .map_err(|error| Error::ours(format!("otp.toml was read, but not again: {error}")))?;
        let item = document.get_mut("behaviours");
        if let Some(inline) = item.as_deref().and_then(Item::as_inline_table) {
            let mut inline = inline.clone();
            inline.insert(module, behaviour.into());
            inline.fmt();
            document["behaviours"] = toml_edit::value(inline);
        } else if let Some(table) = item.and_then(Item::as_table_like_mut) {
            table.insert(module, toml_edit::value(behaviour));
        }
        let text = document.to_string();
        // The editor writes plain line feeds.
        let crlf = self.text.contains("\r\n");
        Ok(if crlf {
            text.replace("\r\n", "\n").replace('\n', "\r\n")
        } else {
            text
        })
    }
}

/// Reads items of a document whose text and path its messages name.
struct Reader<'a> {
    path: &'a Path,
    text: &'a str,
}

impl Reader<'_> {
    fn fault(&self, span: Option<Range<usize>>, what: String) -> Error {
        fault(self.path, self.text, span, what)
    }

    fn line(&self, span: Option<Range<usize>>) -> usize {
        locate(self.text, span.map_or(0, |span| span.start)).line
    }

    /// Refuses keys that mean nothing; a mistyped one would otherwise pass in silence.
    fn only(&self, table: &dyn TableLike, prefix: &str, known: &[&str]) -> Result<()> {
        for (key, item) in table.iter() {
            if known.contains(&key) {
                continue;
            }
            let span = table.key(key).and_then(|key| key.span()).or(item.span());
            let error = self.fault(span, format!("unknown key `{prefix}{key}`"));
            return Err(
                match names::nearest(key, known.iter().copied(), 1).first() {
                    Some(near) => error.help(format!("did you mean `{near}`?")),
                    None => error.help(format!("known here: {}", quoted(known))),
                },
            );
        }
        Ok(())
    }

    fn table<'t>(&self, table: &'t dyn TableLike, key: &str) -> Result<&'t dyn TableLike> {
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

    fn string(
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

    fn behaviours(&self, table: &dyn TableLike) -> Result<Vec<Declared>> {
        let mut declared = Vec::new();
        for (module, item) in table.iter() {
            let span = table.key(module).and_then(|key| key.span()).or(item.span());
            let place = locate(self.text, span.as_ref().map_or(0, |span| span.start));
            names::check(Named::Module, module).map_err(|error| {
                error
                    .at(format!(
                        "{}:{}:{}",
                        self.path.display(),
                        place.line,
                        place.column
                    ))
                    .detail(place.shown())
            })?;
            let (behaviour, value_span) = self.string(table, "behaviours.", module)?;
            if !BRIDGE_BEHAVIOURS.contains(&behaviour.as_str()) {
                return Err(unknown_behaviour(
                    self.fault(value_span, format!("unknown behaviour `{behaviour}`")),
                    &behaviour,
                ));
            }
            declared.push(Declared {
                module: module.to_owned(),
                behaviour,
                line: place.line,
            });
        }
        Ok(declared)
    }
}

/// Adds the remedy for a behaviour that is not known.
pub(crate) fn unknown_behaviour(error: Error, behaviour: &str) -> Error {
    let error = match names::nearest(behaviour, BRIDGE_BEHAVIOURS.iter().copied(), 1).first() {
        Some(near) => error.help(format!("did you mean `{near}`?")),
        None => error,
    };
    error.help(format!("known behaviours: {}", quoted(&BRIDGE_BEHAVIOURS)))
}

fn quoted(words: &[&str]) -> String {
    words
        .iter()
        .map(|word| format!("`{word}`"))
        .collect::<Vec<_>>()
        .join(", ")
}

fn fault(path: &Path, text: &str, span: Option<Range<usize>>, what: String) -> Error {
    match span {
        Some(span) => {
            let place = locate(text, span.start);
            Error::user(what)
                .at(format!(
                    "{}:{}:{}",
                    path.display(),
                    place.line,
                    place.column
                ))
                .detail(place.shown())
        }
        None => Error::user(what).at(path.display()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "\
# the application
[system]
stroot = \"stroot\" # the root

[behaviours]
# supervisors
stroot = \"supervisor\"   # starts all
";

    fn parse(text: &str) -> Result<Config> {
        Config::parse(Path::new("otp.toml"), text.to_owned())
    }

    fn refusal(text: &str) -> (String, String) {
        let error = parse(text).expect_err(text);
        assert_eq!(error.exit_code(), 1);
        (
            error.what().to_owned(),
            error.place().unwrap_or_default().to_owned(),
        )
    }

    #[test]
    fn reads_modules_with_their_lines() {
        let config = parse(TEXT).unwrap();
        assert_eq!((config.stroot.as_str(), config.stroot_line), ("stroot", 3));
        assert_eq!(
            config.behaviours,
            [Declared {
                module: "stroot".into(),
                behaviour: "supervisor".into(),
                line: 7
            }]
        );
    }

    #[test]
    fn adding_keeps_every_comment() {
        let text = parse(TEXT).unwrap().with("counter", "gen_server").unwrap();
        assert_eq!(text, format!("{TEXT}counter = \"gen_server\"\n"));
        assert_eq!(parse(&text).unwrap().behaviours.len(), 2);
    }

    #[test]
    fn adding_keeps_what_follows_and_inline_tables_and_line_endings() {
        let text = "[behaviours]\na = \"supervisor\"\n\n# next\n[system]\nstroot = \"a\"\n# end\n";
        assert_eq!(
            parse(text).unwrap().with("b", "gen_server").unwrap(),
            "[behaviours]\na = \"supervisor\"\nb = \"gen_server\"\n\n# next\n[system]\nstroot = \"a\"\n# end\n"
        );
        let text = "behaviours = { a = \"supervisor\" }\nsystem.stroot = \"a\"\n";
        let added = parse(text).unwrap().with("b", "gen_server").unwrap();
        assert!(
            added.contains("a = \"supervisor\", b = \"gen_server\" }"),
            "{added}"
        );
        let added = parse(&TEXT.replace('\n', "\r\n"))
            .unwrap()
            .with("b", "gen_server")
            .unwrap();
        assert!(
            added.ends_with("# starts all\r\nb = \"gen_server\"\r\n"),
            "{added:?}"
        );
    }

    #[test]
    fn mistakes_are_placed() {
        let (what, place) = refusal("[system]\nstroot = \n");
        assert_eq!(place, "otp.toml:2:10", "{what}");
        let (what, place) = refusal(&TEXT.replace("\"supervisor\"", "\"supervizor\""));
        assert_eq!(
            (what.as_str(), place.as_str()),
            ("unknown behaviour `supervizor`", "otp.toml:7:10")
        );
        let (what, place) = refusal(&TEXT.replace("[behaviours]", "[behaviors]"));
        assert_eq!(
            (what.as_str(), place.as_str()),
            ("unknown key `behaviors`", "otp.toml:5:2")
        );
        let (what, place) =
            refusal(&TEXT.replace("stroot = \"supervisor\"", "Stroot = \"supervisor\""));
        assert!(what.contains("`Stroot` cannot name a module"), "{what}");
        assert_eq!(place, "otp.toml:7:1");
        assert_eq!(
            refusal("[system]\nstroot = 1\n[behaviours]\n").1,
            "otp.toml:2:10"
        );
        assert_eq!(
            refusal("[system]\n[behaviours]\n").0,
            "`system.stroot` is missing"
        );
        assert_eq!(refusal("").0, "`[system]` is missing");
        assert_eq!(refusal("system = 1\n").0, "`system` must be a table");
    }

    #[test]
    fn a_key_twice_is_a_mistake() {
        let (what, place) = refusal(&format!("{TEXT}stroot = \"gen_server\"\n"));
        assert!(what.contains("duplicate"), "{what}");
        assert_eq!(place, "otp.toml:8:1");
    }
}
