//! The built application's folder: `TARGET/otp/PROFILE/NAME/{ebin,priv,src}`.
//!
//! A VM may be running out of it while it is built anew. So a library is never overwritten, only
//! added under a name made of its content, and every file arrives by rename. What is in `ebin`
//! changes when the rest of the build has passed (`cli/src/build/next.rs`).

use std::fs::{self, File, TryLockError};
use std::hash::Hasher;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::files::{Scratch, write, write_unless_same};
use crate::platform::System;
use crate::report::{Error, Result, Ui};

/// How many libraries stay in priv: a VM that still runs may have an older one open.
const RETAINED_LIBRARIES: usize = 3;
/// The file that a build locks.
const LOCK: &str = ".lock";
/// The file that says which of cargo's libraries was copied last.
const LIBRARY: &str = ".library";
/// The file that says which library the modules in `ebin` load.
const BUILT: &str = ".built";

/// Waits for a build that is under way in a folder, and holds others off. `None`: the folder is not
/// one of a build.
pub(crate) fn wait_for(folder: &Path, ui: &Ui) -> Result<Option<File>> {
    let path = folder.join(LOCK);
    // A pipe or a link is not a lock.
    if !fs::symlink_metadata(&path).is_ok_and(|found| found.is_file()) || folder.is_symlink() {
        return Ok(None);
    }
    File::open(&path)
        .and_then(|file| lock(&file, folder, ui).map(|()| Some(file)))
        .map_err(|error| Error::io("lock", &path, &error))
}

/// Locks the file of a folder. Says so if that is not possible at once, as cargo does.
fn lock(file: &File, folder: &Path, ui: &Ui) -> io::Result<()> {
    match file.try_lock() {
        Ok(()) => Ok(()),
        Err(TryLockError::WouldBlock) => {
            let what = format!("waiting for another build in {}", folder.display());
            ui.status("Blocking", &what);
            file.lock()
        }
        Err(TryLockError::Error(error)) => Err(error),
    }
}

/// Makes a folder, waits for a build that is under way in it, and holds others off.
pub(super) fn locked(folder: &Path, ui: &Ui) -> Result<File> {
    fs::create_dir_all(folder).map_err(|error| Error::io("create", folder, &error))?;
    let path = folder.join(LOCK);
    File::create(&path)
        .and_then(|file| lock(&file, folder, ui).map(|()| file))
        .map_err(|error| Error::io("lock", &path, &error))
}

/// Whether the modules in a folder's `ebin` are those of the build with this library.
pub(super) fn is_newest(folder: &Path, library: &Path) -> bool {
    let stem = library.file_stem().and_then(|stem| stem.to_str());
    stem.is_some() && built(folder).as_deref() == stem
}

/// The name of the library that the modules in a folder's `ebin` load.
fn built(folder: &Path) -> Option<String> {
    fs::read_to_string(folder.join(BUILT)).ok()
}

/// A built application's folder, locked against a second build.
pub(crate) struct BuildFolder {
    /// The folder itself.
    pub(crate) path: PathBuf,
    /// Holds the lock while the build lasts.
    _lock: File,
}

impl BuildFolder {
    /// Makes the folders and waits for a build that is under way.
    pub(crate) fn open(folder: PathBuf, ui: &Ui) -> Result<Self> {
        for name in ["ebin", "priv", "src"] {
            let path = folder.join(name);
            fs::create_dir_all(&path).map_err(|error| Error::io("create", &path, &error))?;
        }
        let lock = locked(&folder, ui)?;
        Ok(Self {
            path: folder,
            _lock: lock,
        })
    }

    /// The folder of compiled modules.
    pub(crate) fn ebin(&self) -> PathBuf {
        self.path.join("ebin")
    }

    /// Puts a copy of the library into priv and gives its name without ending,
    /// `libNAME-<16 hexadecimal digits of its content>`.
    pub(crate) fn add_library(&self, application: &str, library: &Path) -> Result<String> {
        let unchanged = identity(library);
        let known = unchanged.as_deref().and_then(|it| self.known_library(it));
        let stem = match known {
            Some(stem) => stem,
            None => self.copy_library(application, library, unchanged)?,
        };
        let (folder, target) = (self.path.join("priv"), self.library(&stem));
        // The newest by use: an old library that is used again stays.
        let _ = File::options()
            .append(true)
            .open(&target)
            .and_then(|file| file.set_modified(SystemTime::now()));
        self.remove_old_libraries(&folder)?;
        Ok(stem)
    }

