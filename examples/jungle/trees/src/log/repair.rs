//! Checking and repairing a folder that cannot be opened, for operators.
//!
//! A repair reads everything that it can, also after damaged bytes, and writes it as new snapshots.
//! If a node is lost, later changes of that node are lost as well. The old files are kept in a
//! folder beside the new ones.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use jungle_disk::{Ending, Error as DiskError, Finding, Lock, Log as LogFile, Manifest};

use crate::error::Result;
use crate::jungle::LOGS;
use crate::tree::Newest;

use super::files::{self, Kind, MANIFEST};
use super::record::{self, Record};
use super::replay::Trees;
use super::snapshot::{self, Written};

/// The readable content of a folder.
#[derive(Debug, Default)]
pub struct Report {
    /// The defects, in the order of the files.
    pub findings: Vec<Finding>,
    /// The trees that can be read, with the numbers of their versions.
    pub trees: Vec<(String, u64)>,
    /// The folder with the old files after a repair.
    pub kept: Option<PathBuf>,
}

/// Checks a folder without changing it.
///
/// # Errors
/// `Storage`, also if a database has the folder open.
pub fn check(folder: &Path) -> Result<Report> {
    let _lock = Lock::take_existing(folder, "lock")?;
    Ok(Reading::of(folder)?.report)
}

/// Writes everything that can be read of a folder to new files. A folder without damage stays as it
/// is.
///
/// # Errors
/// `Storage`, also if a database has the folder open. The old files stay in place.
pub fn repair(folder: &Path) -> Result<Report> {
    let _lock = Lock::take_existing(folder, "lock")?;
    let Reading { groups, mut report } = Reading::of(folder)?;
    if report.findings.is_empty() {
        return Ok(report);
    }
    let names = jungle_disk::names(folder)?;
    let is_before = |name: &&String| files::is_file_of_group(name) || *name == MANIFEST;
    let before: Vec<String> = names.iter().filter(is_before).cloned().collect();
    let kept = jungle_disk::keep_all(folder, &before)?;
    let mut manifest = Manifest::new(folder.join(MANIFEST));
    let mut listed = Vec::new();
    for (group, trees) in groups.into_iter().enumerate() {
        let all = names.iter();
        let next = all
            .filter_map(|name| Kind::any_generation(group, name))
            .max();
        let next = next.map_or(0, |newest| newest + 1);
        listed.extend(write_group(folder, group, next, (trees, &manifest))?);
    }
    jungle_disk::sync_folder(folder)?;
    manifest.change(|files| files.extend(listed.iter().cloned()))?;
    for name in before.iter().filter(|name| *name != MANIFEST) {
        let _ = fs::remove_file(folder.join(name));
    }
    report.kept = Some(kept);
    Ok(report)
}

/// Writes a snapshot and a log after it. Returns their entries for the manifest.
fn write_group(
    folder: &Path,
    group: usize,
    generation: u64,
    (trees, manifest): (Trees, &Manifest),
) -> Result<[(String, u64); 2]> {
    let numbered = trees.all.into_iter();
    let written: Vec<Written> = numbered
        .map(|(tree, replayed)| Written {
            tree,
            name: replayed.name,
            newest: Newest {
                version: Arc::new(replayed.version),
                names: replayed.names,
            },
        })
        .collect();
    let name = Kind::Snapshot.name(group, generation);
    let path = folder.join(&name);
    let unfinished = files::unfinished(folder, group);
    let length = snapshot::write((&unfinished, &path), manifest.salt(&name), &written, &[])
        .map_err(DiskError::io(&path))?;
    let log = Kind::Log.name(group, generation);
    let created = LogFile::create(&folder.join(&log), manifest.salt(&log))?;
    Ok([(name, length), (log, created.length())])
}

/// Everything that was read, while reading continues.
struct Reading {
    groups: Vec<Trees>,
    report: Report,
}

impl Reading {
    fn of(folder: &Path) -> Result<Self> {
        let mut reading = Reading {
            groups: Vec::new(),
            report: Report::default(),
        };
        let names = jungle_disk::names(folder)?;
        let manifest = reading.manifest(folder)?;
        let listed = manifest.iter().flat_map(|it| it.files().keys().cloned());
        let names: BTreeSet<String> = names.into_iter().chain(listed).collect();
        let mut known = BTreeSet::new();
        for group in 0..LOGS {
            let mut trees = reading.group(folder, group, &names, manifest.as_ref());
            for (number, tree) in &mut trees.all {
                // A tree whose name is lost got a made-up one, which may collide with that of
                // another group's tree.
                while !known.insert(tree.name.clone()) {
                    tree.name = format!("{} (group {group}, {number})", tree.name);
                }
                let found = (tree.name.clone(), tree.version.number);
                reading.report.trees.push(found);
            }
            reading.groups.push(trees);
        }
        Ok(reading)
    }

    fn found(&mut self, file: &str, what: impl Into<String>) {
        let (file, what) = (file.to_owned(), what.into());
        self.report.findings.push(Finding { file, what });
    }

