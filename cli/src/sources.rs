//! Where Erlang modules are: in the installed OTP, or at a path.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use otp_specs::{Lookup, Options, Parsed, Universe};

use crate::error::{Error, Result};
use crate::headers::{self, Headers};
use crate::installation::Installation;
use crate::names;

/// Sources lie in `src` or a few folders below it.
const SOURCE_DEPTH: usize = 3;
/// How a BEAM file begins, and an external term.
const BEAM_START: &[u8] = b"FOR1";
const TERM_START: &[u8] = &[131];

/// The file that says what a module's types are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Source {
    /// An .erl file, or a .beam file.
    pub(crate) path: PathBuf,
    /// Its .erl file, for a .beam file that was stripped of its forms.
    pub(crate) other: Option<PathBuf>,
    /// The application of OTP that it belongs to, with its version: `stdlib-4.2`.
    pub(crate) application: Option<String>,
}

/// Every module of the installed OTP: its .beam file, which needs no headers, and its source.
pub(crate) struct Modules(BTreeMap<String, Source>);

impl Modules {
    /// Looks through OTP's applications.
    pub(crate) fn of(otp: &Installation) -> Self {
        let mut modules = BTreeMap::new();
        for folder in otp.applications() {
            let name = folder
                .file_name()
                .map(|name| name.to_string_lossy().into_owned());
            for path in files_below(&folder.join("src"), SOURCE_DEPTH, "erl") {
                let source = Source {
                    path,
                    other: None,
                    application: name.clone(),
                };
                modules.insert(stem(&source.path), source);
            }
            for path in files_below(&folder.join("ebin"), 0, "beam") {
                let module = stem(&path);
                let other = modules.remove(&module).map(|source| source.path);
                modules.insert(
                    module,
                    Source {
                        path,
                        other,
                        application: name.clone(),
                    },
                );
            }
        }
        Self(modules)
    }

    /// The module of that name, or the file at that path.
    pub(crate) fn find(&self, word: &str) -> Result<Source> {
        let path = Path::new(word);
        if word.contains('/')
            || ["erl", "beam"]
                .iter()
                .any(|ending| has_ending(path, ending))
        {
            return match fs::metadata(path) {
                Ok(file) if file.is_file() => Ok(Source {
                    path: path.to_owned(),
                    other: None,
                    application: None,
                }),
                Ok(_) => Err(Error::user("this is no file").at(path.display())),
                Err(error) => Err(Error::io("read", path, &error)),
            };
        }
        self.0.get(word).cloned().ok_or_else(|| self.unknown(word))
    }

    fn unknown(&self, word: &str) -> Error {
        let error = Error::user(format!("the installed OTP has no module `{word}`"));
        let near = names::nearest(word, self.0.keys().map(String::as_str), 3);
        let error = match near.as_slice() {
            [] => error,
            near => error.help(format!("did you mean `{}`?", near.join("`, `"))),
        };
        error.help("a module of your own is given by its path, such as src/my_module.erl")
    }
}

/// Files with that ending in a folder and the folders below it, in order.
fn files_below(folder: &Path, depth: usize, ending: &str) -> Vec<PathBuf> {
    let mut entries: Vec<PathBuf> = fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
        .collect();
    entries.sort();
    let mut files = Vec::new();
    for path in entries {
        if path.is_dir() && depth > 0 {
            files.extend(files_below(&path, depth - 1, ending));
        } else if has_ending(&path, ending) {
            files.push(path);
        }
    }
    files
}

fn stem(path: &Path) -> String {
    path.file_stem()
        .map(|stem| stem.to_string_lossy().into_owned())
        .unwrap_or_default()
}

fn has_ending(path: &Path, ending: &str) -> bool {
    path.extension().is_some_and(|found| found == ending)
}

/// Reads the forms of an .erl or .beam file.
pub(crate) fn parse(source: &Source, headers: &Headers) -> Result<Parsed> {
    let parsed = parse_file(&source.path, headers)?;
    match &source.other {
        // A .beam file without its forms has nothing but this to say.
        Some(other) if parsed.module.forms.is_empty() => parse_file(other, headers),
        _ => Ok(parsed),
    }
}

fn parse_file(path: &Path, headers: &Headers) -> Result<Parsed> {
    let bytes = headers::read_bounded(path).map_err(|error| Error::io("read", path, &error))?;
    let options = Options {
        release: headers.release(),
        ..Options::default()
    };
    Ok(parse_bytes(path, &bytes, headers, &options))
}

/// What a file holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Source,
    Beam,
    Chunk,
}

