//! Keeps copies of an application's last builds in its folder. A VM that runs one of them starts
//! isolated children from its copy, even after later builds. If a node refuses an upgrade, the
//! previous build is restored.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use otp_codegen::erlang::build_of;
use otp_contract::library::KEPT;

use super::layout::{BUILT, BuildFolder, files, is_newest, library_of};
use super::{BuildOptions, Built, beam};
use crate::files::{Scratch, move_to};
use crate::platform;
use crate::project::Application;
use crate::report::{Error, Result, Ui};

/// The number of builds that are kept in addition to running ones.
const RETAINED: usize = 3;
/// The folder of the contents of `ebin` before the last build.
const BEFORE: &str = ".before";

/// Adds a second link to each of the files, or a copy if the file system has no links. Links are
/// safe because files of a build are replaced, but never modified.
fn link_all(paths: &[PathBuf], into: &Path) -> Result<()> {
    fs::create_dir_all(into).map_err(|error| Error::io("create", into, &error))?;
    for path in paths {
        let target = into.join(path.file_name().unwrap_or_default());
        fs::hard_link(path, &target)
            .or_else(|_| fs::copy(path, &target).map(|_| ()))
            .map_err(|error| Error::io("write", &target, &error))?;
    }
    Ok(())
}

/// Replaces a folder by a new one.
fn replace(made: &Scratch, new: &Path, target: &Path) -> Result<()> {
    let failed = |error| Error::io("write", target, &error);
    if target.is_dir() {
        move_to(target, &made.path().join("old")).map_err(failed)?;
    }
    fs::rename(new, target).map_err(failed)
}

impl BuildFolder {
    /// Keeps the current build in `ebin`.
    pub(super) fn keep(&self, application: &str, library: &str) -> Result<()> {
        let made = Scratch::within(&self.path, ".kept-")?;
        let new = made.path().join("new");
        let folder = new.join(application);
        link_all(&files(&self.ebin())?, &folder.join("ebin"))?;
        link_all(&[self.library(library)], &folder.join("priv"))?;
        let kept = self.path.join(KEPT);
        fs::create_dir_all(&kept).map_err(|error| Error::io("create", &kept, &error))?;
        replace(&made, &new, &kept.join(build_of(library)))?;
        remove_old(&kept)
    }

    /// Keeps the contents of `ebin` before a build replaces them.
    pub(super) fn keep_before(&self) -> Result<()> {
        let made = Scratch::within(&self.path, ".kept-")?;
        let new = made.path().join("new");
        let built = Some(self.path.join(BUILT)).filter(|path| path.is_file());
        link_all(built.as_slice(), &new)?;
        link_all(&files(&self.ebin())?, &new.join("ebin"))?;
        replace(&made, &new, &self.path.join(BEFORE))
    }

    /// Restores the contents of `ebin` from before the last build. Without such a build, they are
    /// unchanged.
    fn put_back(&self) -> Result<()> {
        let before = self.path.join(BEFORE);
        let Ok(library) = fs::read_to_string(before.join(BUILT)) else {
            return Ok(());
        };
        self.replace_ebin(&before.join("ebin"), &library)
    }

    /// Replaces the contents of `ebin` by those of a folder, whose modules load this library.
    fn replace_ebin(&self, with: &Path, library: &str) -> Result<()> {
        let made = self.scratch()?;
        let paths = files(with)?;
        link_all(&paths, made.path())?;
        let names = |paths: &[PathBuf]| -> BTreeSet<OsString> {
            let names = paths.iter().filter_map(|path| path.file_name());
            names.map(ToOwned::to_owned).collect()
        };
        let kept = names(&paths);
        made.undisturbed(|| {
            for path in files(made.path())? {
                let target = self.ebin().join(path.file_name().unwrap_or_default());
                fs::rename(&path, &target).map_err(|error| Error::io("write", &target, &error))?;
            }
            for name in names(&files(&self.ebin())?).difference(&kept) {
                let path = self.ebin().join(name);
                fs::remove_file(&path).map_err(|error| Error::io("remove", &path, &error))?;
            }
            self.has_built(library)
        })
    }
}

/// The builds that are kept in an application's folder.
pub(crate) struct EarlierBuilds {
    /// The name of the application.
    pub(crate) name: String,
    /// The application's folder, with `ebin` and `priv`.
    folder: PathBuf,
}

