//! The applications of a workspace, for an error if the current folder is the workspace's.

use std::fs;
use std::path::{Path, PathBuf};

use toml_edit::DocumentMut;

use super::config;
use crate::report::{Error, quoted};

/// Maximum number of applications in the message.
const SHOWN: usize = 8;

/// Adds the applications of the workspace to the error, if the folder is a workspace's.
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

/// Returns members with an otp.toml, in the order of their names.
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

/// Returns the folders that match a pattern: `apps/*` means all folders of `apps`.
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