impl Kind {
    /// By what its name ends in; without a known ending, by how it begins.
    fn of(path: &Path, bytes: &[u8]) -> Self {
        let ending = path.extension().and_then(|ending| ending.to_str());
        match ending {
            Some("erl" | "hrl") => Kind::Source,
            Some("beam") => Kind::Beam,
            Some("chunk") => Kind::Chunk,
            _ if bytes.starts_with(BEAM_START) => Kind::Beam,
            _ if bytes.starts_with(TERM_START) => Kind::Chunk,
            _ => Kind::Source,
        }
    }
}

/// Whether a file is text.
pub(crate) fn is_source(path: &Path, bytes: &[u8]) -> bool {
    Kind::of(path, bytes) == Kind::Source
}

/// Reads a file that is in memory.
pub(crate) fn parse_bytes(
    path: &Path,
    bytes: &[u8],
    headers: &Headers,
    options: &Options,
) -> Parsed {
    let name = path.to_string_lossy();
    match Kind::of(path, bytes) {
        Kind::Source => otp_specs::parse_source(&name, bytes, &headers.seen_from(path), options),
        Kind::Beam => otp_specs::parse_beam(&name, bytes),
        Kind::Chunk => otp_specs::parse_chunk(&name, bytes),
    }
}

/// The modules that one module's types refer to: beside its file, or in OTP. What is in neither
/// place is taken on trust; its types become dynamic terms, and are counted.
pub(crate) struct Neighbours<'a> {
    /// The module that refers to them.
    pub(crate) of: &'a Source,
    /// OTP's modules.
    pub(crate) modules: &'a Modules,
    /// Headers, for sources.
    pub(crate) headers: &'a Headers,
}

impl Universe for Neighbours<'_> {
    fn module(&mut self, name: &str) -> Lookup {
        let beside = ["erl", "beam"]
            .map(|ending| self.of.path.with_file_name(format!("{name}.{ending}")))
            .into_iter()
            .find(|path| path.is_file())
            .map(|path| Source {
                path,
                other: None,
                application: None,
            });
        let found = beside.or_else(|| self.modules.0.get(name).cloned());
        match found.map(|source| parse(&source, self.headers)) {
            Some(Ok(parsed)) => Lookup::Found(Arc::new(parsed.module)),
            _ => Lookup::Unchecked,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn otp(files: &[&str]) -> (tempfile::TempDir, Installation) {
        let root = tempfile::tempdir().unwrap();
        for file in files {
            let path = root.path().join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "-define(X, 1).\n").unwrap();
        }
        let installation = Installation {
            erl: root.path().join("bin/erl"),
            root: root.path().to_owned(),
            version: "25.0".into(),
            release: 25,
        };
        (root, installation)
    }

    #[test]
    fn a_beam_file_is_preferred_and_knows_its_source() {
        let (_root, otp) = otp(&[
            "lib/stdlib-4.2/ebin/lists.beam",
            "lib/stdlib-4.2/ebin/maps.beam",
            "lib/stdlib-4.2/src/deep/lists.erl",
        ]);
        let modules = Modules::of(&otp);
        let lists = modules.find("lists").unwrap();
        assert!(lists.path.ends_with("ebin/lists.beam"), "{lists:?}");
        assert!(lists.other.unwrap().ends_with("src/deep/lists.erl"));
        assert_eq!(lists.application.as_deref(), Some("stdlib-4.2"));
        assert!(modules.find("maps").unwrap().path.ends_with("maps.beam"));
    }

    #[test]
    fn files_without_a_known_ending_tell_by_their_start() {
        let kind = |path: &str, bytes: &[u8]| Kind::of(Path::new(path), bytes);
        assert_eq!(kind("a.erl", b"FOR1"), Kind::Source);
        assert_eq!(kind("a.beam", b""), Kind::Beam);
        assert_eq!(kind("a.chunk", b""), Kind::Chunk);
        assert_eq!(kind("a", b"FOR1"), Kind::Beam);
        assert_eq!(kind("a", &[131, 104]), Kind::Chunk);
        assert_eq!(kind("a.app.src", b"{application,"), Kind::Source);
    }

    #[test]
    fn an_unknown_module_gets_near_names() {
        let (_root, otp) = otp(&["lib/stdlib-4.2/ebin/gen_server.beam"]);
        let error = Modules::of(&otp).find("gen_sever").unwrap_err();
        assert_eq!(error.remedies()[0], "did you mean `gen_server`?");
        let error = Modules::of(&otp).find("./no/such.erl").unwrap_err();
        assert_eq!(error.exit_code(), 1);
    }
}