    /// The library that had this identity when it was copied, if the copy is there.
    fn known_library(&self, identity: &str) -> Option<String> {
        let text = fs::read_to_string(self.path.join(LIBRARY)).ok()?;
        let (of, stem) = text.split_once('\n')?;
        (of == identity && self.library(stem).is_file()).then(|| stem.to_owned())
    }

    fn copy_library(
        &self,
        application: &str,
        library: &Path,
        identity: Option<String>,
    ) -> Result<String> {
        let content = fs::read(library).map_err(|error| Error::io("read", library, &error))?;
        let stem = format!("lib{application}-{:016x}", hash(&content));
        let target = self.library(&stem);
        if !target.is_file() {
            write(&target, &content)?;
        }
        if let Some(identity) = identity {
            self.write(LIBRARY, &format!("{identity}\n{stem}"))?;
        }
        Ok(stem)
    }

    /// The file of a library's name.
    pub(crate) fn library(&self, stem: &str) -> PathBuf {
        self.path.join("priv").join(System::host().nif(stem))
    }

    /// The one that `ebin` loads stays, however many builds have failed since.
    fn remove_old_libraries(&self, folder: &Path) -> Result<()> {
        let built = built(&self.path).map(|stem| self.library(&stem));
        let mut libraries: Vec<(SystemTime, PathBuf)> = files(folder)?
            .into_iter()
            .filter(|path| Some(path) != built.as_ref())
            .filter_map(|path| Some((fs::metadata(&path).ok()?.modified().ok()?, path)))
            .collect();
        libraries.sort();
        let others = RETAINED_LIBRARIES.saturating_sub(usize::from(built.is_some()));
        let old = libraries.len().saturating_sub(others);
        for (_, path) in libraries.into_iter().take(old) {
            fs::remove_file(&path).map_err(|error| Error::io("remove", &path, &error))?;
        }
        Ok(())
    }

    /// Writes a file of the folder unless it holds that text already.
    pub(crate) fn write(&self, file: &str, text: &str) -> Result<()> {
        write_unless_same(&self.path.join(file), text.as_bytes())
    }

    /// A folder beside `ebin`, so that its files can be renamed into that one.
    pub(crate) fn scratch(&self) -> Result<Scratch> {
        Scratch::within(&self.path, ".next-")
    }

    /// Says which library the modules in `ebin` load from now on.
    pub(super) fn has_built(&self, library: &str) -> Result<()> {
        self.write(BUILT, library)
    }

    /// What a library has answered to a request, if that was made before.
    pub(crate) fn known(&self, key: &CacheKey<'_>) -> Option<String> {
        let text = fs::read_to_string(self.path.join(key.file)).ok()?;
        let (of, answer) = text.split_once('\n')?;
        (of == key.text()).then(|| answer.to_owned())
    }

    /// Remembers what a library has answered.
    pub(crate) fn remember(&self, key: &CacheKey<'_>, answer: &str) -> Result<()> {
        self.write(key.file, &format!("{}\n{answer}", key.text()))
    }
}

/// What a library is asked in a VM. The same library has the same answer.
pub(crate) struct CacheKey<'a> {
    /// The file of the answer.
    pub(crate) file: &'static str,
    /// The name of the library.
    pub(crate) library: &'a str,
    /// What it is told. May be empty.
    pub(crate) text: &'a str,
}

impl CacheKey<'_> {
    /// One line that tells questions to one file apart.
    fn text(&self) -> String {
        format!("{} {:016x}", self.library, hash(self.text.as_bytes()))
    }
}

/// The files of a folder.
pub(super) fn files(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder).map_err(|error| Error::io("read", folder, &error))?;
    Ok(entries
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.is_file())
        .collect())
}

/// Where a file is and when it was changed: a library may have a hundred megabytes, and is the same
/// in most builds.
fn identity(file: &Path) -> Option<String> {
    let found = fs::metadata(file).ok()?;
    let time = found.modified().ok()?;
    let time = time.duration_since(SystemTime::UNIX_EPOCH).ok()?;
    let path = file.to_str().filter(|path| !path.contains('\n'))?;
    Some(format!("{} {} {path}", time.as_nanos(), found.len()))
}

/// A name for the content. Nobody has a reason to forge a collision with their own library.
fn hash(content: &[u8]) -> u64 {
    let mut hasher = std::hash::DefaultHasher::new();
    hasher.write(content);
    hasher.finish()
}