    /// Reads the manifest. Returns `None` if it is of no use: then all files that exist are read.
    fn manifest(&mut self, folder: &Path) -> Result<Option<Manifest>> {
        if !folder.join(MANIFEST).exists() {
            let names = jungle_disk::names(folder)?;
            if names.iter().any(|name| files::is_file_of_group(name)) {
                self.found_manifest("the file is missing");
            }
            return Ok(None);
        }
        let manifest = match Manifest::open(folder, MANIFEST, |_| false) {
            Ok(manifest) => manifest,
            Err(DiskError::Corrupt(_, what)) => {
                self.found_manifest(&what);
                return Ok(None);
            }
            Err(error) => return Err(error.into()),
        };
        let listed = manifest.files();
        let unlisted = (0..LOGS).find_map(|group| files::leftovers(folder, group, listed).err());
        if let Some(unlisted) = unlisted {
            self.found_manifest(&unlisted.to_string());
            return Ok(None);
        }
        let logs = listed.keys().filter_map(|name| {
            let (salt, _) = LogFile::read(&folder.join(name)).ok()?;
            Some(manifest.salt(name).is_none_or(|own| own == salt))
        });
        let logs: Vec<bool> = logs.collect();
        if !logs.is_empty() && !logs.contains(&true) {
            self.found_manifest(jungle_disk::OF_ANOTHER_FOLDER);
            return Ok(None);
        }
        Ok(Some(manifest))
    }

    fn found_manifest(&mut self, what: &str) {
        self.found(MANIFEST, format!("{what}: all logs that exist are read"));
    }

    fn group(
        &mut self,
        folder: &Path,
        group: usize,
        names: &BTreeSet<String>,
        manifest: Option<&Manifest>,
    ) -> Trees {
        let listed = |name: &str| manifest.and_then(|it| it.files().get(name).copied());
        let salt = |name: &str| manifest.and_then(|it| it.salt(name));
        let generations = |kind: Kind| -> BTreeSet<u64> {
            let all = names.iter();
            // A snapshot that is not listed may be unfinished.
            let all = all.filter(|name| manifest.is_none() || listed(name).is_some());
            all.filter_map(|name| kind.generation(group, name))
                .collect()
        };
        let mut trees = Trees::default();
        // If there is no manifest, an older snapshot may be the one that can be read.
        let snapshots = generations(Kind::Snapshot);
        let is_whole = |generation: &&u64| {
            let name = Kind::Snapshot.name(group, **generation);
            files::read_snapshot(&folder.join(name), None).is_ok()
        };
        let whole = snapshots.iter().rev().find(is_whole);
        let snapshot = whole.or(snapshots.last()).copied();
        if let Some(generation) = snapshot {
            let name = Kind::Snapshot.name(group, generation);
            self.snapshot(folder, &name, salt(&name), &mut trees);
        }
        for generation in generations(Kind::Log).range(snapshot.unwrap_or(0)..) {
            let name = Kind::Log.name(group, *generation);
            let at_least = listed(&name).unwrap_or(0);
            self.log(folder, &name, salt(&name), at_least, &mut trees);
        }
        trees
    }

    fn snapshot(&mut self, folder: &Path, name: &str, salt: Option<u64>, trees: &mut Trees) {
        let Ok(bytes) = fs::read(folder.join(name)) else {
            return self.found(name, "the file is missing or cannot be read");
        };
        let (mut rest, mut has_end) = (&bytes[..], false);
        let found = files::read_salt(&mut rest);
        if salt.is_some() && found.is_some() && found != salt {
            return self.found_foreign(name);
        }
        while let Some((record, length)) = record::read(rest) {
            has_end = matches!(record, Record::End(_));
            trees.salvage(record);
            rest = &rest[length..];
        }
        if !rest.is_empty() || !has_end {
            let at = bytes.len() - rest.len();
            self.found(
                name,
                format!("damaged at byte {at}: what follows is skipped"),
            );
        }
    }

    fn found_foreign(&mut self, name: &str) {
        let what = format!("{}, and is skipped", jungle_disk::OF_ANOTHER_FOLDER);
        self.found(name, what);
    }

    fn log(
        &mut self,
        folder: &Path,
        name: &str,
        salt: Option<u64>,
        at_least: u64,
        trees: &mut Trees,
    ) {
        let contents = match LogFile::read(&folder.join(name)) {
            Ok((found, _)) if salt.is_some_and(|salt| salt != found) => {
                return self.found_foreign(name);
            }
            Ok((_, contents)) => contents,
            Err(DiskError::Corrupt(_, what)) => return self.found(name, what),
            Err(error) => return self.found(name, error.to_string()),
        };
        let mut incomplete = 0;
        for mut batch in contents.payloads() {
            while let Some((record, length)) = record::read(batch) {
                incomplete += usize::from(!trees.salvage(record));
                batch = &batch[length..];
            }
        }
        let whole = contents
            .batches
            .payloads
            .last()
            .map_or(0, |last| last.end as u64);
        match contents.batches.ending {
            Ending::Damaged(at) => {
                self.found(
                    name,
                    format!("damaged at byte {at}: batches that follow it are used"),
                );
            }
            // Opening the folder would cut off the rest as well.
            Ending::Torn(_) | Ending::Whole if whole.max(contents.begin as u64) < at_least => {
                let what = format!("{whole} bytes can be read, and {at_least} were on the disk");
                self.found(name, what);
            }
            Ending::Torn(_) | Ending::Whole => {}
        }
        if incomplete > 0 {
            let what = format!("{incomplete} changes follow changes that are lost");
            self.found(name, what);
        }
    }
}
