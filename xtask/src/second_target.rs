//! A second target folder.
//!
//! cargo locks a target folder during a build, and other builds wait. Tests that build much use a
//! separate folder, so that tests that only start programs do not wait for these builds.

use std::fs::{self, File};
use std::io;
use std::path::Path;

use crate::step::Outcome;

/// The parts of a target folder that cargo reuses, and whether they are large. The rest are cargo's
/// locks and final outputs.
const BUILT: [(&str, bool); 3] = [(".fingerprint", false), ("build", false), ("deps", true)];

/// Makes the folder anew, with the whole content of the profile `dev` from the first folder.
///
/// Large parts are hard links, and so take no space. This is safe because the compiler writes a
/// library beside an older one, and then renames it. The compiler writes small files in place, so
/// they are copied with their times, because cargo compares the times.
pub(crate) fn make(from: &Path, second: &Path) -> Outcome {
    let made = || -> io::Result<()> {
        if second.exists() {
            fs::remove_dir_all(second)?;
        }
        for (folder, is_large) in BUILT {
            let add = if is_large { link } else { copy };
            let folder = Path::new("debug").join(folder);
            add_all(&from.join(&folder), &second.join(folder), add)?;
        }
        Ok(())
    };
    made().map_err(|error| format!("{}: {error}", second.display()))
}

/// Adds all files of a folder and its subfolders.
fn add_all(from: &Path, to: &Path, add: fn(&Path, &Path) -> io::Result<()>) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let to = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            add_all(&entry.path(), &to, add)?;
        } else {
            add(&entry.path(), &to)?;
        }
    }
    Ok(())
}

fn link(from: &Path, to: &Path) -> io::Result<()> {
    fs::hard_link(from, to)
}

fn copy(from: &Path, to: &Path) -> io::Result<()> {
    fs::copy(from, to)?;
    let modified = fs::metadata(from)?.modified()?;
    File::options().write(true).open(to)?.set_modified(modified)
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    #[test]
    fn cargo_finds_all_built_and_builds_there() {
        let scratch = std::env::temp_dir().join(format!("xtask-second-{}", std::process::id()));
        fs::create_dir_all(scratch.join("src")).unwrap();
        let manifest =
            "[package]\nname = \"twice\"\nversion = \"0.0.0\"\nedition = \"2024\"\n[workspace]\n";
        fs::write(scratch.join("Cargo.toml"), manifest).unwrap();
        fs::write(scratch.join("src/lib.rs"), "pub fn once() {}\n").unwrap();
        let (first, second) = (scratch.join("first"), scratch.join("second"));
        let build = |target: &Path| {
            let mut cargo = Command::new(env!("CARGO"));
            cargo.args(["build", "--offline"]).current_dir(&scratch);
            let output = cargo.env("CARGO_TARGET_DIR", target).output().unwrap();
            let said = String::from_utf8(output.stderr).unwrap();
            assert!(output.status.success(), "{said}");
            said.contains("Compiling twice")
        };
        assert!(build(&first));
        make(&first, &second).unwrap();
        assert!(!build(&second), "it was built once more");
        let library = |target: &Path| fs::read(target.join("debug/libtwice.rlib")).unwrap();
        let before = library(&first);
        fs::write(scratch.join("src/lib.rs"), "pub fn more() {}\n").unwrap();
        assert!(build(&second), "the change was not seen");
        assert!(library(&first) == before && library(&second) != before);
        assert!(build(&first), "what was built there was lost");
        make(&first, &second).unwrap();
        assert!(!build(&second), "it was not made anew");
        fs::remove_dir_all(scratch).unwrap();
    }
}
