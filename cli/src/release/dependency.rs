//! The files of an Erlang dependency. Other people have written them, so only regular files and
//! folders are copied, and each module has to be the one that the resource file names.

use std::path::{Path, PathBuf};
use std::{fs, io};

use crate::build::{Dependency, beam};
use crate::files::open_regular;
use crate::report::{Error, Result, catalog};

use super::assemble::entries;

/// Maximum number of files and folders. Links can make a small folder look very large.
const MOST: usize = 200_000;

/// Copies `ebin` and `priv` of a dependency into its folder of the release.
pub(super) fn copy(dependency: &Dependency, to: &Path) -> Result<()> {
    let mut copy = Copy::default();
    for part in ["ebin", "priv"] {
        let from = dependency.folder.join(part);
        if from.is_dir() {
            copy.folder(&from, &to.join(part))?;
        }
    }
    let mut modules = dependency.modules.iter();
    modules.try_for_each(|module| check(dependency, module))
}

/// A copy that is under way.
#[derive(Default)]
struct Copy {
    /// The folders that contain the present one, without links.
    above: Vec<PathBuf>,
    count: usize,
}

impl Copy {
    /// Copies everything below a folder. Links are followed.
    fn folder(&mut self, from: &Path, to: &Path) -> Result<()> {
        let refused = |why| {
            Error::io(
                "read",
                from,
                &io::Error::new(io::ErrorKind::InvalidInput, why),
            )
        };
        let real = fs::canonicalize(from).map_err(|error| Error::io("read", from, &error))?;
        if self.above.contains(&real) {
            return Err(refused("a link in it leads back to it"));
        }
        self.above.push(real);
        fs::create_dir_all(to).map_err(|error| Error::io("create", to, &error))?;
        for path in entries(from)? {
            self.count += 1;
            if self.count > MOST {
                return Err(refused("it has more than 200,000 files"));
            }
            let copied = to.join(path.file_name().unwrap_or_default());
            match path.is_dir() {
                true => self.folder(&path, &copied)?,
                false => file(&path, &copied)?,
            }
        }
        self.above.pop();
        Ok(())
    }
}

fn file(from: &Path, to: &Path) -> Result<()> {
    let copied = open_regular(from).and_then(|_| fs::copy(from, to));
    copied
        .map(drop)
        .map_err(|error| Error::io("read", from, &error))
}

/// Checks that `ebin/MODULE.beam` is this module. A node that starts in embedded mode could not
/// load another one.
fn check(dependency: &Dependency, module: &str) -> Result<()> {
    let file = dependency.folder.join(format!("ebin/{module}.beam"));
    let mistake = beam::mistake(&file, module);
    match mistake.map_err(|error| Error::io("read", &file, &error))? {
        Some(why) => Err(catalog::WRONG_MODULE
            .with(&[&module, &why])
            .at(file.display())),
        None => Ok(()),
    }
}
