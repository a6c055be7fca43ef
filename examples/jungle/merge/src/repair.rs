//! Checking and repairing a log of replicas that cannot be opened.
//!
//! A repair keeps everything that can be read, also after damaged bytes. The repaired log continues
//! as a new replica, because other nodes may have edits of the old one that are lost here. They
//! send those edits when they connect.

use std::path::{Path, PathBuf};

use jungle_disk::{
    Contents, Ending, Error, Finding, Lock, Log, Manifest, OF_ANOTHER_FOLDER, Result,
};

use crate::replica::Replica;
use crate::store::{self, LOG, MANIFEST, Replicas};

/// The readable content of a log of replicas.
#[derive(Debug, Default)]
pub struct Report {
    /// The defects.
    pub findings: Vec<Finding>,
    /// The names of the trees that can be read.
    pub trees: Vec<String>,
    /// The folder with the old files after a repair.
    pub kept: Option<PathBuf>,
}

/// Checks a folder without changing it.
///
/// # Errors
/// An error of the disk, or another program has the folder open.
pub fn check(folder: &Path) -> Result<Report> {
    let _lock = Lock::take_existing(folder, store::LOCK)?;
    Ok(read(folder)?.1)
}

/// Writes everything that can be read to a new log. A log without damage stays as it is.
///
/// # Errors
/// An error of the disk, or another program has the folder open. The old log stays in place.
pub fn repair(folder: &Path) -> Result<Report> {
    let _lock = Lock::take_existing(folder, store::LOCK)?;
    let (trees, mut report) = read(folder)?;
    if report.findings.is_empty() {
        return Ok(report);
    }
    let before = [LOG, MANIFEST].map(str::to_owned);
    report.kept = Some(jungle_disk::keep_all(folder, &before)?);
    let mut manifest = Manifest::new(folder.join(MANIFEST));
    store::write_anew(folder, store::new_id(), &trees, &mut manifest)?;
    jungle_disk::sync_folder(folder)?;
    Ok(report)
}

fn read(folder: &Path) -> Result<(Replicas, Report)> {
    let (mut trees, mut report) = (Replicas::new(), Report::default());
    let Some((at_least, salt)) = listed(folder, &mut report)? else {
        return Ok((trees, report));
    };
    let contents = match Log::read(&folder.join(LOG)) {
        Ok((found, contents)) => {
            if salt.is_some_and(|salt| salt != found) {
                report.found(LOG, OF_ANOTHER_FOLDER);
            }
            contents
        }
        Err(Error::Corrupt(_, what)) => {
            report.found(LOG, what);
            return Ok((trees, report));
        }
        Err(error) => return Err(error),
    };
    let (mut id, mut skipped) = (None, 0);
    for batch in contents.payloads() {
        for payload in store::records(batch) {
            let replayed = store::replay_record(payload, &mut id, &mut trees);
            skipped += usize::from(replayed.is_none());
        }
    }
    report.judge(&contents, at_least);
    if skipped > 0 {
        let what = format!("{skipped} records follow records that are lost, and are skipped");
        report.found(LOG, what);
    }
    report.trees = trees.keys().cloned().collect();
    trees
        .values_mut()
        .for_each(|tree: &mut Replica| tree.renumber(0));
    Ok((trees, report))
}

/// Returns the minimum length of the log in bytes, and its number in this folder. `None` if there
/// has never been a log.
fn listed(folder: &Path, report: &mut Report) -> Result<Option<(u64, Option<u64>)>> {
    match Manifest::open(folder, MANIFEST, |name| name == LOG) {
        Ok(manifest) => {
            let at_least = manifest.files().get(LOG).copied();
            Ok(at_least.map(|at_least| (at_least, manifest.salt(LOG))))
        }
        Err(Error::Corrupt(_, what)) => {
            report.found(MANIFEST, what);
            Ok(Some((0, None)))
        }
        Err(error) => Err(error),
    }
}

impl Report {
    fn judge(&mut self, contents: &Contents, at_least: u64) {
        let whole = contents.batches.payloads.last();
        let whole = whole.map_or(contents.begin, |last| last.end) as u64;
        match contents.batches.ending {
            Ending::Damaged(at) => {
                let what = format!("damaged at byte {at}: batches that follow it are used");
                self.found(LOG, what);
            }
            Ending::Torn(_) | Ending::Whole if whole < at_least => {
                let what = format!("{whole} bytes can be read, and {at_least} were on the disk");
                self.found(LOG, what);
            }
            Ending::Torn(_) | Ending::Whole => {}
        }
    }

    fn found(&mut self, file: &str, what: impl Into<String>) {
        let (file, what) = (file.to_owned(), what.into());
        self.findings.push(Finding { file, what });
    }
}
