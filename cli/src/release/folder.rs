//! The folder of a release: replaces an existing release by a new one, and keeps its data.

use std::fs;
use std::path::{Path, PathBuf};

use super::assemble::entries;
use crate::files::{Scratch, move_to};
use crate::platform;
use crate::report::{Error, Result, catalog};

/// The folder for data that the nodes of a release write. It is never removed or moved.
pub(crate) const DATA: &str = "var";
/// The program of a node.
const VM: &str = "beam.smp";

/// Returns an error if a node runs from the folder.
pub(crate) fn check_idle(folder: &Path, name: &str) -> Result<()> {
    let running = platform::programs_in(folder).into_iter();
    let Some((process, _)) = running.into_iter().find(|(_, program)| program == VM) else {
        return Ok(());
    };
    let program = folder.join("bin").join(name);
    Err(catalog::RELEASE_RUNS
        .with(&[&folder.display(), &process])
        .help(format!("stop it: {} stop", program.display())))
}

/// Replaces a folder by a new one, except for its data. The old contents are moved into the scratch
/// folder, and Ctrl-C is delayed until this is finished.
pub(super) fn put(new: &Path, folder: &Path, scratch: &Scratch) -> Result<()> {
    if !folder.exists() {
        return fs::rename(new, folder).map_err(|error| Error::io("write", folder, &error));
    }
    let old = &scratch.path().join("old");
    fs::create_dir_all(old).map_err(|error| Error::io("create", old, &error))?;
    let to = |to: &Path, path: PathBuf| {
        let name = path.file_name().unwrap_or_default();
        (to.join(name), path)
    };
    let before = entries(folder)?.into_iter();
    let before = before.filter(|path| !path.ends_with(DATA));
    let mut moves: Vec<_> = before.map(|path| to(old, path)).collect();
    moves.extend(entries(new)?.into_iter().map(|path| to(folder, path)));
    let moved = scratch.undisturbed(|| move_all(&moves));
    moved.map_err(|error| Error::io("replace", folder, &error))
}

/// Moves all, each `(new, old)`, or none.
fn move_all(moves: &[(PathBuf, PathBuf)]) -> std::io::Result<()> {
    for (index, (to, from)) in moves.iter().enumerate() {
        if let Err(error) = move_to(from, to) {
            for (to, from) in moves[..index].iter().rev() {
                let _ = move_to(to, from);
            }
            return Err(error);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder_with(folder: &Path, files: &[&str]) {
        for file in files {
            let path = folder.join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, folder.file_name().unwrap().as_encoded_bytes()).unwrap();
        }
    }

    fn text(path: PathBuf) -> Option<String> {
        fs::read_to_string(path).ok()
    }

    #[test]
    fn all_is_replaced_but_the_data_or_nothing() {
        let root = tempfile::tempdir().unwrap();
        let [new, there] = ["new", "there"].map(|name| root.path().join(name));
        let scratch = Scratch::within(root.path(), ".some-").unwrap();
        let old = scratch.path().join("old");
        folder_with(&there, &["bin/a", "lib/gone", "var/ledger"]);
        folder_with(&new, &["bin/a", "lib/b"]);
        // A folder that is not empty makes the second rename fail.
        folder_with(&old, &["lib/other"]);
        assert!(put(&new, &there, &scratch).is_err());
        assert_eq!(text(there.join("bin/a")).as_deref(), Some("there"));
        assert_eq!(text(there.join("lib/gone")).as_deref(), Some("there"));
        assert_eq!(text(new.join("lib/b")).as_deref(), Some("new"));

        fs::remove_dir_all(&old).unwrap();
        put(&new, &there, &scratch).unwrap();
        assert_eq!(text(there.join("bin/a")).as_deref(), Some("new"));
        assert_eq!(text(there.join("lib/gone")), None);
        assert_eq!(text(there.join("var/ledger")).as_deref(), Some("there"));
    }

    #[test]
    fn a_process_is_found_by_the_folder_of_its_program() {
        let root = tempfile::tempdir().unwrap();
        check_idle(root.path(), "x").unwrap();
        let program = root.path().join(VM);
        let shell = std::env::split_paths(&std::env::var_os("PATH").unwrap())
            .map(|folder| folder.join("sleep"))
            .find(|path| path.is_file());
        fs::copy(shell.unwrap(), &program).unwrap();
        let mut child = std::process::Command::new(&program)
            .arg("60")
            .spawn()
            .unwrap();
        let found = check_idle(root.path(), "x");
        child.kill().unwrap();
        child.wait().unwrap();
        assert_eq!(found.unwrap_err().code(), "E1035");
        check_idle(root.path(), "x").unwrap();
    }
}
