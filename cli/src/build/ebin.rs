//! The contents of `ebin`: erlc compiles modules (the author's own, and the generated ones) in a
//! folder beside it, and all of them are moved into `ebin` together when the build has passed every
//! check.

use std::collections::BTreeSet;
use std::fs;
use std::iter;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::SystemTime;

use super::Built;
use super::dependencies::Dependency;
use super::layout::{BuildFolder, files};
use crate::files::{Scratch, write};
use crate::installation::Installation;
use crate::project::erlang_sources::{self, ErlangSources};
use crate::report::{Error, Result, Ui, catalog};

/// The file that identifies the compiler of the modules in `ebin`.
const COMPILER: &str = ".otp";

/// The compiled modules and the resource file of the current build, as far as they differ from
/// those in `ebin`.
pub(super) struct Next<'f> {
    /// The application's folder.
    pub(super) folder: &'f BuildFolder,
    /// It is beside `ebin`, so that the library's module finds `priv` from here, too.
    made: Scratch,
    compiler: String,
    /// Whether another compiler made the contents of `ebin`: an older VM cannot load the modules of
    /// a newer one.
    is_anew: bool,
}

impl<'f> Next<'f> {
    /// Starts a build, which has no files yet.
    pub(super) fn begin(folder: &'f BuildFolder, compiler: String) -> Result<Self> {
        let before = fs::read_to_string(folder.path.join(COMPILER));
        Ok(Next {
            folder,
            made: folder.scratch()?,
            is_anew: before.ok().as_ref() != Some(&compiler),
            compiler,
        })
    }

    /// Returns the folder with the files of this build.
    pub(super) fn made(&self) -> &Path {
        self.made.path()
    }

    /// Returns the folder of modules that need not be compiled again if they are newer than their
    /// sources.
    pub(super) fn last(&self) -> PathBuf {
        if self.is_anew {
            self.made.path().to_owned()
        } else {
            self.folder.ebin()
        }
    }

    /// Returns whether the module must be compiled: it has no .beam file, or one that is not newer
    /// than its source.
    pub(super) fn is_stale(&self, module: &str) -> bool {
        let source = modified(&self.folder.path.join(format!("src/{module}.erl")));
        let beam = |folder: &Path| modified(&folder.join(format!("{module}.beam")));
        match (source, beam(self.made()).or_else(|| beam(&self.last()))) {
            (Some(source), Some(beam)) => beam <= source,
            _ => true,
        }
    }

    /// Writes the resource file, unless that of the last build is identical.
    pub(super) fn write_resource_file(&self, application: &str, text: &str) -> Result<()> {
        self.add(&format!("{application}.app"), text.as_bytes())
    }

    /// Adds a file, unless that of the last build is identical.
    pub(super) fn add(&self, file: &str, content: &[u8]) -> Result<()> {
        match fs::read(self.last().join(file)) {
            Ok(before) if before == content => Ok(()),
            _ => write(&self.made().join(file), content),
        }
    }

    /// Moves all files of the build into place, and removes those of modules that are gone. Ctrl-C
    /// takes effect only afterwards.
    pub(super) fn finish(self, application: &str, modules: &[String], library: &str) -> Result<()> {
        let (folder, ebin) = (self.folder, self.folder.ebin());
        folder.keep_before()?;
        self.made.undisturbed(|| {
            for path in files(self.made.path())? {
                let target = ebin.join(path.file_name().unwrap_or_default());
                fs::rename(&path, &target).map_err(|error| Error::io("write", &target, &error))?;
            }
            keep_only(folder, application, modules)?;
            folder.write(COMPILER, &self.compiler)?;
            folder.has_built(library)
        })?;
        folder.keep(application, library)
    }
}

fn modified(file: &Path) -> Option<SystemTime> {
    fs::metadata(file).ok()?.modified().ok()
}

