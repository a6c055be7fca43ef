//! Finds headers: first like Erlang's compiler, then by conventions of build tools.

use std::collections::BTreeMap;
use std::env;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use otp_specs::{Include, Includes, Release, Unit};

use super::search_path::SearchPath;
use crate::files::read_regular;
use crate::installation::{Applications, libraries};

/// The header at a path.
#[derive(Clone)]
enum Header {
    Read(Arc<Unit>),
    /// A file that cannot be read, and the reason.
    Unreadable(String),
    Missing,
}

impl Header {
    /// Returns the header that the compiler would use: it stops searching at a file that it cannot
    /// read.
    fn found(self) -> Option<Self> {
        match self {
            Header::Missing => None,
            found => Some(found),
        }
    }
}

/// A header. The first thread that needs it reads it.
type Slot = Arc<OnceLock<Header>>;

/// Headers, each read once, for all files of a command and on all its threads.
pub(crate) struct Headers {
    otp: Option<Applications>,
    /// The applications of `ERL_LIBS`, which have precedence over OTP's.
    libraries: BTreeMap<String, PathBuf>,
    folders: Vec<PathBuf>,
    release: Release,
    units: Mutex<BTreeMap<PathBuf, Slot>>,
    search_paths: Mutex<BTreeMap<PathBuf, Option<Arc<SearchPath>>>>,
    found: Mutex<BTreeMap<IncludeKey, Header>>,
}

/// The facts that determine which file an include means.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct IncludeKey {
    name: String,
    lib: bool,
    /// The folder of the including file.
    beside: PathBuf,
    /// The folder of the file on the command line.
    origin: PathBuf,
}

impl Headers {
    /// Creates the headers of an OTP, if there is one, and of the folders of `-I`.
    pub(crate) fn new(otp: Option<Applications>, folders: Vec<PathBuf>, release: Release) -> Self {
        Self {
            otp,
            libraries: libraries(),
            folders,
            release,
            units: Mutex::default(),
            search_paths: Mutex::default(),
            found: Mutex::default(),
        }
    }

    /// Returns the release of OTP that they are read for.
    pub(crate) fn release(&self) -> Release {
        self.release
    }

    /// Returns the headers in the scope of one file.
    pub(crate) fn seen_from<'a>(&'a self, file: &'a Path) -> SeenFrom<'a> {
        SeenFrom {
            headers: self,
            file,
        }
    }

    fn find(&self, key: &IncludeKey) -> Header {
        let candidates = self.compilers_candidates(key);
        let mut found = candidates
            .iter()
            .filter_map(|path| self.header(path).found());
        let first = found.next();
        match first {
            Some(Header::Read(unit)) => Header::Read(unit),
            first => match self.guess(key) {
                Some(unit) => Header::Read(unit),
                None => first.unwrap_or(Header::Missing),
            },
        }
    }

    /// Returns the paths that epp searches: beside the file, along `-I`, and for `-include_lib` in
    /// OTP.
    fn compilers_candidates(&self, key: &IncludeKey) -> Vec<PathBuf> {
        let folders = std::iter::once(&key.beside).chain(&self.folders);
        let mut candidates: Vec<PathBuf> = folders.map(|folder| folder.join(&key.name)).collect();
        if key.lib {
            candidates.extend(self.in_otp(&key.name));
        }
        candidates
    }

    fn in_otp(&self, name: &str) -> Option<PathBuf> {
        let (application, rest) = name.split_once('/')?;
        let folder = self.libraries.get(application).map(PathBuf::as_path);
        let folder = folder.or_else(|| self.otp.as_ref()?.folder(application));
        Some(folder?.join(rest))
    }

    /// Returns the header that a build tool would make available to epp, by convention.
    fn guess(&self, key: &IncludeKey) -> Option<Arc<Unit>> {
        let first = self.search_path(&key.origin);
        let second = (key.beside != key.origin).then(|| self.search_path(&key.beside));
        let mut search_paths = [first, second.flatten()].into_iter().flatten();
        let found = search_paths.find_map(|search_path| {
            let candidates = search_path.candidates(&key.name);
            candidates.iter().find_map(|path| self.unit(path))
        });
        found.or_else(|| self.unit(&self.in_otp(&key.name)?))
    }

    fn search_path(&self, folder: &Path) -> Option<Arc<SearchPath>> {
        let mut search_paths = locked(&self.search_paths);
        let search_path = search_paths
            .entry(folder.to_owned())
            .or_insert_with(|| SearchPath::of(folder).map(Arc::new));
        search_path.clone()
    }

    fn unit(&self, path: &Path) -> Option<Arc<Unit>> {
        match self.header(path) {
            Header::Read(unit) => Some(unit),
            Header::Unreadable(_) | Header::Missing => None,
        }
    }

    fn header(&self, path: &Path) -> Header {
        let slot = locked(&self.units)
            .entry(path.to_owned())
            .or_default()
            .clone();
        // This is outside the lock, so that other threads can read other headers.
        slot.get_or_init(|| match read_regular(path) {
            Ok(bytes) => {
                let name = path.to_string_lossy();
                Header::Read(Arc::new(Unit::read(&name, &bytes, self.release)))
            }
            Err(error) => match error.kind() {
                ErrorKind::NotFound | ErrorKind::NotADirectory => Header::Missing,
                _ => Header::Unreadable(error.to_string()),
            },
        })
        .clone()
    }
}

/// Headers in the scope of one file of the command line, with its folder and application.
pub(crate) struct SeenFrom<'a> {
    headers: &'a Headers,
    file: &'a Path,
}

impl SeenFrom<'_> {
    fn header(&self, include: &Include<'_>) -> Header {
        let folder = |path: &Path| path.parent().map(Path::to_owned).unwrap_or_default();
        let origin = folder(self.file);
        // The path may not be UTF-8, and then specs' name for the file is not its path.
        let beside = if include.from == self.file.to_string_lossy() {
            origin.clone()
        } else {
            folder(Path::new(include.from))
        };
        let key = IncludeKey {
            name: expanded(include.name),
            lib: include.lib,
            beside,
            origin,
        };
        if let Some(known) = locked(&self.headers.found).get(&key) {
            return known.clone();
        }
        let found = self.headers.find(&key);
        locked(&self.headers.found).insert(key, found.clone());
        found
    }
}

impl Includes for SeenFrom<'_> {
    fn include(&self, include: &Include<'_>) -> Option<Arc<Unit>> {
        match self.header(include) {
            Header::Read(unit) => Some(unit),
            Header::Unreadable(_) | Header::Missing => None,
        }
    }

    fn unreadable(&self, include: &Include<'_>) -> Option<String> {
        match self.header(include) {
            Header::Unreadable(reason) => Some(reason),
            Header::Read(_) | Header::Missing => None,
        }
    }
}

/// A poisoned lock can be used, because no operation under it leaves inconsistent data.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns `$VARIABLE/rest` with the variable's value.
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
