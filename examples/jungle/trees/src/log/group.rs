//! A group of trees in a folder: its log, its snapshot, and how the one becomes the other.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use crate::error::Result;

use super::Log;
use super::files::{self, storage};
use super::replay::Trees;
use super::snapshot::{self, Written};

/// A group of trees in a folder.
pub(crate) struct Group {
    folder: PathBuf,
    number: usize,
    pub(crate) log: Arc<Log>,
    /// Held while a snapshot is made.
    generation: Mutex<u64>,
    /// How many bytes the snapshot has.
    snapshot: AtomicU64,
}

impl Group {
    /// Reads what the folder has of it.
    pub(crate) fn open(folder: &Path, number: usize) -> Result<(Self, Trees)> {
        let found = files::read(folder, number)?;
        let known = found.trees.0.keys().max().copied();
        let log = Log::new(found.log, known.unwrap_or(0)).map_err(storage(folder))?;
        let group = Group {
            folder: folder.to_owned(),
            number,
            log,
            generation: Mutex::new(found.generation),
            snapshot: AtomicU64::new(found.snapshot),
        };
        Ok((group, found.trees))
    }

    /// Whether a snapshot would make the files smaller: the log has grown by so many bytes, and by
    /// more than the snapshot. 0 bytes are always enough.
    pub(crate) fn has_grown(&self, least: u64) -> bool {
        least == 0 || self.log.length() >= least.max(self.snapshot.load(Ordering::Relaxed))
    }

    /// Begins another log, writes a snapshot of the trees, and removes the files before it.
    /// Whatever happens meanwhile, the older files, or the snapshot, and the logs after them have
    /// everything.
    ///
    /// `trees` has those that the log so far knows, and may have more.
    pub(crate) fn compact(&self, trees: impl FnOnce() -> Vec<Written>) -> Result<()> {
        let mut generation = self
            .generation
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let next = *generation + 1;
        let (folder, failed) = (&*self.folder, storage(&self.folder));
        let log = files::open_log(&files::log_path(folder, self.number, next));
        let log = log.map_err(&failed)?;
        files::sync_folder(folder).map_err(&failed)?;
        *generation = next;
        self.log.go_on_in(log)?;
        let unfinished = files::unfinished(folder, self.number);
        let written = snapshot::write(&unfinished, &trees()).and_then(|length| {
            fs::rename(&unfinished, files::snapshot_path(folder, self.number, next))?;
            files::sync_folder(folder)?;
            Ok(length)
        });
        let length = written.inspect_err(|_| drop(fs::remove_file(&unfinished)));
        self.snapshot
            .store(length.map_err(&failed)?, Ordering::Relaxed);
        files::remove_before(folder, self.number, next);
        Ok(())
    }
}
