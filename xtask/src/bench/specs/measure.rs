//! Measures specs over all of OTP on one thread, in a separate process.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use otp_specs::ast::{Entry, FormKind};
use otp_specs::{Include, Includes, Options, Release, Unit, parse_source};

use super::{RUNS, Sources, median};
use crate::erlang;
use crate::step::{Outcome, say};

/// Prints `BYTES FORMS MICROSECONDS PEAK`.
pub(crate) fn measure() -> Outcome {
    let sources = Sources::installed()?;
    let libraries = erlang::libraries().ok_or("there is no `erl` on PATH")?;
    let release = erlang::release(&libraries)?;
    let release = release.parse();
    let options = Options {
        release: Release(release.map_err(|_| "the release of OTP is not a number")?),
        ..Options::default()
    };
    let mut counted = (0, 0);
    let mut times = Vec::new();
    for _ in 0..RUNS {
        let (time, bytes, forms) = once(&sources, &options)?;
        counted = (bytes, forms);
        times.push(time);
    }
    let (bytes, forms) = counted;
    let microseconds = median(times).as_micros();
    say(&format!("{bytes} {forms} {microseconds} {}\n", peak()));
    Ok(())
}

/// Reads and parses every file. Reads the headers again.
fn once(sources: &Sources, options: &Options) -> Outcome<(Duration, usize, usize)> {
    let start = Instant::now();
    let headers = Headers::of(&sources.folders, options.release);
    let (mut size, mut forms) = (0, 0);
    for file in &sources.files {
        let bytes = fs::read(file).map_err(|error| format!("{}: {error}", file.display()))?;
        let parsed = parse_source(&file.to_string_lossy(), &bytes, &headers, options);
        size += bytes.len();
        forms += parsed.module.forms.iter().filter(is_of_types).count();
    }
    Ok((start.elapsed(), size, forms))
}

fn is_of_types(entry: &&Entry) -> bool {
    matches!(
        entry.form.kind,
        FormKind::Type(_)
            | FormKind::Function(_)
            | FormKind::Record(_)
            | FormKind::ExportType(_)
            | FormKind::OptionalCallbacks(_)
    )
}

/// The headers, in epp's order of lookup. An application's `include_lib` is in one of its folders.
struct Headers<'a> {
    folders: &'a [PathBuf],
    /// Maps the name of an entry to the folders that contain it. A name without folders costs no
    /// system call.
    entries: BTreeMap<String, Vec<&'a Path>>,
    release: Release,
    units: RefCell<BTreeMap<PathBuf, Option<Arc<Unit>>>>,
    /// The results of includes. `otp-rs forms` keeps them in the same way.
    found: RefCell<BTreeMap<IncludeKey, Option<Arc<Unit>>>>,
}

/// The folder of an include, its name, and whether it is an `include_lib`.
type IncludeKey = (String, String, bool);

impl<'a> Headers<'a> {
    fn of(folders: &'a [PathBuf], release: Release) -> Self {
        let mut entries: BTreeMap<String, Vec<&Path>> = BTreeMap::new();
        for folder in folders {
            for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
                let name = entry.file_name().to_string_lossy().into_owned();
                entries.entry(name).or_default().push(folder);
            }
        }
        Headers {
            folders,
            entries,
            release,
            units: RefCell::default(),
            found: RefCell::default(),
        }
    }

    fn unit(&self, path: PathBuf) -> Option<Arc<Unit>> {
        if let Some(known) = self.units.borrow().get(&path) {
            return known.clone();
        }
        let unit = fs::read(&path).ok().map(|bytes| {
            let name = path.to_string_lossy();
            Arc::new(Unit::read(&name, &bytes, self.release))
        });
        self.units.borrow_mut().insert(path, unit.clone());
        unit
    }

    fn find(&self, include: &Include<'_>) -> Option<Arc<Unit>> {
        let beside = Path::new(include.from).parent();
        let first = include.name.split('/').next().unwrap_or_default();
        let having = self.entries.get(first).into_iter().flatten().copied();
        let folders = beside.into_iter().chain(having);
        let mut found = folders.map(|folder| folder.join(include.name));
        found
            .find_map(|path| self.unit(path))
            .or_else(|| include.lib.then(|| self.in_library(include.name)).flatten())
    }

    /// Looks up `stdlib/include/x.hrl` in the folder `stdlib-4.2`.
    fn in_library(&self, name: &str) -> Option<Arc<Unit>> {
        let (application, rest) = name.split_once('/')?;
        let is_its = |folder: &&Path| {
            let name = folder.file_name().and_then(|name| name.to_str());
            name.and_then(|name| name.rsplit_once('-'))
                .is_some_and(|(name, _)| name == application)
        };
        let mut applications = self.folders.iter().filter_map(|folder| folder.parent());
        self.unit(applications.find(is_its)?.join(rest))
    }
}

impl Includes for Headers<'_> {
    fn include(&self, include: &Include<'_>) -> Option<Arc<Unit>> {
        let (folder, _) = include.from.rsplit_once('/').unwrap_or_default();
        let key = (folder.to_owned(), include.name.to_owned(), include.lib);
        if let Some(known) = self.found.borrow().get(&key) {
            return known.clone();
        }
        let found = self.find(include);
        self.found.borrow_mut().insert(key, found.clone());
        found
    }
}

/// Returns the peak memory of this process, in KiB. Returns 0 if the system does not report it.
fn peak() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok())
        .unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_are_found_beside_in_folders_and_in_applications() {
        let libraries = erlang::libraries().expect("Erlang is installed");
        let sources = Sources::installed().expect("Erlang is installed");
        let headers = Headers::of(&sources.folders, Release(25));
        let from = libraries.join("m.erl");
        let from = from.to_str().expect("UTF-8");
        let found = |name, lib| headers.include(&Include { name, lib, from }).is_some();
        assert!(found("file.hrl", false));
        assert!(found("kernel/include/file.hrl", true));
        assert!(!found("kernel/include/file.hrl", false));
        assert!(!found("kernel/include/none.hrl", true));
    }
}
