//! The built application's folder: `TARGET/otp/PROFILE/NAME/{ebin,priv,src}`.
//!
//! A VM may be running out of it while it is built anew. So a library is never overwritten, only
//! added under a name made of its content, and every file arrives by rename.

#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::fs::{self, File, TryLockError};
use std::hash::Hasher;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::files::{Scratch, write, write_unless_same};
use crate::platform::System;
use crate::report::{Error, Result, Ui};

/// How many libraries stay in priv: a VM that still runs may have an older one open.
const KEPT_LIBRARIES: usize = 3;
/// The file that a build locks.
const LOCK: &str = ".lock";
/// The file that says which of cargo's libraries was copied last.
const LIBRARY: &str = ".library";

/// Waits for a build that is under way in a folder, and holds others off. `None`: the folder is not one of a build.
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

/// Whether the last build in a folder is the one with this library.
pub(super) fn is_newest(folder: &Path, library: &Path) -> bool {
    let Ok(text) = fs::read_to_string(folder.join(LIBRARY)) else {
        // A library whose path or time says nothing is not remembered.
        return library.is_file();
    };
    let last = text.split_once('\n').map(|(_, stem)| stem);
    library.file_stem().and_then(|stem| stem.to_str()) == last
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

    fn remove_old_libraries(&self, folder: &Path) -> Result<()> {
        let mut libraries: Vec<(SystemTime, PathBuf)> = files(folder)?
            .into_iter()
            .filter_map(|path| Some((fs::metadata(&path).ok()?.modified().ok()?, path)))
            .collect();
        libraries.sort();
        let old = libraries.len().saturating_sub(KEPT_LIBRARIES);
        for (_, path) in libraries.into_iter().take(old) {
            fs::remove_file(&path).map_err(|error| Error::io("remove", &path, &error))?;
        }
        Ok(())
    }

    /// Writes a file of the folder unless it holds that text already.
    pub(crate) fn write(&self, file: &str, text: &str) -> Result<()> {
        write_unless_same(&self.path.join(file), text.as_bytes())
    }

    /// Whether the module must be compiled: it has no .beam file, or one that is not newer than its source.
    pub(crate) fn is_stale(&self, module: &str) -> bool {
        let modified = |file: String| fs::metadata(self.path.join(file)).ok()?.modified().ok();
        let source = modified(format!("src/{module}.erl"));
        match (source, modified(format!("ebin/{module}.beam"))) {
            (Some(source), Some(beam)) => beam <= source,
            _ => true,
        }
    }

    /// A folder for the compiler, beside ebin so that its files can be renamed into it.
    pub(crate) fn scratch(&self) -> Result<Scratch> {
        Scratch::within(&self.path, ".erlc-")
    }

    /// Moves every file of a scratch folder into ebin.
    pub(crate) fn take_beams(&self, scratch: &Scratch) -> Result<()> {
        for path in files(scratch.path())? {
            let target = self.ebin().join(path.file_name().unwrap_or_default());
            fs::rename(&path, &target).map_err(|error| Error::io("write", &target, &error))?;
        }
        Ok(())
    }

    /// Removes what an earlier build left of modules that are gone.
    pub(crate) fn keep_only(&self, application: &str, modules: &[String]) -> Result<()> {
        let mut kept: BTreeSet<String> = BTreeSet::from([format!("{application}.app")]);
        for module in modules {
            kept.insert(format!("{module}.erl"));
            kept.insert(format!("{module}.beam"));
        }
        for folder in ["ebin", "src"] {
            for path in files(&self.path.join(folder))? {
                let name = path.file_name().unwrap_or_default().to_string_lossy();
                if !kept.contains(name.as_ref()) {
                    fs::remove_file(&path).map_err(|error| Error::io("remove", &path, &error))?;
                }
            }
        }
        Ok(())
    }

    /// Removes all compiled modules if another compiler made them: an older VM cannot load the modules
    /// of a newer compiler.
    pub(crate) fn compiled_by(&self, compiler: &str) -> Result<()> {
        let path = self.path.join(".otp");
        if fs::read_to_string(&path).is_ok_and(|before| before == compiler) {
            return Ok(());
        }
        for beam in files(&self.ebin())? {
            fs::remove_file(&beam).map_err(|error| Error::io("remove", &beam, &error))?;
        }
        write(&path, compiler.as_bytes())
    }

    /// What a library has answered to a question, if it was asked before.
    pub(crate) fn known(&self, question: &Question<'_>) -> Option<String> {
        let text = fs::read_to_string(self.path.join(question.file)).ok()?;
        let (of, answer) = text.split_once('\n')?;
        (of == question.key()).then(|| answer.to_owned())
    }

    /// Remembers what a library has answered.
    pub(crate) fn remember(&self, question: &Question<'_>, answer: &str) -> Result<()> {
        self.write(question.file, &format!("{}\n{answer}", question.key()))
    }
}

/// What a library is asked in a VM. The same library has the same answer.
pub(crate) struct Question<'a> {
    /// The file of the answer.
    pub(crate) file: &'static str,
    /// The name of the library.
    pub(crate) library: &'a str,
    /// What it is told. May be empty.
    pub(crate) text: &'a str,
}

impl Question<'_> {
    /// One line that tells questions to one file apart.
    fn key(&self) -> String {
        format!("{} {:016x}", self.library, hash(self.text.as_bytes()))
    }
}

fn files(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder).map_err(|error| Error::io("read", folder, &error))?;
    Ok(entries
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.is_file())
        .collect())
}

/// Where a file is and when it was changed: a library may have a hundred megabytes, and is the same in most builds.
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
