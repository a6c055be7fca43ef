//! The installed modules, and a folder for the Rust that is generated from them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use otp_codegen::Files;
use otp_specs::types::Module;
use otp_specs::{Parsed, Trusting};

use crate::erlang;
use crate::step::Outcome;

/// The .beam files of the installed applications: OTP's, and Elixir's if it is installed.
pub(crate) struct Library {
    /// Maps each module to the folder name of its application and to its path.
    modules: BTreeMap<String, (String, PathBuf)>,
    /// Modules whose forms replace the forms of their files.
    changed: BTreeMap<String, Parsed>,
}

impl Library {
    pub(crate) fn new(libraries: &Path) -> Outcome<Library> {
        let mut modules = BTreeMap::new();
        let mut folders = entries(libraries)?;
        if let Some(elixirs) = erlang::elixir() {
            folders.extend(entries(&elixirs)?);
        }
        for folder in folders {
            let application = versioned(&folder);
            // Applications without code lack this folder.
            for beam in entries(&folder.join("ebin")).unwrap_or_default() {
                if beam
                    .extension()
                    .is_some_and(|extension| extension == "beam")
                {
                    let module = beam.file_stem().unwrap_or_default();
                    let module = module.to_string_lossy().into_owned();
                    modules.insert(module, (application.clone(), beam));
                }
            }
        }
        Ok(Library {
            modules,
            changed: BTreeMap::new(),
        })
    }

    /// Returns the folder name and the modules of an application.
    pub(crate) fn application(&self, name: &str) -> Outcome<(String, BTreeSet<String>)> {
        let prefix = format!("{name}-");
        let of_it = self
            .modules
            .iter()
            .filter(|(_, (folder, _))| folder.starts_with(&prefix));
        let modules: BTreeSet<String> = of_it.clone().map(|(module, _)| module.clone()).collect();
        let folder = of_it.map(|(_, (folder, _))| folder.clone()).next_back();
        folder
            .map(|folder| (folder, modules))
            .ok_or_else(|| format!("no application `{name}` is installed"))
    }

    pub(crate) fn version(&self, module: &str) -> Option<String> {
        self.modules.get(module).map(|(folder, _)| folder.clone())
    }

    /// Returns `requested`, and every module that their types refer to. With `functions`, also
    /// includes the modules that their functions refer to.
    pub(crate) fn closure(&self, requested: BTreeSet<String>, functions: bool) -> Vec<Module> {
        let mut seen = requested.clone();
        let mut open: Vec<String> = requested.iter().cloned().collect();
        let mut modules = Vec::new();
        while let Some(name) = open.pop() {
            let Some(module) = self.read(&name) else {
                continue;
            };
            let mut more = otp_codegen::references(&module);
            if functions && requested.contains(&name) {
                more.extend(otp_codegen::function_references(&module));
            }
            open.extend(more.into_iter().filter(|name| seen.insert(name.clone())));
            modules.push(module);
        }
        modules
    }

    /// Returns the forms of a module.
    pub(crate) fn parsed(&self, module: &str) -> Option<Parsed> {
        let (_, path) = self.modules.get(module)?;
        let bytes = fs::read(path).ok()?;
        Some(otp_specs::parse_beam(&path.to_string_lossy(), &bytes))
    }

    /// Replaces the forms of a module.
    pub(crate) fn change(&mut self, module: &str, parsed: Parsed) {
        self.changed.insert(module.to_owned(), parsed);
    }

    /// Returns the readable part of a module. The diagnostics of the output list the parts that
    /// could not be read.
    fn read(&self, module: &str) -> Option<Module> {
        let parsed = match self.changed.get(module) {
            Some(changed) => changed,
            None => &self.parsed(module)?,
        };
        Some(otp_specs::resolve(&parsed.module, &mut Trusting).0)
    }
}

/// Writes generated modules into a folder, and removes all other content of the folder.
pub(crate) fn write_modules(folder: &Path, files: &Files) -> std::io::Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder)?;
    }
    fs::create_dir_all(folder)?;
    files
        .iter()
        .try_for_each(|(path, text)| fs::write(folder.join(path), text))
}

fn entries(folder: &Path) -> Outcome<Vec<PathBuf>> {
    let entries = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    Ok(paths)
}

/// Returns the name of an application's folder with the version. Elixir's folder names lack the
/// version.
fn versioned(folder: &Path) -> String {
    let name = name(folder);
    let described = folder.join(format!("ebin/{name}.app"));
    let description = fs::read_to_string(described).unwrap_or_default();
    let version = description
        .split_once("{vsn")
        .and_then(|(_, rest)| rest.split('"').nth(1));
    match version {
        Some(version) => format!("{name}-{version}"),
        None => name,
    }
}

fn name(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default();
    name.to_string_lossy().into_owned()
}
