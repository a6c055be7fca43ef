//! Groups of modules: from OTP, from Debian's packages, or from a project.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use crate::erlang;
use crate::step::Outcome;

/// The maximum number of modules in a crate. rustc needs about 10 MB for each.
const MOST_MODULES: usize = 250;
/// Folders without modules for users: tests, and folders that build tools download or make.
const OTHERS: [&str; 6] = ["test", "tests", "examples", "_build", "deps", ".git"];

/// Modules, and the folders that contain them.
pub(super) struct Collection {
    pub(super) name: String,
    /// Maps a module's name to its application's name.
    pub(super) modules: BTreeMap<String, String>,
    /// Options of `otp-rs` for the folders outside the installation.
    pub(super) paths: Vec<String>,
}

/// Modules that are generated and compiled together.
pub(super) struct Crate {
    pub(super) name: String,
    pub(super) modules: BTreeSet<String>,
}

impl Collection {
    pub(super) fn otp(libraries: &Path) -> Outcome<Collection> {
        let release = erlang::release(libraries)?;
        let files = files_below(libraries, "beam");
        Ok(Collection {
            name: format!("Erlang/OTP {release}"),
            modules: modules(&files),
            paths: Vec::new(),
        })
    }

    pub(super) fn elixir(folder: &Path) -> Outcome<Collection> {
        let description = folder.join("elixir/ebin/elixir.app");
        let description = fs::read_to_string(&description)
            .map_err(|error| format!("{}: {error}", description.display()))?;
        let version = description.split_once("{vsn");
        let version = version.and_then(|(_, rest)| rest.split('"').nth(1));
        Ok(Collection {
            name: format!("Elixir {}", version.unwrap_or_default()),
            modules: modules(&files_below(folder, "beam")),
            paths: Vec::new(),
        })
    }

    /// Returns the modules of a folder: its .beam files, and sources without a .beam file.
    pub(super) fn folder(folder: &Path) -> Outcome<Collection> {
        let folder =
            fs::canonicalize(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        let name = folder.file_name().unwrap_or_default().to_string_lossy();
        Collection::of_files(&name, &folder)
    }

    pub(super) fn of_files(name: &str, folder: &Path) -> Outcome<Collection> {
        let beams = files_below(folder, "beam");
        let compiled = modules(&beams);
        let mut sources = files_below(folder, "erl");
        let is_in_src = |path: &PathBuf| path.iter().any(|part| part == "src");
        if sources.iter().any(is_in_src) {
            sources.retain(is_in_src);
        }
        sources.retain(|path| !compiled.contains_key(&stem(path)));
        let mut paths = Vec::new();
        for (option, files) in [("--pa", &beams), ("--src", &sources)] {
            let folders: BTreeSet<&Path> = files.iter().filter_map(|path| path.parent()).collect();
            for folder in folders {
                paths.extend([option.to_owned(), folder.display().to_string()]);
            }
        }
        let mut modules = modules(&sources);
        modules.extend(compiled);
        if modules.is_empty() {
            return Err(format!("{}: no .beam and no .erl files", folder.display()));
        }
        Ok(Collection {
            name: name.to_owned(),
            modules,
            paths,
        })
    }

    /// Groups whole applications into crates, if the applications are small enough.
    pub(super) fn crates(&self) -> Vec<Crate> {
        let mut applications: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for (module, application) in &self.modules {
            applications.entry(application).or_default().push(module);
        }
        let mut crates: Vec<BTreeSet<String>> = Vec::new();
        for modules in applications.values() {
            for part in modules.chunks(MOST_MODULES) {
                let part = part.iter().map(|module| (*module).to_owned());
                match crates.last_mut() {
                    Some(last) if last.len() + part.len() <= MOST_MODULES => last.extend(part),
                    _ => crates.push(part.collect()),
                }
            }
        }
        let slug = self.name.to_lowercase();
        let slug = slug.replace(|c: char| !c.is_ascii_alphanumeric(), "_");
        let numbered = (1..).zip(crates);
        let named = numbered.map(|(number, modules)| Crate {
            name: format!("{slug}_{number}"),
            modules,
        });
        named.collect()
    }
}

/// Returns the modules of these files with their applications: the folders above `ebin` and `src`.
fn modules(files: &[PathBuf]) -> BTreeMap<String, String> {
    let module = |path: &PathBuf| {
        let is_inner = |name: &OsStr| name == "ebin" || name == "src";
        let inner = path
            .ancestors()
            .find(|above| above.file_name().is_some_and(is_inner));
        let folder = inner.unwrap_or(path).parent()?.file_name()?;
        Some((stem(path), folder.to_string_lossy().into_owned()))
    };
    files.iter().filter_map(module).collect()
}

fn stem(path: &Path) -> String {
    let stem = path.file_stem().unwrap_or_default();
    stem.to_string_lossy().into_owned()
}

/// Returns the files with this ending, except those of tests.
fn files_below(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
            let name = path.file_name().and_then(OsStr::to_str).unwrap_or_default();
            if is_folder && !OTHERS.contains(&name) {
                open.push(path);
            } else if !is_folder && path.extension().is_some_and(|it| it == ending) {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn applications_share_a_crate_and_large_ones_have_several() {
        let of = |application: &str, count: usize| {
            let application = application.to_owned();
            (0..count).map(move |number| (format!("{application}_{number}"), application.clone()))
        };
        let modules = of("a", 10).chain(of("b", 20)).chain(of("c", 300));
        let collection = Collection {
            name: "Some Project".to_owned(),
            modules: modules.collect(),
            paths: Vec::new(),
        };
        let crates = collection.crates();
        let sizes: Vec<(&str, usize)> = crates
            .iter()
            .map(|one| (one.name.as_str(), one.modules.len()))
            .collect();
        let expected = [
            ("some_project_1", 30),
            ("some_project_2", 250),
            ("some_project_3", 50),
        ];
        assert_eq!(sizes, expected);
    }
}
