//! The files that `cargo otp run --watch` watches: those that a build reads and a person edits.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::build::cargo;
use crate::platform::Changes;
use crate::project::{Application, config, erlang_sources};
use crate::report::Result;

/// Files of a package beside its sources.
const FILES: [&str; 3] = ["Cargo.toml", config::FILE, "build.rs"];
const FOLDERS: [&str; 2] = ["src", erlang_sources::FOLDER];

/// Each file with its modification time and size.
pub(super) type Files = BTreeMap<PathBuf, (Option<SystemTime>, u64)>;

/// The folders of packages.
pub(super) struct Sources(Vec<PathBuf>);

impl Sources {
    /// Returns the package, those that it uses by a path, directly or indirectly, and the
    /// workspace's Cargo.toml.
    pub(super) fn of(application: &Application) -> Result<Self> {
        let mut folders = cargo::local_folders(&application.folder)?;
        folders.push(application.folder.clone());
        folders.sort();
        folders.dedup();
        Ok(Self(folders))
    }

    /// Watches the files for changes from this moment.
    pub(super) fn changes(&self) -> Changes {
        let mut folders = self.0.clone();
        for package in &self.0 {
            for name in FOLDERS {
                below(&mut folders, package.join(name));
            }
        }
        Changes::of(folders)
    }

    /// Returns the current files. A file that cannot be read counts as missing.
    pub(super) fn files(&self) -> Files {
        let mut files = Files::new();
        for package in &self.0 {
            for name in FILES {
                add(&mut files, package.join(name));
            }
            for name in FOLDERS {
                add_folder(&mut files, &package.join(name));
            }
        }
        files
    }
}

/// Adds a folder, and the folders inside it.
fn below(folders: &mut Vec<PathBuf>, folder: PathBuf) {
    for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            below(folders, entry.path());
        }
    }
    folders.push(folder);
}

/// Returns the files that determine what is built, and how.
pub(super) fn manifests(files: &Files) -> Files {
    let named = |path: &Path| {
        let name = path.file_name().and_then(|name| name.to_str());
        name.is_some_and(|name| FILES.contains(&name))
    };
    let all = files.iter().filter(|(path, _)| named(path));
    all.map(|(path, what)| (path.clone(), *what)).collect()
}

/// Returns the files of a folder, which belong to one build.
pub(super) fn files_of(folder: &Path) -> Files {
    let mut files = Files::new();
    add_folder(&mut files, folder);
    files
}

fn add(files: &mut Files, path: PathBuf) {
    if let Ok(found) = fs::metadata(&path)
        && found.is_file()
    {
        files.insert(path, (found.modified().ok(), found.len()));
    }
}

/// Links to folders are not followed, because they could lead to a folder above.
fn add_folder(files: &mut Files, folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        // Temporary files of editors.
        if name.starts_with('.') || name.starts_with('#') || name.ends_with('~') {
            continue;
        }
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => add_folder(files, &entry.path()),
            _ => add(files, entry.path()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_are_watched_and_what_editors_and_programs_write_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let names = [
            "Cargo.toml",
            "otp.toml",
            "src/lib.rs",
            "src/a/b.sql",
            "erlang/c.erl",
            "src/.lib.rs.swp",
            "src/lib.rs~",
            "target/debug/x.rs",
            "erl_crash.dump",
        ];
        for name in names {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, name).unwrap();
        }
        let sources = Sources(vec![folder.path().to_owned()]);
        let before = sources.files();
        let mut watched: Vec<_> = names[..5].iter().map(|it| folder.path().join(it)).collect();
        watched.sort();
        assert_eq!(before.keys().cloned().collect::<Vec<_>>(), watched);
        fs::write(folder.path().join("erl_crash.dump"), "again").unwrap();
        assert_eq!(sources.files(), before);
        fs::write(folder.path().join("src/a/b.sql"), "another").unwrap();
        assert_ne!(sources.files(), before);
        assert_eq!(manifests(&sources.files()), manifests(&before));
        fs::write(folder.path().join("otp.toml"), "another").unwrap();
        assert_ne!(manifests(&sources.files()), manifests(&before));
    }
}
