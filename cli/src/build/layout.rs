//! The built application's folder: `TARGET/otp/PROFILE/NAME/{ebin,priv,src}`.
//!
//! A VM may be running out of it while it is built anew. So a library is never overwritten, only
//! added under a name made of its content, and every file arrives by rename. What is in `ebin`
//! changes when all of it is made and every check has passed ([`Next`]): a build which fails leaves
//! the application of the last one as it was. Modules call functions of their library by number,
//! and those of one build with the library of another would call wrong ones.

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
const RETAINED_LIBRARIES: usize = 3;
/// The file that a build locks.
const LOCK: &str = ".lock";
/// The file that says which of cargo's libraries was copied last.
const LIBRARY: &str = ".library";
/// The file that says which library the modules in `ebin` load.
const BUILT: &str = ".built";
/// The file that says which compiler made the modules in `ebin`.
const COMPILER: &str = ".otp";

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
pub(super) fn hash(content: &[u8]) -> u64 {
    let mut hasher = std::hash::DefaultHasher::new();
    hasher.write(content);
    hasher.finish()
}

/// The compiled modules and the resource file of the build that is under way, as far as they differ
/// from those in `ebin`.
pub(super) struct Next<'f> {
    /// The application's folder.
    pub(super) folder: &'f BuildFolder,
    /// Beside `ebin`, so the library's module finds `priv` from here, too.
    made: Scratch,
    compiler: String,
    /// Another compiler made what is in `ebin`: an older VM cannot load the modules of a newer one.
    is_anew: bool,
}

impl<'f> Next<'f> {
    /// Nothing is made yet.
    pub(super) fn begin(folder: &'f BuildFolder, compiler: String) -> Result<Self> {
        let before = fs::read_to_string(folder.path.join(COMPILER));
        Ok(Next {
            folder,
            made: folder.scratch()?,
            is_anew: before.ok().as_ref() != Some(&compiler),
            compiler,
        })
    }

    /// The folder of what this build makes.
    pub(super) fn made(&self) -> &Path {
        self.made.path()
    }

    /// The folder of modules that need not be compiled again if they are newer than their sources.
    pub(super) fn last(&self) -> PathBuf {
        if self.is_anew {
            self.made.path().to_owned()
        } else {
            self.folder.ebin()
        }
    }

    /// Whether the module must be compiled: it has no .beam file, or one that is not newer than its
    /// source.
    pub(super) fn is_stale(&self, module: &str) -> bool {
        let source = modified(&self.folder.path.join(format!("src/{module}.erl")));
        let beam = |folder: &Path| modified(&folder.join(format!("{module}.beam")));
        match (source, beam(self.made()).or_else(|| beam(&self.last()))) {
            (Some(source), Some(beam)) => beam <= source,
            _ => true,
        }
    }

    /// Writes the resource file, unless that of the last build says the same.
    pub(super) fn write_resource_file(&self, application: &str, text: &str) -> Result<()> {
        self.add(&format!("{application}.app"), text.as_bytes())
    }

    /// Adds a file, unless that of the last build is the same.
    pub(super) fn add(&self, file: &str, content: &[u8]) -> Result<()> {
        match fs::read(self.last().join(file)) {
            Ok(before) if before == content => Ok(()),
            _ => write(&self.made().join(file), content),
        }
    }

    /// Puts all that was made in its place, and removes what is of modules that are gone. Ctrl-C
    /// waits for the end of this.
    pub(super) fn finish(self, application: &str, modules: &[String], library: &str) -> Result<()> {
        let (folder, ebin) = (self.folder, self.folder.ebin());
        self.made.undisturbed(|| {
            for path in files(self.made.path())? {
                let target = ebin.join(path.file_name().unwrap_or_default());
                fs::rename(&path, &target).map_err(|error| Error::io("write", &target, &error))?;
            }
            keep_only(folder, application, modules)?;
            folder.write(COMPILER, &self.compiler)?;
            folder.has_built(library)
        })
    }
}

fn modified(file: &Path) -> Option<SystemTime> {
    fs::metadata(file).ok()?.modified().ok()
}

/// Removes what an earlier build left of modules that are gone.
fn keep_only(folder: &BuildFolder, application: &str, modules: &[String]) -> Result<()> {
    let mut kept: BTreeSet<String> = BTreeSet::from([format!("{application}.app")]);
    for module in modules {
        kept.insert(format!("{module}.erl"));
        kept.insert(format!("{module}.beam"));
    }
    for name in ["ebin", "src"] {
        for path in files(&folder.path.join(name))? {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            if !kept.contains(name.as_ref()) {
                fs::remove_file(&path).map_err(|error| Error::io("remove", &path, &error))?;
            }
        }
    }
    Ok(())
}

#[cfg(test)]
pub(crate) mod tests;
