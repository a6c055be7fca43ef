//! A group of trees in a folder: its log, its snapshot, and compaction, which turns the one into
//! the other.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use jungle_disk::{Error as DiskError, Log as LogFile};

use crate::error::Result;

use super::Log;
use super::files::{self, Kind, Listed};
use super::replay::Trees;
use super::snapshot::{self, Written};

/// A group of trees in a folder.
pub(crate) struct Group {
    folder: PathBuf,
    number: usize,
    listed: Listed,
    pub(crate) log: Arc<Log>,
    /// The generation of the current log. Locked while a snapshot is made.
    generation: Mutex<u64>,
    /// Length of the snapshot in bytes.
    snapshot: AtomicU64,
}

impl Group {
    /// Reads the group's files in a folder.
    pub(crate) fn open(folder: &Path, number: usize, listed: &Listed) -> Result<(Self, Trees)> {
        let found = files::read(folder, number, listed)?;
        let log = Log::new(found.log, found.trees.last).map_err(DiskError::io(folder))?;
        let group = Group {
            folder: folder.to_owned(),
            number,
            listed: listed.clone(),
            log,
            generation: Mutex::new(found.generation),
            snapshot: AtomicU64::new(found.snapshot),
        };
        group.list_length()?;
        Ok((group, found.trees))
    }

    /// Writes the pending changes, refuses further ones, and records the log's final length in the
    /// manifest.
    pub(crate) fn close(&self) {
        self.log.close();
        if let Err(error) = self.list_length() {
            log::warn!("the manifest of trees keeps an older length: {error}");
        }
    }

    /// Records the log's present length in the manifest: a shorter log counts as damaged after
    /// this.
    fn list_length(&self) -> Result<()> {
        let generation = *self.lock();
        let name = Kind::Log.name(self.number, generation);
        let length = self.log.length();
        self.listed.change(|files| {
            if let Some(listed) = files.get_mut(&name) {
                *listed = length.max(*listed);
            }
        })
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, u64> {
        let generation = self.generation.lock();
        generation.unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns whether a snapshot would make the files smaller: the log has grown by at least
    /// `least` bytes, and by more than the snapshot. If `least` is 0, the answer is always yes.
    pub(crate) fn has_grown(&self, least: u64) -> bool {
        least == 0 || self.log.length() >= least.max(self.snapshot.load(Ordering::Relaxed))
    }

    /// Starts a new log, writes a snapshot of the trees, and removes the older files. At every
    /// moment, the listed files together have all changes.
    ///
    /// `trees` returns at least the trees that the log knew until then, without those that were
    /// deleted.
    pub(crate) fn compact(&self, trees: impl FnOnce() -> Vec<Written>) -> Result<()> {
        let mut generation = self.lock();
        let next = *generation + 1;
        let before = Kind::Log.name(self.number, *generation);
        let log = self.create_log(next)?;
        let length = self.log.go_on_in(log);
        let length = length.inspect_err(|_| self.forget_log(next))?;
        *generation = next;
        self.listed.set(&before, length)?;
        let trees = trees();
        // Read after the trees: a tree that is missing there is listed here.
        let mut gone = self.log.deleted();
        gone.retain(|gone| trees.iter().all(|written| written.tree != *gone));
        let length = self.write_snapshot(next, &trees, &gone)?;
        self.snapshot.store(length, Ordering::Relaxed);
        self.replace_listed(next, length)
    }

    /// Creates a log, and returns after the manifest lists it.
    fn create_log(&self, generation: u64) -> Result<LogFile> {
        let name = Kind::Log.name(self.number, generation);
        let path = self.folder.join(&name);
        let log = LogFile::create(&path, self.listed.salt(&name))?;
        let length = log.length();
        let listed = jungle_disk::sync_folder(&self.folder).map_err(Into::into);
        let listed = listed.and_then(|()| self.listed.set(&name, length));
        listed.inspect_err(|_| drop(fs::remove_file(&path)))?;
        Ok(log)
    }

    /// Removes a log that was created but could not be used.
    fn forget_log(&self, generation: u64) {
        let name = Kind::Log.name(self.number, generation);
        let path = self.folder.join(&name);
        let forgotten = self.listed.change(|files| {
            files.remove(&name);
        });
        if forgotten.is_ok() {
            let _ = fs::remove_file(path);
        }
    }

    fn write_snapshot(&self, generation: u64, trees: &[Written], gone: &[u64]) -> Result<u64> {
        let unfinished = files::unfinished(&self.folder, self.number);
        let name = Kind::Snapshot.name(self.number, generation);
        let path = self.folder.join(&name);
        let salt = self.listed.salt(&name);
        let written = snapshot::write((&unfinished, &path), salt, trees, gone);
        let length = written.map_err(DiskError::io(&path))?;
        jungle_disk::sync_folder(&self.folder)?;
        Ok(length)
    }

    /// Lists a snapshot and the log after it in the manifest instead of the older files, which are
    /// not needed any more. A file that cannot be removed now is removed when the folder is opened
    /// again.
    fn replace_listed(&self, generation: u64, length: u64) -> Result<()> {
        let snapshot = Kind::Snapshot.name(self.number, generation);
        let log = Kind::Log.name(self.number, generation);
        let begins = [Kind::Log, Kind::Snapshot].map(|kind| kind.prefix(self.number));
        let mut replaced = Vec::new();
        self.listed.change(|files| {
            files.retain(|name, _| {
                let stays = *name == log || !begins.iter().any(|begin| name.starts_with(begin));
                if !stays {
                    replaced.push(name.clone());
                }
                stays
            });
            files.insert(snapshot, length);
        })?;
        for name in replaced {
            let _ = fs::remove_file(self.folder.join(name));
        }
        Ok(())
    }
}
