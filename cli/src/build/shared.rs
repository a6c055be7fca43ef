//! Erlang modules that do not depend on the application: those of every application, and those that
//! commands run. They are compiled once for all applications and profiles of a target folder, in
//! `TARGET/otp/modules/KEY/{src,ebin}`.

use std::fs;
use std::path::{Path, PathBuf};

use otp_codegen::erlang as text;
use otp_erlang::ErlangSource;

use super::ebin::{self, Next};
use super::layout::{hash, locked};
use crate::files::{Scratch, write_unless_same};
use crate::installation::Installation;
use crate::report::{Error, Result, Ui};

/// The folder of all of them, in TARGET/otp.
const FOLDER: &str = "modules";

/// Adds the modules of every application to a build, and returns their names.
pub(super) fn add(
    otp: &Installation,
    next: &Next<'_>,
    target: &Path,
    ui: &Ui,
) -> Result<Vec<String>> {
    let modules = of_every_application(otp, target, ui)?;
    for (name, text) in modules.names.iter().zip(&modules.texts) {
        // For readers of an application's sources.
        next.folder.write(&format!("src/{name}.erl"), text)?;
        let beam = modules.beam(name);
        let content = fs::read(&beam).map_err(|error| Error::io("read", &beam, &error))?;
        next.add(&format!("{name}.beam"), &content)?;
    }
    Ok(modules.names)
}

fn of_every_application(otp: &Installation, target: &Path, ui: &Ui) -> Result<SharedModules> {
    let modules = SharedModules::new(otp, target, text::shared_modules())?;
    modules.compile(ui, |folders, names| {
        ebin::compile(otp, &[], folders, names, ui)
    })?;
    Ok(modules)
}

/// Returns the folders of a module that a command runs, and of the modules of every application, if
/// they are compiled.
pub(super) fn known(
    otp: &Installation,
    target: &Path,
    module: &ErlangSource,
) -> Option<[PathBuf; 2]> {
    let all = [
        vec![(module.name, module.source.to_owned())],
        text::shared_modules(),
    ];
    let [one, shared] = all.map(|modules| SharedModules::new(otp, target, modules).ok());
    let all = [one?, shared?];
    let are_compiled = all.iter().all(SharedModules::are_compiled);
    are_compiled.then(|| all.map(|modules| modules.ebin()))
}

/// Compiles them.
pub(super) fn compiled_with(
    otp: &Installation,
    target: &Path,
    module: &ErlangSource,
    ui: &Ui,
) -> Result<[PathBuf; 2]> {
    let shared = of_every_application(otp, target, ui)?.ebin();
    Ok([compiled(otp, target, &[module], ui)?, shared])
}

/// Compiles modules that a command runs, and returns their folder.
pub(crate) fn compiled(
    otp: &Installation,
    target: &Path,
    modules: &[&ErlangSource],
    ui: &Ui,
) -> Result<PathBuf> {
    let texts = modules.iter().map(|it| (it.name, it.source.to_owned()));
    let modules = SharedModules::new(otp, target, texts.collect())?;
    modules.compile(ui, |folders, names| {
        ebin::compile_for_command(otp, folders, names)
    })?;
    Ok(modules.ebin())
}

struct SharedModules {
    /// Its name is derived from the compiler and the compiled texts, so its contents never change.
    folder: PathBuf,
    names: Vec<String>,
    texts: Vec<String>,
}

impl SharedModules {
    fn new(
        otp: &Installation,
        target: &Path,
        modules: Vec<(&'static str, String)>,
    ) -> Result<Self> {
        let (names, texts): (Vec<_>, Vec<_>) = modules.into_iter().unzip();
        // The name begins with a digit, because no application's name does.
        let key = hash((otp.compiler()? + &texts.concat()).as_bytes());
        Ok(SharedModules {
            folder: target
                .join("otp")
                .join(FOLDER)
                .join(format!("0-{key:016x}")),
            names: names.into_iter().map(str::to_owned).collect(),
            texts,
        })
    }

    fn ebin(&self) -> PathBuf {
        self.folder.join("ebin")
    }

    fn beam(&self, name: &str) -> PathBuf {
        self.ebin().join(format!("{name}.beam"))
    }

    fn are_compiled(&self) -> bool {
        self.names.iter().all(|name| self.beam(name).is_file())
    }

    /// Compiles the missing modules: `compile` receives the source folder, the destination folder,
    /// and the names.
    fn compile(
        &self,
        ui: &Ui,
        compile: impl FnOnce((&Path, &Path), &[&String]) -> Result<()>,
    ) -> Result<()> {
        if self.are_compiled() {
            return Ok(());
        }
        let _lock = locked(&self.folder, ui)?;
        if self.are_compiled() {
            // Another build has compiled them while this one was waiting.
            return Ok(());
        }
        let sources = self.folder.join("src");
        fs::create_dir_all(&sources).map_err(|error| Error::io("create", &sources, &error))?;
        for (name, text) in self.names.iter().zip(&self.texts) {
            write_unless_same(&sources.join(format!("{name}.erl")), text.as_bytes())?;
        }
        let scratch = Scratch::within(&self.folder, ".next-")?;
        let (made, ebin) = (scratch.path().join("ebin"), self.ebin());
        fs::create_dir(&made).map_err(|error| Error::io("create", &made, &error))?;
        let names: Vec<&String> = self.names.iter().collect();
        compile((&self.folder, &made), &names)?;
        // Remains of an earlier attempt are incomplete.
        let _ = fs::remove_dir_all(&ebin);
        fs::rename(&made, &ebin).map_err(|error| Error::io("write", &ebin, &error))
    }
}
