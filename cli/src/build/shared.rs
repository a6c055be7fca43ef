//! The Erlang modules that are the same in every application. They are compiled once for all
//! applications and profiles of a target folder, in `TARGET/otp/modules/KEY/{src,ebin}`.

use std::fs;
use std::path::{Path, PathBuf};

use otp_codegen::erlang as text;

use super::erlang;
use super::layout::{Next, hash, locked};
use crate::files::{Scratch, write_unless_same};
use crate::installation::Installation;
use crate::report::{Error, Result, Ui};

/// The folder of all of them, in TARGET/otp.
const FOLDER: &str = "modules";

/// Adds them to what a build makes, and gives their names.
pub(super) fn add(
    otp: &Installation,
    next: &Next<'_>,
    target: &Path,
    ui: &Ui,
) -> Result<Vec<String>> {
    let modules = SharedModules::new(otp, target)?;
    if !modules.are_compiled() {
        modules.compile(otp, ui)?;
    }
    for (name, text) in modules.names.iter().zip(&modules.texts) {
        // For those who read what an application is made of.
        next.folder.write(&format!("src/{name}.erl"), text)?;
        let beam = modules.beam(name);
        let content = fs::read(&beam).map_err(|error| Error::io("read", &beam, &error))?;
        next.add(&format!("{name}.beam"), &content)?;
    }
    Ok(modules.names)
}

struct SharedModules {
    /// Named by the compiler and by what is compiled, so nothing in it changes.
    folder: PathBuf,
    names: Vec<String>,
    texts: Vec<String>,
}

impl SharedModules {
    fn new(otp: &Installation, target: &Path) -> Result<Self> {
        let (names, texts): (Vec<_>, Vec<_>) = text::shared_modules().into_iter().unzip();
        // A digit comes first: no application has such a name.
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

    fn compile(&self, otp: &Installation, ui: &Ui) -> Result<()> {
        let _lock = locked(&self.folder, ui)?;
        if self.are_compiled() {
            // By a build that this one has waited for.
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
        erlang::compile(otp, &[], (&self.folder, &made), &names, ui)?;
        // What is left there is not whole.
        let _ = fs::remove_dir_all(&ebin);
        fs::rename(&made, &ebin).map_err(|error| Error::io("write", &ebin, &error))
    }
}
