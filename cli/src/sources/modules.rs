//! Every module that a user can name, and its files.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use super::Source;
use crate::installation::{Applications, elixir_applications, libraries};
use crate::report::{Error, Result, catalog, nearest};

/// Sources are in `src` or a few folders below it.
pub(super) const SOURCE_DEPTH: usize = 3;

/// The prefix of the name of every module that is written in Elixir.
const ELIXIR: &str = "Elixir.";

/// Every module that a user can name. Its .beam file has precedence, since it needs no headers;
/// then its source.
pub(crate) struct Modules {
    known: BTreeMap<String, Source>,
    /// The folders of OTP's applications.
    applications: Vec<PathBuf>,
    /// Whether some do not belong to OTP.
    mixed: bool,
    /// Elixir's own, searched when one is first named; `None` if Elixir is not installed.
    elixirs: OnceLock<Option<BTreeMap<String, Source>>>,
}

impl Modules {
    pub(crate) fn in_otp(otp: &Applications) -> Self {
        let mut known = BTreeMap::new();
        otp.folders()
            .for_each(|folder| add_application(&mut known, folder));
        Self {
            known,
            applications: otp.folders().map(Path::to_owned).collect(),
            mixed: false,
            elixirs: OnceLock::new(),
        }
    }

    /// Adds the modules of the applications of `ERL_LIBS`. They replace modules of OTP.
    pub(super) fn add_libraries(&mut self) {
        for folder in libraries().into_values() {
            let mut known = BTreeMap::new();
            add_application(&mut known, &folder);
            self.mixed |= !known.is_empty();
            self.known.extend(known);
            self.applications.push(folder);
        }
    }

    /// Adds modules of OTP that are installed only as documentation.
    pub(super) fn add_documented(&mut self) {
        for folder in &self.applications {
            let name = folder.file_name().map(|name| name.to_string_lossy());
            for path in files_below(&folder.join("doc/chunks"), 0, "chunk") {
                let mut source = Source::at(path);
                source.application = name.as_deref().map(str::to_owned);
                self.known.entry(stem(&source.path)).or_insert(source);
            }
        }
    }

    /// Adds the files of a folder that have the extension. They replace modules of the same name.
    pub(super) fn add(&mut self, folder: &Path, depth: usize, ending: &str) -> Result<()> {
        fs::read_dir(folder).map_err(|error| Error::io("read", folder, &error))?;
        let files = files_below(folder, depth, ending);
        if files.is_empty() {
            return Err(catalog::NO_FILES.with(&[&ending]).at(folder.display()));
        }
        for path in files {
            let module = stem(&path);
            let mut source = Source::at(path);
            source.listed = true;
            self.known.insert(module, source);
        }
        self.mixed = true;
        Ok(())
    }

