//! The files of a group in the folder, and what is found in them.
//!
//! `log-2.5` is the log of group 2 from its snapshot `snapshot-2.5` on. A snapshot gets its name
//! when all of it is on the disk, and only then the files before it are removed.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use crate::error::{Error, Result};

use super::record;
use super::record::Record;
use super::replay::Trees;

/// What was found.
pub(crate) struct Found {
    pub(crate) trees: Trees,
    /// The newest log, and its generation.
    pub(crate) log: File,
    pub(crate) generation: u64,
    /// How many bytes the snapshot has.
    pub(crate) snapshot: u64,
}

pub(crate) fn log_path(folder: &Path, group: usize, generation: u64) -> PathBuf {
    folder.join(format!("log-{group}.{generation}"))
}

pub(crate) fn snapshot_path(folder: &Path, group: usize, generation: u64) -> PathBuf {
    folder.join(format!("snapshot-{group}.{generation}"))
}

pub(crate) fn storage(path: &Path) -> impl Fn(io::Error) -> Error {
    move |error| Error::Storage(format!("{}: {error}", path.display()))
}

/// The names of new files are on the disk, too.
pub(crate) fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder).and_then(|folder| folder.sync_all())
}

/// A new log, or the end of one.
pub(crate) fn open_log(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    options.read(true).append(true).create(true).open(path)
}

/// The generations that have a file whose name begins so.
fn generations(folder: &Path, begin: &str) -> io::Result<BTreeSet<u64>> {
    let mut found = BTreeSet::new();
    for entry in fs::read_dir(folder)? {
        let name = entry?.file_name();
        let number = name.to_str().and_then(|name| name.strip_prefix(begin));
        found.extend(number.and_then(|number| number.parse::<u64>().ok()));
    }
    Ok(found)
}

/// Reads the newest good snapshot and the logs from there on.
pub(crate) fn read(folder: &Path, group: usize) -> Result<Found> {
    let failed = storage(folder);
    let logs = generations(folder, &format!("log-{group}.")).map_err(&failed)?;
    let snapshots = generations(folder, &format!("snapshot-{group}.")).map_err(&failed)?;
    let (begin, mut trees, snapshot) = newest(folder, group, &snapshots)?;
    let last = logs.last().copied().unwrap_or(begin);
    let mut rest = begin..=last;
    let is_new = logs.is_empty() && snapshots.is_empty();
    if !is_new && !rest.clone().all(|generation| logs.contains(&generation)) {
        let missing = log_path(folder, group, begin);
        return Err(Error::Corrupt(format!(
            "{} or one after it",
            missing.display()
        )));
    }
    let mut generation = begin;
    for number in rest.by_ref() {
        generation = number;
        if replay(&log_path(folder, group, number), &mut trees)? {
            break;
        }
    }
    // Nothing can follow a log that was cut.
    for number in rest {
        let path = log_path(folder, group, number);
        let aside = path.with_extension(format!("{number}.after-cut"));
        fs::rename(&path, &aside).map_err(&failed)?;
        eprintln!(
            "{}: it follows a log that was cut, and is not read",
            path.display()
        );
    }
    remove_before(folder, group, begin);
    let path = log_path(folder, group, generation);
    Ok(Found {
        trees,
        log: open_log(&path).map_err(storage(&path))?,
        generation,
        snapshot,
    })
}

/// The newest good snapshot: its generation, its trees, its length.
fn newest(folder: &Path, group: usize, all: &BTreeSet<u64>) -> Result<(u64, Trees, u64)> {
    for generation in all.iter().rev() {
        let path = snapshot_path(folder, group, *generation);
        let bytes = fs::read(&path).map_err(storage(&path))?;
        match snapshot(&bytes) {
            Some(trees) => return Ok((*generation, trees, bytes.len() as u64)),
            None => eprintln!("{}: the snapshot is damaged", path.display()),
        }
    }
    Ok((0, Trees::default(), 0))
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

/// Replays a log, and cuts off what is behind its last whole record. What was cut is kept in a file
/// beside it. Returns whether something was cut.
fn replay(path: &Path, trees: &mut Trees) -> Result<bool> {
    let failed = storage(path);
    let mut file = open_log(path).map_err(&failed)?;
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes).map_err(&failed)?;
    let mut rest = &bytes[..];
    while let Some((record, length)) = record::read(rest) {
        let replayed = trees.replay(record);
        replayed.ok_or_else(|| Error::Corrupt(path.display().to_string()))?;
        rest = &rest[length..];
    }
    if rest.is_empty() {
        return Ok(false);
    }
    let whole = (bytes.len() - rest.len()) as u64;
    let aside = PathBuf::from(format!("{}.cut-{whole}", path.display()));
    let cut = fs::write(aside, rest).and_then(|()| file.set_len(whole));
    cut.and_then(|()| file.sync_all()).map_err(&failed)?;
    eprintln!(
        "{}: {} bytes of an incomplete record were cut off at byte {whole}",
        path.display(),
        rest.len()
    );
    Ok(true)
}

/// Removes what a snapshot has made needless, and what is left of one that was not finished. What
/// cannot be removed is tried again the next time.
pub(crate) fn remove_before(folder: &Path, group: usize, generation: u64) {
    for begin in ["log", "snapshot"] {
        let found = generations(folder, &format!("{begin}-{group}."));
        for number in found.unwrap_or_default().range(..generation) {
            let _ = fs::remove_file(folder.join(format!("{begin}-{group}.{number}")));
        }
    }
    let _ = fs::remove_file(unfinished(folder, group));
}

/// A snapshot that is being written.
pub(crate) fn unfinished(folder: &Path, group: usize) -> PathBuf {
    folder.join(format!("unfinished-{group}"))
}
