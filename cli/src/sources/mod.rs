//! Locations of Erlang modules: in an OTP, in folders of the command line, or at a path.

mod docs;
pub(crate) mod excerpts;
pub(crate) mod headers;
mod kinds;
mod modules;
mod neighbours;
mod parallel;
mod qualified_name;
mod reporter;
mod search_path;
mod type_text;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use otp_specs::ast::{self, FormKind, FunctionFormKind};
use otp_specs::types::Module;
use otp_specs::{Diagnostic, Release, Severity};

use crate::args::CodePath;
use crate::files::read_bounded;
use crate::installation::{Applications, Installation};
use crate::report::{Error, Result, catalog};
use headers::Headers;
use kinds::parse_file;
pub(crate) use kinds::{is_source, parse_by_form};
pub(crate) use modules::Modules;
use modules::{SOURCE_DEPTH, has_ending, stem};
pub(crate) use neighbours::Neighbours;
pub(crate) use parallel::{Panicked, alone, in_order};
pub(crate) use qualified_name::{QualifiedName, local_name};
pub(crate) use reporter::Reporter;
pub(crate) use type_text::type_of_text;

/// The function that the compiler adds to a module with callbacks.
const BEHAVIOUR_INFO: &str = "behaviour_info";

/// The file with the types of a module.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Source {
    /// An .erl file, or a .beam file.
    pub(crate) path: PathBuf,
    /// Its .erl file, in case the .beam file was stripped of its forms.
    pub(crate) other: Option<PathBuf>,
    /// The OTP application that contains it, with its version: `stdlib-4.2`.
    pub(crate) application: Option<String>,
    /// Whether it is in a folder of `--pa` or `--src`.
    pub(crate) listed: bool,
}

impl Source {
    /// Returns the file at that path.
    pub(crate) fn at(path: PathBuf) -> Self {
        Self {
            path,
            other: None,
            application: None,
            listed: false,
        }
    }

    /// Returns whether the user named this very file, and so can correct it.
    pub(crate) fn is_own(&self) -> bool {
        self.application.is_none() && !self.listed
    }
}

/// The kind of file from which a module is read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Basis {
    /// Its .beam file or source.
    #[default]
    Code,
    /// Its documentation chunk alone.
    Docs,
}

impl Basis {
    /// Returns extensions of files that are beside each other.
    fn endings(self) -> &'static [&'static str] {
        match self {
            Basis::Code => &["erl", "beam"],
            Basis::Docs => &["chunk"],
        }
    }
}

/// A file's forms, read once.
#[derive(Clone)]
pub(crate) struct Read {
    /// The forms.
    pub(crate) module: Arc<ast::Module>,
    /// Diagnostics of the file.
    pub(crate) diagnostics: Vec<Diagnostic>,
}

/// The modules that a command can read, and everything needed to read them.
pub(crate) struct Library {
    pub(crate) modules: Modules,
    /// The release of OTP.
    pub(crate) release: u32,
    headers: Headers,
    basis: Basis,
    /// Files already read. Many modules refer to the same ones.
    parsed: Mutex<BTreeMap<PathBuf, Read>>,
}

impl Library {
    /// Opens OTP's modules, and those of the folders on the command line.
    pub(crate) fn open(code_path: &CodePath) -> Result<Self> {
        let otp = match &code_path.otp_root {
            Some(folder) => Applications::at(folder)?,
            None => Applications::of(&Installation::find()?),
        };
        let mut library = Self::with_folders(otp, &code_path.pa)?;
        for folder in code_path.src.iter().rev() {
            library.modules.add(folder, SOURCE_DEPTH, "erl")?;
        }
        Ok(library)
    }

    /// Opens OTP's modules, those of `ERL_LIBS`, and those of folders of .beam files.
    pub(crate) fn with_folders(otp: Applications, folders: &[PathBuf]) -> Result<Self> {
        let mut library = Self::of(otp);
        library.modules.add_libraries();
        for folder in folders.iter().rev() {
            library.modules.add(folder, 0, "beam")?;
        }
        Ok(library)
    }

    /// Opens OTP's modules.
    pub(crate) fn of(otp: Applications) -> Self {
        let release = otp.release;
        Self {
            modules: Modules::in_otp(&otp),
            headers: Headers::new(Some(otp), Vec::new(), Release(release)),
            release,
            basis: Basis::Code,
            parsed: Mutex::default(),
        }
    }

    /// Reads the modules from another kind of file.
    pub(crate) fn based_on(mut self, basis: Basis) -> Self {
        if basis == Basis::Docs {
            self.modules.add_documented();
        }
        Self { basis, ..self }
    }

    /// Returns a module's forms. A file is read once; threads that ask at the same time may both
    /// read it.
    pub(crate) fn parse(&self, source: &Source) -> Result<Read> {
        let known = |this: &Self| {
            let parsed = this.parsed.lock().unwrap_or_else(PoisonError::into_inner);
            parsed.get(&source.path).cloned()
        };
        if let Some(read) = known(self) {
            return Ok(read);
        }
        let read = self.parse_afresh(source)?;
        let mut parsed = self.parsed.lock().unwrap_or_else(PoisonError::into_inner);
        parsed.insert(source.path.clone(), read.clone());
        Ok(read)
    }