impl EarlierBuilds {
    /// Returns the kept builds of an application.
    pub(crate) fn of(application: &Application, order: &BuildOptions<'_>) -> Result<Self> {
        let package = super::cargo::package(&application.folder)?;
        Ok(EarlierBuilds {
            folder: order.folder(&package),
            name: package.name,
        })
    }

    /// Returns the folder of the kept builds, with a subfolder for each build.
    pub(crate) fn folder(&self) -> PathBuf {
        self.folder.join(KEPT)
    }

    /// Returns their names, the newest one first.
    pub(crate) fn names(&self) -> Vec<String> {
        let mut builds: Vec<(SystemTime, PathBuf)> = by_age(&self.folder()).unwrap_or_default();
        builds.reverse();
        let names = builds.iter().filter_map(|(_, path)| path.file_name());
        names.map(|it| it.to_string_lossy().into_owned()).collect()
    }

    /// Returns the names of builds whose files are not those that were kept, or cannot be read.
    pub(crate) fn damaged(&self) -> Vec<String> {
        let mut names = self.names();
        names.retain(|name| !self.is_whole(&self.folder().join(name).join(&self.name)));
        names
    }

    /// Returns whether the library has the content that its name promises, and each module the name
    /// of its file.
    fn is_whole(&self, kept: &Path) -> bool {
        let stem = |path: &Path| path.file_stem().map(|it| it.to_string_lossy().into_owned());
        let is_library = |path: &PathBuf| {
            let content = fs::read(path).unwrap_or_default();
            stem(path).is_some_and(|it| it == library_of(&self.name, &content))
        };
        let is_module = |path: &PathBuf| {
            let mistake = stem(path).map(|module| beam::mistake(path, &module));
            matches!(mistake, Some(Ok(None)))
        };
        let libraries = files(&kept.join("priv")).unwrap_or_default();
        let ebin = files(&kept.join("ebin")).unwrap_or_default();
        let loads = format!("{}_nif.beam", self.name);
        let mut modules = ebin
            .iter()
            .filter(|it| it.extension().is_some_and(|it| it == "beam"));
        !libraries.is_empty()
            && libraries.iter().all(is_library)
            && ebin.iter().any(|path| path.ends_with(&loads))
            && modules.all(is_module)
    }

    /// Makes the application's folder contain this build again, so that a node that is started from
    /// the folder runs it.
    pub(crate) fn restore(&self, build: &str, ui: &Ui) -> Result<()> {
        let folder = BuildFolder::open(self.folder.clone(), ui)?;
        let kept = self.folder().join(build).join(&self.name);
        for library in files(&kept.join("priv"))? {
            let target = folder
                .path
                .join("priv")
                .join(library.file_name().unwrap_or_default());
            // A VM may have the existing file open.
            if !target.is_file() {
                link_all(std::slice::from_ref(&library), &folder.path.join("priv"))?;
            }
            let stem = library.file_stem().unwrap_or_default().to_string_lossy();
            folder.replace_ebin(&kept.join("ebin"), &stem)?;
        }
        Ok(())
    }
}

/// Returns the kept builds, the oldest one first.
fn by_age(kept: &Path) -> Result<Vec<(SystemTime, PathBuf)>> {
    let entries = fs::read_dir(kept).map_err(|error| Error::io("read", kept, &error))?;
    let mut builds: Vec<(SystemTime, PathBuf)> = entries
        .flatten()
        .map(|entry| entry.path())
        .filter_map(|path| Some((fs::metadata(&path).ok()?.modified().ok()?, path)))
        .collect();
    builds.sort();
    Ok(builds)
}

impl Built {
    /// Restores the folders of the application, and of those that were built with it, because a
    /// node has refused the build. A build that another command has made since is kept.
    pub(crate) fn put_back(&self, ui: &Ui) -> Result<()> {
        for one in self.all() {
            let folder = BuildFolder::open(one.folder().to_owned(), ui)?;
            if is_newest(&folder.path, &one.library) {
                folder.put_back()?;
            }
        }
        Ok(())
    }
}

/// Removes all but the newest builds, and except those whose library a VM has loaded.
fn remove_old(kept: &Path) -> Result<()> {
    let builds = by_age(kept)?;
    let old = builds.len().saturating_sub(RETAINED);
    for (_, path) in builds.into_iter().take(old) {
        let id = path.file_name().unwrap_or_default().to_string_lossy();
        if !platform::is_mapped(&format!("-{id}")) {
            fs::remove_dir_all(&path).map_err(|error| Error::io("remove", &path, &error))?;
        }
    }
    Ok(())
}