/// Removes the files that an earlier build has left of modules that are gone.
fn keep_only(folder: &BuildFolder, application: &str, modules: &[String]) -> Result<()> {
    let mut kept: BTreeSet<String> = BTreeSet::from([format!("{application}.app")]);
    for module in modules {
        kept.insert(format!("{module}.erl"));
        kept.insert(format!("{module}.beam"));
    }
    for name in ["ebin", "src"] {
        for path in files(&folder.path.join(name))? {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            if !kept.contains(name.as_ref()) {
                fs::remove_file(&path).map_err(|error| Error::io("remove", &path, &error))?;
            }
        }
    }
    Ok(())
}

/// Compiles the modules whose .beam is older than their source.
pub(super) fn compile_generated(
    otp: &Installation,
    next: &Next<'_>,
    modules: &[String],
    ui: &Ui,
) -> Result<()> {
    let stale: Vec<&String> = modules
        .iter()
        .filter(|module| next.is_stale(module))
        .collect();
    if stale.is_empty() {
        return Ok(());
    }
    let folders = (next.folder.path.as_path(), next.made());
    compile(otp, &[next.last()], folders, &stale, ui)
}

/// Compiles modules of the folder's `src` into another folder, in a single call.
pub(super) fn compile(
    otp: &Installation,
    known: &[PathBuf],
    (folder, into): (&Path, &Path),
    modules: &[&String],
    ui: &Ui,
) -> Result<()> {
    announce(modules, ui);
    let files = modules.iter().map(|module| format!("src/{module}.erl"));
    let answer = erlc(otp, known, (folder, into), files, ui)?;
    let said = without_foreign_behaviours(&output_of(&answer));
    if !answer.status.success() {
        return Err(catalog::GENERATED_DOES_NOT_COMPILE
            .error()
            .at(folder.join("src").display())
            .detail(said));
    }
    if !said.is_empty() {
        ui.plain_warning(&format!("erlc says about the generated Erlang:\n{said}"));
    }
    Ok(())
}

/// Compiles modules of the folder's `src` that a command runs into another folder, in a single
/// call, without showing any output.
pub(super) fn compile_for_command(
    otp: &Installation,
    (folder, into): (&Path, &Path),
    modules: &[&String],
) -> Result<()> {
    let erlc = otp.erlc()?;
    let answer = Command::new(&erlc)
        // The modules are part of releases, so their bytes must not contain the folder's name.
        .arg("+deterministic")
        .arg("-o")
        .arg(into)
        .args(modules.iter().map(|module| format!("src/{module}.erl")))
        .current_dir(folder)
        .env_remove("ERL_COMPILER_OPTIONS")
        .stdin(Stdio::null())
        .output()
        .map_err(|error| Error::io("run", &erlc, &error))?;
    if answer.status.success() {
        Ok(())
    } else {
        Err(catalog::GENERATED_DOES_NOT_COMPILE
            .error()
            .detail(output_of(&answer)))
    }
}

/// Compiles the modules of an application, whose sources are in a folder's `src`, and returns the
/// folder of the results. Their bytes do not contain the folder's name.
pub(crate) fn compile_package(
    otp: &Installation,
    folder: &Path,
    built: &Built,
    ui: &Ui,
) -> Result<PathBuf> {
    let ebin = folder.join("ebin");
    fs::create_dir_all(&ebin).map_err(|error| Error::io("create", &ebin, &error))?;
    let others = built.all().into_iter().filter(|one| one.name != built.name);
    let others = others.map(|other| other.ebin.clone());
    let dependencies = built.dependencies();
    let dependencies = dependencies.iter().map(|dependency| dependency.ebin());
    let known: Vec<PathBuf> = others.chain(dependencies).collect();
    let modules: Vec<&String> = built.modules.iter().collect();
    announce(&modules, ui);
    let files = modules.iter().map(|module| format!("src/{module}.erl"));
    // The compiler accepts options only before files.
    let arguments = iter::once("+deterministic".to_owned()).chain(files);
    let answer = erlc(otp, &known, (folder, &ebin), arguments, ui)?;
    if answer.status.success() {
        Ok(ebin)
    } else {
        Err(catalog::GENERATED_DOES_NOT_COMPILE
            .error()
            .detail(output_of(&answer)))
    }
}

