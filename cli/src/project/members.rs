//! The applications of a workspace, for whoever is in its folder.

use std::fs;
use std::path::{Path, PathBuf};

use toml_edit::DocumentMut;

use super::config;
use crate::report::{Error, quoted};

/// The most that are named.
const SHOWN: usize = 8;

/// The error, with the applications of the workspace whose folder it is.
pub(super) fn named(error: Error, folder: &Path) -> Error {
    let error = error.at(folder.display());
    let members = of(folder).unwrap_or_default();
    let names: Vec<&str> = members.iter().take(SHOWN).map(String::as_str).collect();
    match names.first() {
        Some(first) => error.help(format!(
            "the applications of this workspace are in {}: `cd {first}`, or `--manifest-path {first}/Cargo.toml`",
            quoted(&names)
        )),
        None => error,
    }
}

/// Members with an otp.toml, in the order of their names.
fn of(folder: &Path) -> Option<Vec<String>> {
    let text = fs::read_to_string(folder.join("Cargo.toml")).ok()?;
    let manifest: DocumentMut = text.parse().ok()?;
    let members = manifest.get("workspace")?.get("members")?.as_array()?;
    let patterns = members.iter().filter_map(|it| it.as_str());
    let mut found: Vec<String> = patterns
        .flat_map(|pattern| matching(folder, pattern))
        .collect();
    found.sort();
    found.dedup();
    Some(found)
}

/// `apps/*` is all folders of `apps`.
fn matching(folder: &Path, pattern: &str) -> Vec<String> {
    let is_one = |path: &Path| path.join(config::FILE).is_file();
    let all: Vec<PathBuf> = match pattern.strip_suffix('*') {
        None => vec![folder.join(pattern)],
        Some(before) => {
            let entries = fs::read_dir(folder.join(before)).into_iter().flatten();
            entries.filter_map(|it| Some(it.ok()?.path())).collect()
        }
    };
    let ours = all.iter().filter(|path| is_one(path));
    let names = ours.filter_map(|path| path.strip_prefix(folder).ok()?.to_str());
    names.map(str::to_owned).collect()
}
