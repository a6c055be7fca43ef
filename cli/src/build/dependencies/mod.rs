//! Erlang applications that the application uses: found, compiled and typed before the library is
//! built.
//!
//! They are in `TARGET/otp/erlang/NAME`. The result is recorded with a fingerprint of all its
//! inputs.

mod closure;
mod compile;
mod fingerprint;
mod located;
mod rebar3;
mod resources;
mod typed;

use std::collections::BTreeMap;
use std::fs::File;
use std::path::{Path, PathBuf};

use super::cargo::Package;
use super::layout;
use crate::files::{read_text, write};
use crate::installation::Installation;
use crate::project::Application;
use crate::report::{Error, Result, Ui, catalog};
pub(crate) use located::installed_at;
use located::{FoundIn, Located};
use resources::{ResourceFile, ResourceQuery};

/// The folder of compiled dependencies, in TARGET/otp.
const FOLDER: &str = "erlang";

/// An Erlang application on the code path beside the one being built.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Dependency {
    pub(crate) name: String,
    pub(crate) version: String,
    /// The folder with its `ebin`, and `priv` if it has one.
    pub(crate) folder: PathBuf,
    pub(crate) modules: Vec<String>,
    /// Whether otp.toml names it. Other dependencies are needed by one that it names.
    pub(crate) is_declared: bool,
}

impl Dependency {
    /// Returns the folder of its compiled modules.
    pub(crate) fn ebin(&self) -> PathBuf {
        self.folder.join("ebin")
    }

    /// Returns whether it is part of OTP, so that every VM finds it.
    pub(crate) fn is_of(&self, otp: &Installation) -> bool {
        self.folder.starts_with(&otp.root)
    }
}

/// The Erlang applications of a build.
#[derive(Debug, Default)]
pub(super) struct Dependencies {
    /// Each after those that it needs.
    pub(super) all: Vec<Dependency>,
    /// A text that changes whenever one of them does. Erlang code that uses their headers and parse
    /// transforms is then compiled again.
    pub(super) fingerprint: String,
}

/// The folder of an application's dependencies, locked against a second build.
struct Folder {
    path: PathBuf,
    _lock: File,
}

/// Locates the dependencies, compiles those in source form, and writes their Rust.
pub(super) fn build(
    application: &Application,
    package: &Package,
    otp: &Installation,
    ui: &Ui,
) -> Result<Dependencies> {
    if application.config.dependencies.is_empty() {
        return Ok(Dependencies::default());
    }
    let located = located::all(application, otp)?;
    let folder = Folder::open(
        &package.target.join("otp").join(FOLDER).join(&package.name),
        ui,
    )?;
    let mut fingerprint = fingerprint::of_sources(application, &located, otp)?;
    let resources = match folder.remembered(&fingerprint) {
        Some(resources) => resources,
        None => {
            let (resources, answer) = make(application, &folder.path, &located, otp, ui)?;
            // rebar3 may have written otp.lock.
            fingerprint = fingerprint::of_sources(application, &located, otp)?;
            folder.remember(&fingerprint, &answer)?;
            resources
        }
    };
    let all = closure::closure(application, &package.name, &resources, otp)?;
    typed::write(application, &folder.path, &all, otp, ui)?;
    Ok(Dependencies { all, fingerprint })
}

/// Compiles dependencies in source form, and reads the resource files of all.
fn make(
    application: &Application,
    folder: &Path,
    located: &[Located<'_>],
    otp: &Installation,
    ui: &Ui,
) -> Result<(Vec<ResourceFile>, String)> {
    let mut folders = if rebar3::is_needed(located) {
        rebar3::build(application, folder, located, ui)?
    } else {
        compile::build(folder, located, otp, ui)?
    };
    folders.extend(
        located
            .iter()
            .filter_map(|located| match &located.location {
                FoundIn::Compiled(folder) => {
                    Some((located.dependency.name.clone(), folder.clone()))
                }
                FoundIn::Source(_) | FoundIn::Package(_) => None,
            }),
    );
    let questions = folders.into_iter().map(|(name, folder)| ResourceQuery {
        file: folder.join(format!("ebin/{name}.app")),
        write: None,
    });
    resources::ask(otp, folder, &questions.collect::<Vec<_>>())
}

impl Folder {
    fn open(path: &Path, ui: &Ui) -> Result<Self> {
        Ok(Folder {
            path: path.to_owned(),
            _lock: layout::locked(path, ui)?,
        })
    }

    fn answer(&self) -> PathBuf {
        self.path.join(".built")
    }

    /// Returns the recorded result for the same sources, if its files still exist.
    fn remembered(&self, fingerprint: &str) -> Option<Vec<ResourceFile>> {
        let text = read_text(&self.answer()).ok()?;
        let (of, answer) = text.split_once('\n')?;
        let resources = (of == fingerprint).then(|| resources::read(answer).ok())??;
        let is_there = |resource: &ResourceFile| resource.file.is_file();
        resources.iter().all(is_there).then_some(resources)
    }

    fn remember(&self, fingerprint: &str, answer: &str) -> Result<()> {
        write(
            &self.answer(),
            format!("{fingerprint}\n{answer}").as_bytes(),
        )
    }
}

/// Refuses two applications with modules of the same name, because a VM can load only one of them.
pub(super) fn check_modules(
    own: &str,
    modules: &[String],
    dependencies: &[Dependency],
) -> Result<()> {
    let mut known: BTreeMap<&str, &str> = BTreeMap::new();
    let of_own = modules.iter().map(|module| (module, own));
    let of_dependencies = dependencies.iter().flat_map(|dependency| {
        let modules = dependency.modules.iter();
        modules.map(|module| (module, dependency.name.as_str()))
    });
    for (module, application) in of_own.chain(of_dependencies) {
        let Some(other) = known.insert(module, application) else {
            continue;
        };
        let who = format!("the applications `{other}` and `{application}` both have it");
        let error = catalog::NAME_TAKEN.with(&[module, &who]);
        return Err(if other == own {
            error.help(
                "rename the Rust type, or write `module = \"…\"` into its attribute; or rename the Erlang module",
            )
        } else {
            error
        });
    }
    Ok(())
}

/// Adds a line of otp.toml to an error.
fn at_line(error: Error, application: &Application, line: usize) -> Error {
    let path = application.config.path.display();
    error.at(format!("{path}:{line}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_module_has_one_application() {
        let dependency = |name: &str, module: &str| Dependency {
            name: name.to_owned(),
            version: String::new(),
            folder: PathBuf::new(),
            modules: vec![module.to_owned()],
            is_declared: true,
        };
        let own = ["clerk".to_owned()];
        let check = |all: &[Dependency]| check_modules("shop", &own, all);
        let (rates, table) = (dependency("rates", "rate"), dependency("table", "table"));
        assert!(check(&[rates.clone(), table]).is_ok());
        let error = check(&[dependency("rates", "clerk")]).unwrap_err();
        assert!(error.what().contains("`shop` and `rates` both"));
        assert!(error.remedies()[0].contains("module ="));
        let error = check(&[rates, dependency("other", "rate")]).unwrap_err();
        assert!(error.what().contains("`rates` and `other` both"));
    }
}