#[cfg(test)]
pub(crate) mod tests {
    use tempfile::TempDir;

    use super::*;
    use crate::report::Settings;

    pub(crate) fn build_folder(folder: &TempDir) -> BuildFolder {
        BuildFolder::open(folder.path().join("out"), &Ui::new(Settings::default())).unwrap()
    }

    #[test]
    fn a_library_is_named_by_its_content_and_three_are_kept() {
        let folder = tempfile::tempdir().unwrap();
        let build = build_folder(&folder);
        let library = folder.path().join("libx.so");
        let mut stems = Vec::new();
        for content in ["1", "2", "3", "1", "4"] {
            fs::write(&library, content).unwrap();
            stems.push(build.add_library("x", &library).unwrap());
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
        assert_eq!(stems[0], stems[3]);
        assert_ne!(stems[0], stems[1]);
        let mut kept: Vec<String> = files(&build.path.join("priv"))
            .unwrap()
            .iter()
            .map(|path| path.file_stem().unwrap().to_string_lossy().into_owned())
            .collect();
        let mut expected = vec![stems[0].clone(), stems[2].clone(), stems[4].clone()];
        kept.sort();
        expected.sort();
        assert_eq!(kept, expected);
    }

    #[test]
    fn the_library_of_the_last_build_that_passed_stays() {
        let folder = tempfile::tempdir().unwrap();
        let build = build_folder(&folder);
        let library = folder.path().join("libx.so");
        let add = |content: &str| {
            fs::write(&library, content).unwrap();
            std::thread::sleep(std::time::Duration::from_millis(20));
            build.add_library("x", &library).unwrap()
        };
        let passed = add("1");
        build.has_built(&passed).unwrap();
        let failed = ["2", "3", "4", "5"].map(add);
        assert!(is_newest(&build.path, &build.library(&passed)));
        assert!(!is_newest(&build.path, &build.library(&failed[3])));
        assert!(build.library(&passed).is_file());
        assert_eq!(files(&build.path.join("priv")).unwrap().len(), 3);
    }

    #[test]
    fn an_unchanged_text_is_not_written_again() {
        let folder = tempfile::tempdir().unwrap();
        let build = build_folder(&folder);
        build.write("src/a.erl", "a").unwrap();
        let path = build.path.join("src/a.erl");
        let first = fs::metadata(&path).unwrap().modified().unwrap();
        std::thread::sleep(std::time::Duration::from_millis(20));
        build.write("src/a.erl", "a").unwrap();
        assert_eq!(fs::metadata(&path).unwrap().modified().unwrap(), first);
    }

    #[test]
    fn an_answer_belongs_to_its_library_and_question() {
        let folder = tempfile::tempdir().unwrap();
        let build = build_folder(&folder);
        let ask = |library, text| CacheKey {
            file: ".answer",
            library,
            text,
        };
        let key = ask("libx-1", "[{port,\n80}]");
        build.remember(&key, "{}\n{}").unwrap();
        assert_eq!(build.known(&key).as_deref(), Some("{}\n{}"));
        assert_eq!(build.known(&ask("libx-2", "[{port,\n80}]")), None);
        assert_eq!(build.known(&ask("libx-1", "[{port,\n81}]")), None);
    }

    #[test]
    fn a_library_that_has_not_changed_is_not_read_again() {
        let folder = tempfile::tempdir().unwrap();
        let build = build_folder(&folder);
        let library = folder.path().join("libx.so");
        fs::write(&library, "1").unwrap();
        let time = fs::metadata(&library).unwrap().modified().unwrap();
        let stem = build.add_library("x", &library).unwrap();
        // Its content is known by its time and size only.
        fs::write(&library, "2").unwrap();
        let set = |time| {
            File::options()
                .append(true)
                .open(&library)
                .unwrap()
                .set_modified(time)
        };
        set(time).unwrap();
        assert_eq!(build.add_library("x", &library).unwrap(), stem);
        set(time + std::time::Duration::from_nanos(1)).unwrap();
        let other = build.add_library("x", &library).unwrap();
        assert_ne!(other, stem);
        // A copy that is gone is made again.
        fs::remove_file(build.library(&other)).unwrap();
        assert_eq!(build.add_library("x", &library).unwrap(), other);
        assert_eq!(fs::read(build.library(&other)).unwrap(), b"2");
    }
}
