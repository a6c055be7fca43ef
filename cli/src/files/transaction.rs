//! Atomic changes of several files: every file is first written beside its target, then all are
//! renamed into place. If a rename fails, the earlier ones are rolled back.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use tempfile::{Builder, NamedTempFile};

use crate::platform;
use crate::report::{Error, Result, catalog};

/// Files to write together.
#[derive(Default)]
pub(crate) struct Transaction {
    planned: Vec<Planned>,
}

struct Planned {
    path: PathBuf,
    text: String,
    /// `None`: the file must not exist. `Some`: it must still contain this text.
    before: Option<String>,
}

/// A planned file whose temporary file is written.
struct Staged {
    planned: Planned,
    temporary: NamedTempFile,
}

impl Transaction {
    /// Adds a file that must not exist yet.
    pub(crate) fn create(&mut self, path: impl Into<PathBuf>, text: String) {
        self.planned.push(Planned {
            path: path.into(),
            text,
            before: None,
        });
    }

    /// Replaces a file whose text was read as `before`.
    pub(crate) fn replace(&mut self, path: impl Into<PathBuf>, before: String, text: String) {
        self.planned.push(Planned {
            path: path.into(),
            text,
            before: Some(before),
        });
    }

    /// Returns whether no file has to be written.
    pub(crate) fn is_empty(&self) -> bool {
        self.planned.is_empty()
    }

    /// Writes all files, or leaves every file unchanged.
    pub(crate) fn commit(self) -> Result<()> {
        let staged: Vec<Staged> = self.planned.into_iter().map(stage).collect::<Result<_>>()?;
        let mut done: Vec<Planned> = Vec::new();
        for Staged { planned, temporary } in staged {
            if let Err(error) = put(&planned, temporary) {
                return Err(take_back(done, error));
            }
            done.push(planned);
        }
        Ok(())
    }
}

fn stage(mut planned: Planned) -> Result<Staged> {
    let mut mode = platform::NEW_FILE;
    if planned.before.is_some() {
        // A symbolic link stays a link: the file that it points to is replaced.
        planned.path = fs::canonicalize(&planned.path)
            .map_err(|error| Error::io("find", &planned.path, &error))?;
        let metadata = fs::metadata(&planned.path)
            .map_err(|error| Error::io("read", &planned.path, &error))?;
        mode = platform::mode(&metadata);
        if metadata.permissions().readonly() {
            return Err(catalog::WRITE_PROTECTED.error().at(planned.path.display()));
        }
    }
    let temporary = temporary_beside(&planned.path, mode, &planned.text)?;
    Ok(Staged { planned, temporary })
}

fn temporary_beside(path: &Path, mode: u32, text: &str) -> Result<NamedTempFile> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let written = Builder::new()
        .prefix(".otp-rs-")
        .permissions(platform::permissions(mode))
        .tempfile_in(folder)
        .and_then(|mut file| file.write_all(text.as_bytes()).map(|()| file));
    written.map_err(|error| Error::io("write in", folder, &error))
}

fn put(planned: &Planned, temporary: NamedTempFile) -> Result<()> {
    let persisted = match &planned.before {
        None => temporary.persist_noclobber(&planned.path),
        Some(before) => {
            let now = fs::read_to_string(&planned.path)
                .map_err(|error| Error::io("read", &planned.path, &error))?;
            if now != *before {
                return Err(catalog::CHANGED_MEANWHILE
                    .error()
                    .at(planned.path.display()));
            }
            temporary.persist(&planned.path)
        }
    };
    persisted
        .map(drop)
        .map_err(|error| Error::io("write", &planned.path, &error.error))
}

/// Rolls back the renames, the newest first. The error names files that cannot be restored.
fn take_back(done: Vec<Planned>, mut error: Error) -> Error {
    for planned in done.into_iter().rev() {
        let undone = match &planned.before {
            None => fs::remove_file(&planned.path).is_ok(),
            Some(before) => fs::metadata(&planned.path)
                .ok()
                .and_then(|metadata| {
                    let mode = platform::mode(&metadata);
                    temporary_beside(&planned.path, mode, before).ok()
                })
                .is_some_and(|temporary| temporary.persist(&planned.path).is_ok()),
        };
        if !undone {
            error = error.help(format!(
                "take the change to {} back",
                planned.path.display()
            ));
        }
    }
    error
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listing(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn creates_and_replaces() {
        let folder = tempfile::tempdir().unwrap();
        let (old, new) = (folder.path().join("old"), folder.path().join("new"));
        fs::write(&old, "1").unwrap();
        fs::set_permissions(&old, platform::permissions(0o640)).unwrap();
        let mut transaction = Transaction::default();
        transaction.create(&new, "n".into());
        transaction.replace(&old, "1".into(), "2".into());
        transaction.commit().unwrap();
        assert_eq!(fs::read_to_string(&old).unwrap(), "2");
        assert_eq!(platform::mode(&fs::metadata(&old).unwrap()) & 0o777, 0o640);
        assert_eq!(fs::read_to_string(&new).unwrap(), "n");
        assert_eq!(listing(folder.path()), ["new", "old"]);
    }

    #[test]
    fn a_failure_at_the_last_file_takes_all_back() {
        let folder = tempfile::tempdir().unwrap();
        let (old, new) = (folder.path().join("old"), folder.path().join("new"));
        let taken = folder.path().join("taken");
        fs::write(&old, "1").unwrap();
        fs::write(&taken, "mine").unwrap();
        let mut transaction = Transaction::default();
        transaction.create(&new, "n".into());
        transaction.replace(&old, "1".into(), "2".into());
        transaction.create(&taken, "theirs".into());
        let error = transaction.commit().unwrap_err();
        assert_eq!(error.exit_code(), 1);
        assert_eq!(fs::read_to_string(&old).unwrap(), "1");
        assert_eq!(fs::read_to_string(&taken).unwrap(), "mine");
        assert_eq!(listing(folder.path()), ["old", "taken"]);
    }

    #[test]
    fn a_folder_that_is_not_there_leaves_nothing_behind() {
        let folder = tempfile::tempdir().unwrap();
        let mut transaction = Transaction::default();
        transaction.create(folder.path().join("first"), "1".into());
        transaction.create(folder.path().join("no/second"), "2".into());
        assert!(transaction.commit().is_err());
        assert!(listing(folder.path()).is_empty());
    }

    #[test]
    fn a_file_edited_meanwhile_is_kept() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("f");
        fs::write(&path, "theirs").unwrap();
        let mut transaction = Transaction::default();
        transaction.replace(&path, "mine".into(), "new".into());
        let error = transaction.commit().unwrap_err();
        assert_eq!(error.code(), "E0812", "{}", error.what());
        assert_eq!(fs::read_to_string(&path).unwrap(), "theirs");
    }

    #[test]
    fn a_symbolic_link_stays_a_link() {
        let folder = tempfile::tempdir().unwrap();
        let (file, link) = (folder.path().join("file"), folder.path().join("link"));
        fs::write(&file, "1").unwrap();
        platform::link(&file, &link).unwrap();
        let mut transaction = Transaction::default();
        transaction.replace(&link, "1".into(), "2".into());
        transaction.commit().unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read_to_string(&file).unwrap(), "2");
    }
}