    /// Returns every name, in order.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.known.keys().map(String::as_str)
    }

    pub(crate) fn known(&self, name: &str) -> Option<&Source> {
        // Elixir's compiler, which is written in Erlang, defines some of its types.
        let may_be_elixirs = name.starts_with(ELIXIR) || name.starts_with("elixir");
        let elixirs = || self.elixirs().filter(|_| may_be_elixirs)?.get(name);
        self.known.get(name).or_else(elixirs)
    }

    fn elixirs(&self) -> Option<&BTreeMap<String, Source>> {
        let elixirs = self.elixirs.get_or_init(|| {
            let mut found = BTreeMap::new();
            for application in elixir_applications()? {
                for path in files_below(&application.folder.join("ebin"), 0, "beam") {
                    let mut source = Source::at(path);
                    source.application = Some(application.name.clone());
                    found.insert(stem(&source.path), source);
                }
            }
            Some(found)
        });
        elixirs.as_ref()
    }

    /// Returns the module with this name, or the file at this path. A module of Elixir may have its
    /// name in Elixir: `Plug.Conn`.
    pub(crate) fn find(&self, word: &str) -> Result<Source> {
        let path = Path::new(word);
        if word.contains('/')
            || ["erl", "beam", "chunk"]
                .iter()
                .any(|ending| has_ending(path, ending))
        {
            return match fs::metadata(path) {
                Ok(file) if file.is_file() => Ok(Source::at(path.to_owned())),
                Ok(_) => Err(catalog::NOT_A_FILE.error().at(path.display())),
                Err(error) => Err(Error::io("read", path, &error)),
            };
        }
        let word = word.trim_matches('\'');
        let name = erlang_module(word);
        let found = self.known.get(word).or_else(|| self.known(&name));
        found.cloned().ok_or_else(|| self.unknown(word, &name))
    }

    /// Returns the error that there is no module `word`, whose name in Erlang is `name`.
    fn unknown(&self, word: &str, name: &str) -> Error {
        let is_elixirs = name.starts_with(ELIXIR);
        if is_elixirs && self.elixirs().is_none() {
            return catalog::NO_ELIXIR.with(&[&word]);
        }
        let searched = match (self.mixed, is_elixirs) {
            (false, false) => "OTP",
            (false, true) => "OTP or Elixir",
            (true, false) => "the folders named, nor in OTP",
            (true, true) => "the folders named, nor in OTP or Elixir",
        };
        let error = catalog::UNKNOWN_MODULE.with(&[&word, &searched]);
        let elixirs = self.elixirs().filter(|_| is_elixirs);
        let elixirs = elixirs.into_iter().flat_map(BTreeMap::keys);
        let names = self.known.keys().chain(elixirs).map(String::as_str);
        let near = if is_elixirs {
            nearest(name, names, 3)
        } else {
            nearest(word, names, 3)
        };
        error.suggest(&near)
    }
}

/// Adds the modules of an application: its .beam files, and sources that have none.
fn add_application(known: &mut BTreeMap<String, Source>, folder: &Path) {
    let name = folder.file_name().map(|name| name.to_string_lossy());
    for path in files_below(&folder.join("src"), SOURCE_DEPTH, "erl") {
        let mut source = Source::at(path);
        source.application = name.as_deref().map(str::to_owned);
        known.insert(stem(&source.path), source);
    }
    for path in files_below(&folder.join("ebin"), 0, "beam") {
        let module = stem(&path);
        let mut source = Source::at(path);
        source.other = known.remove(&module).map(|source| source.path);
        source.application = name.as_deref().map(str::to_owned);
        known.insert(module, source);
    }
}

/// Returns the name in Erlang of a module that may have its name in Elixir: `Plug.Conn` is
/// `Elixir.Plug.Conn`.
fn erlang_module(word: &str) -> Cow<'_, str> {
    let is_elixirs = word.starts_with(|first: char| first.is_ascii_uppercase());
    if is_elixirs && !word.starts_with(ELIXIR) {
        Cow::Owned(format!("{ELIXIR}{word}"))
    } else {
        Cow::Borrowed(word)
    }
}

/// Returns files with this extension in a folder and the folders below it, in order.
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

/// Returns a file's name without its extension, which is the name of its module.
pub(super) fn stem(path: &Path) -> String {
    path.file_stem()
        .map(|stem| stem.to_string_lossy().into_owned())
        .unwrap_or_default()
}

/// Returns whether a file's name has this extension.
pub(super) fn has_ending(path: &Path, ending: &str) -> bool {
    path.extension().is_some_and(|found| found == ending)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::installation::Installation;

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
        let modules = Modules::in_otp(&Applications::of(&otp));
        let lists = modules.find("lists").unwrap();
        assert!(lists.path.ends_with("ebin/lists.beam"), "{lists:?}");
        assert!(lists.other.unwrap().ends_with("src/deep/lists.erl"));
        assert_eq!(lists.application.as_deref(), Some("stdlib-4.2"));
        assert!(modules.find("maps").unwrap().path.ends_with("maps.beam"));
    }

    #[test]
    fn an_unknown_module_gets_near_names() {
        let (_root, otp) = otp(&["lib/stdlib-4.2/ebin/gen_server.beam"]);
        let error = Modules::in_otp(&Applications::of(&otp))
            .find("gen_sever")
            .unwrap_err();
        assert_eq!(error.remedies()[0], "did you mean `gen_server`?");
        let error = Modules::in_otp(&Applications::of(&otp))
            .find("./no/such.erl")
            .unwrap_err();
        assert_eq!(error.exit_code(), 1);
    }
}
