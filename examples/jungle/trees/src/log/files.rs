//! The files of a group of trees in the folder, and reading them when the folder is opened.
//!
//! Snapshot `snapshot-2.5` has the state of group 2 at the beginning of generation 5, and `log-2.5`
//! the changes after it. The manifest lists the files that count. A file is added to the manifest
//! after it is on the disk, and is removed from the manifest before it is deleted. So it is an
//! error if a listed file is missing, empty, or shorter than the manifest says. A file that is not
//! listed was left by an interrupted compaction.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use jungle_disk::{Error as DiskError, Log as LogFile, Manifest};

use crate::error::{Error, Result};

use super::record::{self, Record};
use super::replay::Trees;

/// Name of the manifest of all groups.
pub(crate) const MANIFEST: &str = "trees.manifest";

/// Result of reading a group's files.
pub(crate) struct Found {
    pub(crate) trees: Trees,
    /// The newest log, and its generation.
    pub(crate) log: LogFile,
    pub(crate) generation: u64,
    /// Length of the snapshot in bytes.
    pub(crate) snapshot: u64,
}

/// The manifest of a folder, shared by its groups.
#[derive(Clone)]
pub(crate) struct Listed(Arc<Mutex<Manifest>>);

impl Listed {
    pub(crate) fn open(folder: &Path) -> Result<Self> {
        let manifest = Manifest::open(folder, MANIFEST, is_file_of_group)?;
        Ok(Listed(Arc::new(Mutex::new(manifest))))
    }

    pub(crate) fn files(&self) -> BTreeMap<String, u64> {
        self.lock().files().clone()
    }

    pub(crate) fn salt(&self, name: &str) -> Option<u64> {
        self.lock().salt(name)
    }

    pub(crate) fn set(&self, name: &str, bytes: u64) -> Result<()> {
        Ok(self.lock().set(name, bytes)?)
    }

    pub(crate) fn change(&self, change: impl FnOnce(&mut BTreeMap<String, u64>)) -> Result<()> {
        Ok(self.lock().change(change)?)
    }

    fn lock(&self) -> MutexGuard<'_, Manifest> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The kinds of a group's files.
#[derive(Clone, Copy)]
pub(crate) enum Kind {
    Log,
    Snapshot,
}

impl Kind {
    fn begin(self) -> &'static str {
        match self {
            Kind::Log => "log",
            Kind::Snapshot => "snapshot",
        }
    }

    /// Returns the prefix of the names of this group's files.
    pub(crate) fn prefix(self, group: usize) -> String {
        format!("{}-{group}.", self.begin())
    }

    pub(crate) fn name(self, group: usize, generation: u64) -> String {
        format!("{}{generation}", self.prefix(group))
    }

    /// Returns the generation of a file, if it has this kind and group.
    pub(crate) fn generation(self, group: usize, name: &str) -> Option<u64> {
        let generation = name.strip_prefix(&self.prefix(group))?;
        let generation = generation.parse().ok()?;
        (self.name(group, generation) == name).then_some(generation)
    }

    /// Returns the generation of a file of this group, whatever its kind.
    pub(crate) fn any_generation(group: usize, name: &str) -> Option<u64> {
        let log = Kind::Log.generation(group, name);
        log.or_else(|| Kind::Snapshot.generation(group, name))
    }
}

/// Returns whether a file of this name can contain trees, unlike cut-off bytes and unfinished
/// files.
pub(crate) fn is_file_of_group(name: &str) -> bool {
    let (kind, rest) = name.split_once('-').unwrap_or_default();
    let numbers = rest.split_once('.');
    let numbers = numbers.is_some_and(|(group, generation)| {
        group.parse::<usize>().is_ok() && generation.parse::<u64>().is_ok()
    });
    matches!(kind, "log" | "snapshot") && numbers
}

/// Reads the listed snapshot of a group, and all logs after it.
pub(crate) fn read(folder: &Path, group: usize, listed: &Listed) -> Result<Found> {
    let files = listed.files();
    let generations = |kind: Kind| -> BTreeSet<u64> {
        let all = files.keys();
        all.filter_map(|name| kind.generation(group, name))
            .collect()
    };
    // Nothing is removed before the listed files were read: with an older manifest, a file that it
    // does not list may be the only one that has the changes.
    let leftovers = leftovers(folder, group, &files)?;
    let logs = generations(Kind::Log);
    let Some(last) = logs.last().copied() else {
        remove(&leftovers)?;
        return create(folder, group, listed);
    };
    let begin = generations(Kind::Snapshot).last().copied();
    let (mut trees, snapshot) = match begin {
        Some(generation) => {
            let name = Kind::Snapshot.name(group, generation);
            read_snapshot(&folder.join(&name), listed.salt(&name))?
        }
        None => (Trees::default(), 0),
    };
    let mut newest = None;
    for generation in begin.unwrap_or(0)..=last {
        let name = Kind::Log.name(group, generation);
        let path = folder.join(&name);
        // All batches of a log except the last one were complete when the next log was created.
        let at_least = files.get(&name).copied();
        let at_least = at_least.ok_or_else(|| not_listed(&path))?;
        let (log, contents) = LogFile::open(&path, listed.salt(&name), at_least)?;
        for batch in contents.payloads() {
            replay(batch, &mut trees).ok_or_else(|| unreadable(&path))?;
        }
        newest = Some(log);
    }
    let log = newest.ok_or_else(|| not_listed(&folder.join(Kind::Log.name(group, last))))?;
    remove(&leftovers)?;
    Ok(Found {
        trees,
        log,
        generation: last,
        snapshot,
    })
}

