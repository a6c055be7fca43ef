//! Finds headers: as Erlang's compiler does, then by custom.

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use otp_specs::{Include, Includes, Release, Unit};

use crate::home::Home;
use crate::tree::Tree;

/// The largest file that is read. Places in a file have 32 bits, and no source is near it.
const LARGEST: u64 = 1 << 30;

/// A header that is read by whoever asks first; `None` if there is no such file.
type Slot = Arc<OnceLock<Option<Arc<Unit>>>>;

/// Headers, each read once, for all files of a command and on all its threads.
pub(crate) struct Headers {
    tree: Option<Tree>,
    folders: Vec<PathBuf>,
    release: Release,
    units: Mutex<BTreeMap<PathBuf, Slot>>,
    homes: Mutex<BTreeMap<PathBuf, Option<Arc<Home>>>>,
    found: Mutex<BTreeMap<Asked, Option<Arc<Unit>>>>,
}

/// What decides which file an include means.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Asked {
    name: String,
    lib: bool,
    /// The folder of the file that includes it.
    beside: PathBuf,
    /// The folder of the file that the command was given.
    home: PathBuf,
}

impl Headers {
    /// Headers of an OTP, if there is one, and of the folders of `-I`.
    pub(crate) fn new(tree: Option<Tree>, folders: Vec<PathBuf>, release: Release) -> Self {
        Self {
            tree,
            folders,
            release,
            units: Mutex::default(),
            homes: Mutex::default(),
            found: Mutex::default(),
        }
    }

    /// The release that they are read for.
    pub(crate) fn release(&self) -> Release {
        self.release
    }

    /// The headers as one file sees them.
    pub(crate) fn seen_from<'a>(&'a self, file: &'a Path) -> Search<'a> {
        Search {
            headers: self,
            file,
        }
    }

    fn find(&self, asked: &Asked) -> Option<Arc<Unit>> {
        let known = self.compilers_candidates(asked);
        known
            .iter()
            .find_map(|path| self.unit(path))
            .or_else(|| self.guess(asked))
    }

    /// Where epp looks: beside the file, along `-I`, and for `-include_lib` in OTP.
    fn compilers_candidates(&self, asked: &Asked) -> Vec<PathBuf> {
        let folders = std::iter::once(&asked.beside).chain(&self.folders);
        let mut candidates: Vec<PathBuf> = folders.map(|folder| folder.join(&asked.name)).collect();
        if asked.lib {
            candidates.extend(self.in_tree(&asked.name));
        }
        candidates
    }

    fn in_tree(&self, name: &str) -> Option<PathBuf> {
        let (application, rest) = name.split_once('/')?;
        Some(self.tree.as_ref()?.application(application)?.join(rest))
    }

    /// Where a build would have sent epp, by custom.
    fn guess(&self, asked: &Asked) -> Option<Arc<Unit>> {
        let first = self.home(&asked.home);
        let second = (asked.beside != asked.home).then(|| self.home(&asked.beside));
        let mut homes = [first, second.flatten()].into_iter().flatten();
        let found = homes.find_map(|home| {
            let candidates = home.candidates(&asked.name);
            candidates.iter().find_map(|path| self.unit(path))
        });
        found.or_else(|| self.unit(&self.in_tree(&asked.name)?))
    }

    fn home(&self, folder: &Path) -> Option<Arc<Home>> {
        let mut homes = locked(&self.homes);
        let home = homes
            .entry(folder.to_owned())
            .or_insert_with(|| Home::of(folder).map(Arc::new));
        home.clone()
    }

    fn unit(&self, path: &Path) -> Option<Arc<Unit>> {
        let slot = locked(&self.units)
            .entry(path.to_owned())
            .or_default()
            .clone();
        // Outside the lock: another thread may read another header meanwhile.
        slot.get_or_init(|| {
            let bytes = read_regular(path).ok()?;
            let name = path.to_string_lossy();
            Some(Arc::new(Unit::read(&name, &bytes, self.release)))
        })
        .clone()
    }
}

/// Headers as the file sees them that the command was given: with its folder and application.
pub(crate) struct Search<'a> {
    headers: &'a Headers,
    file: &'a Path,
}

impl Includes for Search<'_> {
    fn include(&self, include: &Include<'_>) -> Option<Arc<Unit>> {
        let folder = |path: &Path| path.parent().map(Path::to_owned).unwrap_or_default();
        let home = folder(self.file);
        // The name may be no UTF-8, and what specs calls the file then leads nowhere.
        let beside = match include.from == self.file.to_string_lossy() {
            true => home.clone(),
            false => folder(Path::new(include.from)),
        };
        let asked = Asked {
            name: expanded(include.name),
            lib: include.lib,
            beside,
            home,
        };
        if let Some(known) = locked(&self.headers.found).get(&asked) {
            return known.clone();
        }
        let found = self.headers.find(&asked);
        locked(&self.headers.found).insert(asked, found.clone());
        found
    }
}

/// What is behind a lock stays whole: nothing that can fail happens while it is held.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A file's bytes. What a source names is not trusted: a device or a pipe may never end.
pub(crate) fn read_regular(path: &Path) -> io::Result<Vec<u8>> {
    if !fs::metadata(path)?.is_file() {
        return Err(io::Error::from(io::ErrorKind::InvalidInput));
    }
    read_bounded(path)
}

/// A file's bytes, or those of whatever else the user named, such as `/dev/stdin`.
pub(crate) fn read_bounded(path: &Path) -> io::Result<Vec<u8>> {
    let file = fs::File::open(path)?;
    let size = file.metadata().map_or(0, |file| file.len());
    let mut bytes = Vec::with_capacity(usize::try_from(size.min(LARGEST)).unwrap_or(0) + 1);
    file.take(LARGEST + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LARGEST {
        return Err(io::Error::new(
            io::ErrorKind::FileTooLarge,
            "larger than 1 GiB",
        ));
    }
    Ok(bytes)
}

/// `$VARIABLE/rest` with the variable's value.
fn expanded(name: &str) -> String {
    let Some((variable, rest)) = name.strip_prefix('$').and_then(|name| name.split_once('/'))
    else {
        return name.to_owned();
    };
    match env::var(variable) {
        Ok(value) => format!("{value}/{rest}"),
        Err(_) => name.to_owned(),
    }
}
