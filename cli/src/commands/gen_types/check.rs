//! `--check DIR`: checks whether generated files are up to date.

use std::fs;
use std::path::Path;

use otp_codegen::{Difference, Files, recorded};
use similar::TextDiff;

use crate::generator::MARK;
use crate::report::{Error, Result, Ui, catalog};

/// Prints the differences between the files of a folder and fresh ones. Writes no file.
pub(super) fn check(fresh: &Files, folder: &Path, ui: &Ui) -> Result<()> {
    let existing = existing(fresh, folder)?;
    let differences = otp_codegen::check(&existing, fresh);
    if differences.is_empty() {
        ui.status("Fresh", &folder.display().to_string());
        return Ok(());
    }
    let mut stale = catalog::STALE
        .with(&[&differences.len()])
        .at(folder.display());
    let releases = recorded(&existing).zip(recorded(fresh));
    if let Some((old, new)) = releases.filter(|(old, new)| old.release != new.release) {
        // Another OTP has other forms, and a diff of all lines would not help.
        return Err(stale
            .detail(format!(
                "they were generated from OTP {}, and this is OTP {}",
                old.release, new.release
            ))
            .help(format!(
                "generate them again by `{} --out {}`, or name the other OTP by --otp-root",
                old.command,
                folder.display()
            )));
    }
    for difference in &differences {
        ui.output(&shown(difference, &existing, fresh));
    }
    let leftovers: Vec<&str> = differences.iter().filter_map(leftover).collect();
    if leftovers.len() < differences.len() {
        stale = stale.help("write them again with --out in place of --check");
    }
    if !leftovers.is_empty() {
        let names = leftovers.join("`, `");
        stale = stale.help(format!("remove what is no longer generated: `{names}`"));
    }
    Err(stale)
}

/// A file that would not be written any more.
fn leftover(difference: &Difference) -> Option<&str> {
    match difference {
        Difference::Leftover(path) => Some(path),
        Difference::Missing(_) | Difference::Changed { .. } => None,
    }
}

/// Returns the files to compare: those that would be written, and all others that were generated.
fn existing(fresh: &Files, folder: &Path) -> Result<Files> {
    let entries = fs::read_dir(folder).map_err(|error| {
        let error = Error::io("read", folder, &error);
        error.help("write the files first, with --out in place of --check")
    })?;
    let mut files = Files::default();
    for path in entries.flatten().map(|entry| entry.path()) {
        let Some(name) = path.file_name().and_then(|name| name.to_str()) else {
            continue;
        };
        if !name.ends_with(".rs") || !path.is_file() {
            continue;
        }
        let bytes = fs::read(&path).map_err(|error| Error::io("read", &path, &error))?;
        let text = String::from_utf8_lossy(&bytes);
        let head = text.lines().next().unwrap_or_default();
        if fresh.get(name).is_some() || head.contains(MARK) {
            files.insert(name, text);
        }
    }
    Ok(files)
}

/// Returns a unified diff from the existing text to the fresh one.
fn shown(difference: &Difference, existing: &Files, fresh: &Files) -> String {
    let Difference::Changed { path, .. } = difference else {
        return format!("{difference}\n");
    };
    let text = |files: &Files| files.get(path).unwrap_or_default().to_owned();
    let (old, new) = (text(existing), text(fresh));
    TextDiff::from_lines(&old, &new)
        .unified_diff()
        .header(path, &format!("{path} (fresh)"))
        .to_string()
}