/// Creates the first log of a group.
fn create(folder: &Path, group: usize, listed: &Listed) -> Result<Found> {
    let name = Kind::Log.name(group, 0);
    let log = LogFile::create(&folder.join(&name), listed.salt(&name))?;
    jungle_disk::sync_folder(folder)?;
    listed.set(&name, log.length())?;
    Ok(Found {
        trees: Trees::default(),
        log,
        generation: 0,
        snapshot: 0,
    })
}

fn not_listed(path: &Path) -> Error {
    DiskError::corrupt(path, "the manifest does not list this file").into()
}

fn unreadable(path: &Path) -> Error {
    let what = "a record is whole, but cannot follow the records before it";
    DiskError::corrupt(path, what).into()
}

/// Replays the records of a batch.
pub(crate) fn replay(mut batch: &[u8], trees: &mut Trees) -> Option<()> {
    while !batch.is_empty() {
        let (record, length) = record::read(batch)?;
        trees.replay(record)?;
        batch = &batch[length..];
    }
    Some(())
}

/// Reads a snapshot. Returns its trees and its length. `salt` is the number that the manifest has
/// for the file.
pub(crate) fn read_snapshot(path: &Path, salt: Option<u64>) -> Result<(Trees, u64)> {
    let bytes = fs::read(path).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => DiskError::corrupt(path, "the file is missing"),
        _ => DiskError::Io(path.to_owned(), error),
    })?;
    let mut rest = &bytes[..];
    let found = read_salt(&mut rest);
    if salt.is_some() && found.is_some() && found != salt {
        return Err(DiskError::corrupt(path, jungle_disk::OF_ANOTHER_FOLDER).into());
    }
    let trees = snapshot(rest).filter(|_| salt.is_none() || found == salt);
    let trees = trees.ok_or_else(|| DiskError::corrupt(path, "the snapshot is damaged"))?;
    Ok((trees, bytes.len() as u64))
}

/// Reads the number of the folder at the beginning of a snapshot. Snapshots of older versions have
/// none.
pub(crate) fn read_salt(bytes: &mut &[u8]) -> Option<u64> {
    let (record, length) = record::read(bytes)?;
    let Record::Folder(salt) = record else {
        return None;
    };
    *bytes = &bytes[length..];
    Some(salt)
}

fn snapshot(mut bytes: &[u8]) -> Option<Trees> {
    let mut trees = Trees::default();
    loop {
        let (record, length) = record::read(bytes)?;
        let is_end = matches!(record, Record::End(_));
        trees.replay(record)?;
        bytes = &bytes[length..];
        if is_end {
            return bytes.is_empty().then_some(trees);
        }
    }
}

/// Returns the remains of an interrupted compaction: an unfinished snapshot, files that were
/// replaced, and a log that was not used yet.
///
/// # Errors
/// `Corrupt` if a file of the group is not listed, and no compaction leaves it.
pub(crate) fn leftovers(
    folder: &Path,
    group: usize,
    files: &BTreeMap<String, u64>,
) -> Result<Vec<PathBuf>> {
    let newest = |kind: Kind| {
        let listed = files.keys();
        listed.filter_map(|name| kind.generation(group, name)).max()
    };
    let (snapshot, log) = (newest(Kind::Snapshot), newest(Kind::Log));
    let mut leftovers = Vec::new();
    for name in jungle_disk::names(folder)? {
        if files.contains_key(&name) {
            continue;
        }
        let path = folder.join(&name);
        if let Some(generation) = Kind::Snapshot.generation(group, &name) {
            // The log of its generation was listed before the snapshot got its name.
            if log.is_none_or(|log| generation > log) {
                return Err(not_listed(&path));
            }
            leftovers.push(path);
        } else if let Some(generation) = Kind::Log.generation(group, &name) {
            if snapshot.is_none_or(|snapshot| generation >= snapshot) {
                LogFile::expect_unused(&path)?;
            }
            leftovers.push(path);
        }
    }
    let unfinished = unfinished(folder, group);
    leftovers.extend(unfinished.exists().then_some(unfinished));
    Ok(leftovers)
}

fn remove(leftovers: &[PathBuf]) -> Result<()> {
    for path in leftovers {
        fs::remove_file(path).map_err(DiskError::io(path))?;
    }
    Ok(())
}

/// Returns the path of a snapshot that is being written.
pub(crate) fn unfinished(folder: &Path, group: usize) -> PathBuf {
    folder.join(format!("unfinished-{group}"))
}