/// Compiles the Erlang modules of the application's author, as far as necessary. They may use the
/// application's dependencies. The compiler's messages about them are shown.
pub(super) fn compile_sources(
    otp: &Installation,
    next: &Next<'_>,
    sources: &ErlangSources,
    dependencies: &[Dependency],
    ui: &Ui,
) -> Result<()> {
    let stale = sources.stale(&next.last());
    if stale.is_empty() {
        return Ok(());
    }
    announce(&stale, ui);
    let files = stale.iter().map(|module| sources.file(module));
    let dependencies = dependencies.iter().map(Dependency::ebin);
    let known: Vec<PathBuf> = dependencies.chain([next.last()]).collect();
    let folders = (sources.application(), next.made());
    let answer = erlc(otp, &known, folders, files, ui)?;
    let said = output_of(&answer);
    if !answer.status.success() {
        return Err(catalog::SOURCES_DO_NOT_COMPILE
            .error()
            .at(sources.application().join(erlang_sources::FOLDER).display())
            .detail(said));
    }
    if !said.is_empty() {
        ui.plain_warning(&format!(
            "erlc says about the application's Erlang modules:\n{said}"
        ));
    }
    Ok(())
}

/// Removes from erlc's output warnings that a behaviour is unknown: the behaviour may belong to a
/// dependency, or be written in Elixir. The Rust compiler checks its callbacks.
fn without_foreign_behaviours(said: &str) -> String {
    let is_foreign =
        |line: &str| line.contains(": Warning: behaviour ") && line.ends_with(" undefined");
    let mut kept: Vec<&str> = Vec::new();
    let mut is_left_out = false;
    for line in said.lines() {
        // The source lines that follow a warning begin with this character.
        is_left_out = is_foreign(line) || (is_left_out && line.starts_with('%'));
        if !is_left_out {
            kept.push(line);
        }
    }
    kept.join("\n").trim().to_owned()
}

pub(super) fn announce(modules: &[&String], ui: &Ui) {
    let plural = if modules.len() == 1 { "" } else { "s" };
    let what = format!("{} Erlang module{plural}", modules.len());
    ui.status("Compiling", &what);
}

/// Compiles files whose paths are relative to `folder`. erlc searches the `known` folders of
/// modules for behaviours.
fn erlc(
    otp: &Installation,
    known: &[PathBuf],
    (folder, into): (&Path, &Path),
    files: impl Iterator<Item = String>,
    ui: &Ui,
) -> Result<Output> {
    let erlc = otp.erlc()?;
    let mut command = Command::new(&erlc);
    command
        .arg("+debug_info")
        .args(["-I", erlang_sources::FOLDER])
        .args(known.iter().flat_map(|ebin| [Path::new("-pa"), ebin]))
        .arg("-pa")
        .arg(into)
        .arg("-o")
        .arg(into)
        .args(files)
        .current_dir(folder)
        // These options are meant for the user's other Erlang code.
        .env_remove("ERL_COMPILER_OPTIONS")
        .stdin(Stdio::null());
    ui.starting(&command);
    ui.during("Compiling", "Erlang", || command.output())
        .map_err(|error| Error::io("run", &erlc, &error))
}

/// Returns both outputs of a program, one after the other.
pub(super) fn output_of(answer: &Output) -> String {
    let said = String::from_utf8_lossy(&answer.stdout) + String::from_utf8_lossy(&answer.stderr);
    said.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_warnings_about_unknown_behaviours_are_left_out() {
        let said = "src/a.erl:3:2: Warning: behaviour 'Elixir.Shop' undefined\n%    3| -behaviour(x).\n%     |  ^\n\n\
                    src/a.erl:9:1: Warning: function f/0 is unused\n%    9| f() -> ok.";
        let kept = "src/a.erl:9:1: Warning: function f/0 is unused\n%    9| f() -> ok.";
        assert_eq!(without_foreign_behaviours(said), kept);
    }
}
