//! Resource files of applications (`app(4)`). They are Erlang terms, which a VM reads and writes
//! (`otp_rs_resources.erl`).

use std::fs;
use std::path::{Path, PathBuf};

use otp_erlang::tools::RESOURCES;

use crate::build::ebin::output_of;
use crate::files::Scratch;
use crate::installation::Installation;
use crate::report::{Error, Result, catalog};
use crate::vm::{self, configuration};

/// A resource file to read.
pub(super) struct ResourceQuery {
    /// NAME.app or NAME.app.src
    pub(super) file: PathBuf,
    /// The NAME.app to write from it, and its modules.
    pub(super) write: Option<(PathBuf, Vec<String>)>,
}

/// The contents of a resource file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ResourceFile {
    /// The file that was read.
    pub(super) file: PathBuf,
    /// The name of the application.
    pub(super) name: String,
    pub(super) version: String,
    pub(super) modules: Vec<String>,
    /// Applications that it needs, and includes.
    pub(super) needs: Vec<String>,
    /// Applications among them that may be missing.
    pub(super) optional: Vec<String>,
}

impl ResourceFile {
    /// Returns the application's folder, which contains `ebin`.
    pub(super) fn folder(&self) -> &Path {
        let ebin = self.file.parent().unwrap_or(&self.file);
        ebin.parent().unwrap_or(ebin)
    }
}

/// Asks a VM, and returns its answer in the form that [`read`] accepts. `folder` is for temporary
/// files.
pub(super) fn ask(
    otp: &Installation,
    folder: &Path,
    questions: &[ResourceQuery],
) -> Result<(Vec<ResourceFile>, String)> {
    let scratch = Scratch::within(folder, ".resources-")?;
    let [asked, answered] = ["asked", "answered"].map(|name| scratch.path().join(name));
    let lines: String = questions.iter().map(ResourceQuery::line).collect();
    fs::write(&asked, lines).map_err(|error| Error::io("write", &asked, &error))?;
    let said = vm::Script::new(otp, &[&RESOURCES], |_| ())?;
    let said = said.ask(otp, &[asked.into_os_string(), answered.clone().into()])?;
    match fs::read_to_string(&answered) {
        Ok(answer) if said.status.success() => Ok((read(&answer)?, answer)),
        _ => Err(catalog::INTERNAL
            .with(&[&"resource files cannot be read"])
            .detail(output_of(&said))),
    }
}

impl ResourceQuery {
    fn line(&self) -> String {
        let file = self.file.display();
        match &self.write {
            None => format!("{file}\n"),
            Some((out, modules)) => {
                format!("{file}\t{}\t{}\n", out.display(), modules.join(","))
            }
        }
    }
}

/// Reads the answer of a VM.
pub(super) fn read(answer: &str) -> Result<Vec<ResourceFile>> {
    let resource = |line: &str| {
        let words: Vec<&str> = line.split('\t').collect();
        match words.as_slice() {
            ["ok", file, name, ..] if !is_of(Path::new(file), name) => {
                let why = format!("its term names the application `{name}`");
                Err(catalog::RESOURCE_FILE.with(&[&why]).at(file))
            }
            ["ok", file, name, version, modules, needs, optional] => Ok(ResourceFile {
                file: PathBuf::from(file),
                name: (*name).to_owned(),
                version: (*version).to_owned(),
                modules: names(modules),
                needs: names(needs),
                optional: names(optional),
            }),
            ["wrong", file, why @ ..] => Err(catalog::RESOURCE_FILE
                .with(&[&configuration::why(&why.join(" "))])
                .at(file)),
            _ => Err(catalog::INTERNAL.with(&[&format!("`{line}` describes no application")])),
        }
    };
    answer.lines().map(resource).collect()
}

/// Returns whether the file is NAME.app or NAME.app.src.
fn is_of(file: &Path, name: &str) -> bool {
    let file = file.file_name().unwrap_or_default().to_string_lossy();
    let ending = file.strip_prefix(name);
    ending.is_some_and(|ending| [".app", ".app.src"].contains(&ending))
}

fn names(text: &str) -> Vec<String> {
    let names = text.split(',').filter(|name| !name.is_empty());
    names.map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_describes_an_application() {
        let found = read("ok\t/x/a/ebin/a.app\ta\t1.0\ta,b\tkernel\t\n").unwrap();
        assert_eq!(found[0].folder(), Path::new("/x/a"));
        assert_eq!(found[0].modules, ["a", "b"]);
        assert!(found[0].optional.is_empty());
        let error = read("wrong\t/x/a.app.src\t1: syntax error\n").unwrap_err();
        assert_eq!(error.location(), Some("/x/a.app.src"));
        assert_eq!(error.exit_code(), 1);
        let error = read("ok\t/x/a.app.src\tb\t1.0\t\t\t\n").unwrap_err();
        assert!(error.what().ends_with("names the application `b`"));
    }
}