    fn parse_afresh(&self, source: &Source) -> Result<Read> {
        let parsed = match self.basis {
            Basis::Docs => match docs::chunk_file(source) {
                Some(chunk) => parse_file(&chunk, &self.headers)?,
                None => return Err(docs::without_chunk(self, source)),
            },
            Basis::Code => {
                let parsed = parse_file(&source.path, &self.headers)?;
                match &source.other {
                    // The .beam file has no forms, so its source is read.
                    Some(other) if parsed.module.forms.is_empty() => {
                        parse_file(other, &self.headers)?
                    }
                    _ => parsed,
                }
            }
        };
        Ok(Read {
            module: Arc::new(parsed.module),
            diagnostics: parsed.diagnostics,
        })
    }

    /// Returns whether a module can be read and declares callbacks.
    pub(crate) fn has_callbacks(&self, name: &str) -> bool {
        let Some(source) = self.modules.known(name) else {
            return false;
        };
        // Most modules have none, and a search for a word is enough to find out.
        let bytes = read_bounded(&source.path).unwrap_or_default();
        let marks: &[&str] = match bytes.starts_with(b"FOR1") {
            true => &[BEHAVIOUR_INFO],
            false if has_ending(&source.path, "beam") => &[""],
            false => &["callback", "include"],
        };
        let text = String::from_utf8_lossy(&bytes);
        if !marks.iter().any(|mark| text.contains(mark)) {
            return false;
        }
        let is_callback = |kind: &FormKind| matches!(kind, FormKind::Function(it) if it.kind == FunctionFormKind::Callback);
        self.parse(source).is_ok_and(|read| {
            let mut forms = read.module.forms.iter();
            forms.any(|entry| is_callback(&entry.form.kind))
        })
    }

    /// Returns a module's forms with their documentation: from `-doc`, the chunk Docs, or a chunk
    /// file in `doc/chunks` of its application, as written by OTP, edoc and rebar3.
    pub(crate) fn documentation(&self, source: &Source) -> Result<ast::Module> {
        let mut module = match self.basis {
            Basis::Code => (*self.parse(source)?.module).clone(),
            Basis::Docs => ast::Module::default(),
        };
        if let Some(chunk) = docs::chunk_file(source) {
            module.add_documentation(parse_file(&chunk, &self.headers)?.module);
        }
        Ok(module)
    }

    /// Reads a module and resolves its types.
    ///
    /// A type that does not resolve becomes a dynamic term. This is an error in a file that the
    /// user named. For modules in a folder of the command line, there is one note for each code. If
    /// documentation is read, notes report what it lacks.
    pub(crate) fn read(&self, source: &Source, reporter: &Reporter<'_>) -> Result<Module> {
        let read = self.parse(source)?;
        let is_lost = read.module.forms.is_empty() && has_ending(&source.path, "beam");
        if source.listed && !(is_lost && read.diagnostics.iter().any(is_damage)) {
            reporter.others(read.diagnostics)
        } else {
            reporter.refuse(read.diagnostics)?
        }
        if read.module.forms.is_empty() {
            match self.basis {
                Basis::Docs => return Err(docs::without_forms(&read.module, &source.path)),
                Basis::Code if has_ending(&source.path, "beam") => {
                    return Err(without_forms(source));
                }
                Basis::Code => {}
            }
        }
        let mut neighbours = Neighbours {
            of: source,
            library: self,
        };
        let (mut module, diagnostics) = otp_specs::resolve(&read.module, &mut neighbours);
        if self.basis == Basis::Docs {
            let gaps = docs::gaps(&read.module, &diagnostics);
            gaps.iter().for_each(|gap| reporter.note(gap));
            // Documented items are exported; a chunk has no -export.
            module.types.iter_mut().for_each(|one| one.exported = true);
            module
                .functions
                .iter_mut()
                .for_each(|one| one.exported = true);
        } else if source.is_own() {
            reporter.unresolved(diagnostics);
        } else if source.listed {
            reporter.others(diagnostics);
        }
        Ok(module)
    }
}

/// Returns whether it says that a .beam file is damaged, rather than that it has no forms.
fn is_damage(diagnostic: &Diagnostic) -> bool {
    diagnostic.severity == Severity::Error
        && diagnostic.code != otp_specs::catalog::NO_ABSTRACT_CODE.code
}

/// Returns the error for a .beam file that was compiled without its forms, and whose source was not
/// found.
fn without_forms(source: &Source) -> Error {
    let error = catalog::NO_DEBUG_INFO
        .with(&[&stem(&source.path)])
        .at(source.path.display());
    match &source.application {
        Some(_) => error.help("install OTP's sources, such as Debian's package `erlang-src`"),
        None => {
            error.help("compile it with +debug_info, or name the folder of its source by --src")
        }
    }
}
