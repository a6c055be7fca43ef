//! Where Erlang modules are: in an OTP, in folders of the command line, or at a path.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use otp_specs::ast::{self, FormKind, FunctionFormKind};
use otp_specs::types::Module;
use otp_specs::{Diagnostic, Lookup, Options, Parsed, Release, Universe};

use crate::args::Places;
use crate::error::{Error, Result};
use crate::headers::{self, Headers};
use crate::installation::Installation;
use crate::names;
use crate::tree::Tree;

/// Sources lie in `src` or a few folders below it.
const SOURCE_DEPTH: usize = 3;
/// An application's folder is that of `ebin`, or at most so many above a source's.
const CHUNK_HEIGHT: usize = SOURCE_DEPTH + 2;
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
    /// Whether a folder of `--pa` or `--src` holds it.
    pub(crate) listed: bool,
}

impl Source {
    /// The file at that path.
    pub(crate) fn at(path: PathBuf) -> Self {
        Self {
            path,
            other: None,
            application: None,
            listed: false,
        }
    }

    /// Whether the user named this very file: what is wrong in it is the user's to mend.
    pub(crate) fn is_own(&self) -> bool {
        self.application.is_none() && !self.listed
    }
}

/// The modules that a command can read, and all that is needed to read them.
pub(crate) struct Library {
    /// The modules.
    pub(crate) modules: Modules,
    /// Headers, for sources.
    pub(crate) headers: Headers,
    /// The release of OTP.
    pub(crate) release: u32,
}

impl Library {
    /// OTP's modules, and those of the folders that the command line names.
    pub(crate) fn open(places: &Places) -> Result<Self> {
        let tree = match &places.otp_root {
            Some(folder) => Tree::at(folder)?,
            None => Tree::of(&Installation::find()?),
        };
        let mut library = Self::of_tree(tree);
        for folder in places.pa.iter().rev() {
            library.modules.add(folder, 0, "beam")?;
        }
        for folder in places.src.iter().rev() {
            library.modules.add(folder, SOURCE_DEPTH, "erl")?;
        }
        Ok(library)
    }

    /// OTP's modules.
    pub(crate) fn of_tree(tree: Tree) -> Self {
        let release = tree.release;
        Self {
            modules: Modules::in_tree(&tree),
            headers: Headers::new(Some(tree), Vec::new(), Release(release)),
            release,
        }
    }

    /// Whether a module can be read and declares callbacks.
    pub(crate) fn has_callbacks(&self, name: &str) -> bool {
        let source = self.modules.known.get(name);
        let parsed = source.and_then(|source| parse(source, &self.headers).ok());
        let is_callback = |kind: &FormKind| matches!(kind, FormKind::Function(it) if it.kind == FunctionFormKind::Callback);
        parsed.is_some_and(|parsed| {
            let mut forms = parsed.module.forms.iter();
            forms.any(|entry| is_callback(&entry.form.kind))
        })
    }

    /// A module's forms with what is said of them: `-doc`, the chunk Docs, or a chunk file in
    /// `doc/chunks` of its application, as OTP, edoc and rebar3 make them.
    pub(crate) fn documentation(&self, source: &Source) -> Result<ast::Module> {
        let mut module = parse(source, &self.headers)?.module;
        let name = format!("doc/chunks/{}.chunk", stem(&source.path));
        let folders = source.path.ancestors().skip(1).take(CHUNK_HEIGHT);
        let mut chunks = folders.map(|folder| folder.join(&name));
        if let Some(chunk) = chunks.find(|path| path.is_file()) {
            module.add_documentation(parse_file(&chunk, &self.headers)?.module);
        }
        Ok(module)
    }

