//! What a build makes of `ebin`. It is put there when all of it is made and every check has passed,
//! so that a build which fails leaves the application of the last one as it was: modules call
//! functions of their library by number, and those of one build with the library of another would
//! call wrong ones.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::layout::{BuildFolder, files};
use crate::files::{Scratch, write};
use crate::report::{Error, Result};

/// The file that says which compiler made the modules in `ebin`.
const COMPILER: &str = ".otp";

/// The compiled modules and the resource file of the build that is under way, as far as they differ
/// from those in `ebin`.
pub(super) struct Next<'f> {
    folder: &'f BuildFolder,
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
        let file = format!("{application}.app");
        match fs::read(self.last().join(&file)) {
            Ok(before) if before == text.as_bytes() => Ok(()),
            _ => write(&self.made().join(file), text.as_bytes()),
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
mod tests {
    use std::time::Duration;

    use super::super::layout::tests::build_folder;
    use super::*;

    fn begin(folder: &BuildFolder) -> Next<'_> {
        Next::begin(folder, "25".to_owned()).unwrap()
    }

    fn compile(next: &Next<'_>, module: &str) {
        std::thread::sleep(Duration::from_millis(20));
        fs::write(next.made().join(format!("{module}.beam")), "").unwrap();
    }

    #[test]
    fn a_build_that_does_not_come_to_its_end_changes_no_module() {
        let temporary = tempfile::tempdir().unwrap();
        let folder = build_folder(&temporary);
        let names = || {
            let files = files(&folder.ebin()).unwrap();
            let names = files.iter().map(|path| path.file_name().unwrap());
            let mut names: Vec<_> = names.map(|name| name.to_owned()).collect();
            names.sort();
            names
        };
        folder.write("src/a.erl", "a").unwrap();
        folder.write("src/b.erl", "b").unwrap();
        let next = begin(&folder);
        compile(&next, "a");
        next.write_resource_file("x", "1").unwrap();
        drop(next);
        assert_eq!(names(), [""; 0]);

        let next = begin(&folder);
        assert!(next.is_stale("a"));
        compile(&next, "a");
        compile(&next, "b");
        next.write_resource_file("x", "1").unwrap();
        let modules = ["a".to_owned(), "b".to_owned()];
        next.finish("x", &modules, "libx-1").unwrap();
        assert_eq!(names(), ["a.beam", "b.beam", "x.app"]);

        // `b` is gone.
        let next = begin(&folder);
        assert!(!next.is_stale("a"));
        next.finish("x", &modules[..1], "libx-1").unwrap();
        assert_eq!(names(), ["a.beam", "x.app"]);
        assert!(!folder.path.join("src/b.erl").exists());
    }

    #[test]
    fn a_module_is_compiled_when_its_source_changes_or_the_compiler() {
        let temporary = tempfile::tempdir().unwrap();
        let folder = build_folder(&temporary);
        let modules = ["a".to_owned()];
        folder.write("src/a.erl", "a").unwrap();
        let next = begin(&folder);
        compile(&next, "a");
        assert!(!next.is_stale("a"));
        next.finish("x", &modules, "libx-1").unwrap();

        std::thread::sleep(Duration::from_millis(20));
        folder.write("src/a.erl", "b").unwrap();
        assert!(begin(&folder).is_stale("a"));
        let next = begin(&folder);
        compile(&next, "a");
        next.finish("x", &modules, "libx-1").unwrap();
        assert!(!begin(&folder).is_stale("a"));

        let next = Next::begin(&folder, "27".to_owned()).unwrap();
        assert!(next.is_stale("a"));
        compile(&next, "a");
        assert!(!next.is_stale("a"));
        drop(next);
        assert!(!begin(&folder).is_stale("a"));
    }
}