    /// Reads a module and resolves its types.
    ///
    /// What does not resolve is the user's to mend in a file of the user's own, and then in
    /// `refuse`'s hands. Elsewhere it becomes a dynamic term; `note` is told of it where a folder
    /// of the command line holds the module.
    pub(crate) fn read(
        &self,
        source: &Source,
        refuse: &dyn Fn(Vec<Diagnostic>) -> Result<()>,
        note: &dyn Fn(&str),
    ) -> Result<Module> {
        let parsed = parse(source, &self.headers)?;
        let tell = |diagnostics: Vec<Diagnostic>| {
            let texts = diagnostics.iter().map(ToString::to_string);
            texts.for_each(|text| note(&text));
        };
        match source.listed {
            true => tell(parsed.diagnostics),
            false => refuse(parsed.diagnostics)?,
        }
        if parsed.module.forms.is_empty() && has_ending(&source.path, "beam") {
            return Err(without_forms(source));
        }
        let mut neighbours = Neighbours {
            of: source,
            modules: &self.modules,
            headers: &self.headers,
        };
        let (module, diagnostics) = otp_specs::resolve(&parsed.module, &mut neighbours);
        if source.is_own() {
            refuse(diagnostics)?;
        } else if source.listed {
            tell(diagnostics);
        }
        Ok(module)
    }
}

/// A .beam file that was compiled without its forms, and no source was found for it.
fn without_forms(source: &Source) -> Error {
    let error = Error::user(format!(
        "`{}` was compiled without debug_info, so it does not say its types",
        stem(&source.path)
    ))
    .at(source.path.display());
    match &source.application {
        Some(_) => error.help("install OTP's sources, such as Debian's package `erlang-src`"),
        None => {
            error.help("compile it with +debug_info, or name the folder of its source by --src")
        }
    }
}

/// Every module that can be named: its .beam file, which needs no headers, and its source.
pub(crate) struct Modules {
    known: BTreeMap<String, Source>,
    /// Whether some are not OTP's.
    mixed: bool,
}

impl Modules {
    /// Those of the applications of an OTP.
    pub(crate) fn in_tree(tree: &Tree) -> Self {
        let mut known = BTreeMap::new();
        for folder in tree.applications() {
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
        Self {
            known,
            mixed: false,
        }
    }

    /// Adds the files of a folder that have the ending, in place of modules known so far.
    fn add(&mut self, folder: &Path, depth: usize, ending: &str) -> Result<()> {
        fs::read_dir(folder).map_err(|error| Error::io("read", folder, &error))?;
        let files = files_below(folder, depth, ending);
        if files.is_empty() {
            let error = Error::user(format!("there is no .{ending} file in this folder"));
            return Err(error
                .at(folder.display())
                .help("--pa names an ebin folder, --src a folder of Erlang sources"));
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

    /// Every name, in order.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.known.keys().map(String::as_str)
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
                Ok(file) if file.is_file() => Ok(Source::at(path.to_owned())),
                Ok(_) => Err(Error::user("this is no file").at(path.display())),
                Err(error) => Err(Error::io("read", path, &error)),
            };
        }
        let found = self.known.get(word).cloned();
        found.ok_or_else(|| self.unknown(word))
    }

    fn unknown(&self, word: &str) -> Error {
        let error = Error::user(match self.mixed {
            false => format!("OTP has no module `{word}`"),
            true => format!("there is no module `{word}` in the folders named, nor in OTP"),
        });
        let near = names::nearest(word, self.known.keys().map(String::as_str), 3);
        let error = match near.as_slice() {
            [] => error,
            near => error.help(format!("did you mean `{}`?", near.join("`, `"))),
        };
        error.help(
            "a module of your own is given by its path, such as src/my_module.erl; \
             --pa and --src name folders to look in",
        )
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
            .map(Source::at);
        let found = beside.or_else(|| self.modules.known.get(name).cloned());
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
        let modules = Modules::in_tree(&Tree::of(&otp));
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
        let error = Modules::in_tree(&Tree::of(&otp))
            .find("gen_sever")
            .unwrap_err();
        assert_eq!(error.remedies()[0], "did you mean `gen_server`?");
        let error = Modules::in_tree(&Tree::of(&otp))
            .find("./no/such.erl")
            .unwrap_err();
        assert_eq!(error.exit_code(), 1);
    }
}
