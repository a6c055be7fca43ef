//! A folder with missing, outdated or damaged files is not opened, and can be repaired.

mod common;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use common::Folder;
use jungle::error::{Error, Result};
use jungle::jungle::Jungle;
use jungle::log::repair;
use jungle_merge::store::{Record, Store};
use jungle_merge::{ROOT, Replica, Request, Where};
use otp_bridge_novm as _;

/// Number of trees, enough for each group to have some.
const TREES: u64 = 24;

fn name(tree: u64) -> String {
    format!("tree {tree}")
}

/// Makes this many changes of each tree.
fn edit(jungle: &Jungle, changes: u64) {
    for tree in 0..TREES {
        let _is_there = jungle.create_tree(&name(tree));
        for _ in 0..changes {
            let edited = jungle.update_root_node_with(&name(tree), |root| root.add_child_at(&[]));
            edited.unwrap();
        }
    }
}

/// Returns how many nodes each tree has.
fn sizes(folder: &Path) -> Result<BTreeMap<String, u64>> {
    let jungle = Jungle::open(folder)?;
    let names = jungle.trees().into_iter();
    let sizes = names.map(|name| {
        let size = jungle.get_root_node(&name).unwrap().size();
        (name, size)
    });
    Ok(sizes.collect())
}

fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let entries = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let files = entries.filter(|path| path.is_file());
    files
        .map(|path| (path.clone(), fs::read(path).unwrap()))
        .collect()
}

fn put_back(folder: &Path, files: &BTreeMap<PathBuf, Vec<u8>>) {
    fs::remove_dir_all(folder).unwrap();
    fs::create_dir_all(folder).unwrap();
    for (path, bytes) in files {
        fs::write(path, bytes).unwrap();
    }
}

/// Opens the folder, and returns the error text after checking that it names the file.
fn corrupt(folder: &Path, path: &Path) -> String {
    let Err(Error::Corrupt(why)) = sizes(folder) else {
        panic!("the folder was opened without {}", path.display());
    };
    let name = path.file_name().unwrap().to_string_lossy().into_owned();
    assert!(why.contains(&name), "{why} does not name {name}");
    why
}

fn is_of_trees(path: &Path) -> bool {
    let name = path.file_name().unwrap().to_string_lossy();
    name != "lock" && !name.starts_with("replicas")
}

#[test]
fn a_missing_or_empty_file_is_an_error_that_names_it() {
    for compacts in [false, true] {
        let folder = Folder::new(&format!("missing-{compacts}"));
        let jungle = Jungle::open(&folder.0).unwrap();
        edit(&jungle, 2);
        if compacts {
            assert_eq!(jungle.compact(0), Ok(4));
            edit(&jungle, 1);
        }
        drop(jungle);
        let whole = files(&folder.0);
        let all = sizes(&folder.0).unwrap();
        for path in whole.keys().filter(|path| is_of_trees(path)) {
            fs::remove_file(path).unwrap();
            corrupt(&folder.0, path);
            put_back(&folder.0, &whole);
            fs::write(path, b"").unwrap();
            corrupt(&folder.0, path);
            put_back(&folder.0, &whole);
            assert_eq!(sizes(&folder.0).unwrap(), all);
        }
    }
}

#[test]
fn a_file_that_is_older_than_the_manifest_is_an_error() {
    let folder = Folder::new("older");
    let jungle = Jungle::open(&folder.0).unwrap();
    edit(&jungle, 2);
    drop(jungle);
    let before = files(&folder.0);
    let jungle = Jungle::open(&folder.0).unwrap();
    edit(&jungle, 2);
    drop(jungle);
    let after = files(&folder.0);
    for (path, bytes) in before.iter().filter(|(path, _)| is_of_trees(path)) {
        if bytes.len() == after[path].len() {
            continue;
        }
        fs::write(path, bytes).unwrap();
        if path.ends_with("trees.manifest") {
            // The manifest requires less than the file has.
            assert_eq!(sizes(&folder.0).unwrap()[&name(0)], 5);
        } else {
            let why = corrupt(&folder.0, path);
            assert!(why.contains("had"), "{why}");
        }
        put_back(&folder.0, &after);
    }
}

#[test]
fn a_manifest_from_before_a_snapshot_is_an_error_that_removes_nothing() {
    let folder = Folder::new("old-manifest");
    let manifest = folder.0.join("trees.manifest");
    let jungle = Jungle::open(&folder.0).unwrap();
    let empty = fs::read(&manifest).unwrap();
    edit(&jungle, 2);
    jungle.compact(0).unwrap();
    let first = fs::read(&manifest).unwrap();
    edit(&jungle, 1);
    jungle.compact(0).unwrap();
    edit(&jungle, 1);
    let all = sizes_of(&jungle);
    drop(jungle);
    let whole = files(&folder.0);
    for (older, snapshots_only) in [(&empty, false), (&first, false), (&first, true)] {
        put_back(&folder.0, &whole);
        fs::write(&manifest, older).unwrap();
        if snapshots_only {
            // A repair that was killed has the new snapshot of each group only.
            (0..4).for_each(|group| fs::remove_file(log(&folder.0, group, 2)).unwrap());
        }
        let before = files(&folder.0);
        let Err(Error::Corrupt(why)) = sizes(&folder.0) else {
            panic!("the folder was opened with an older manifest");
        };
        assert!(why.contains("manifest does not list"), "{why}");
        assert_eq!(files(&folder.0), before, "nothing is removed");
        let report = repair::repair(&folder.0).unwrap();
        assert!(report.findings.iter().any(|it| it.file == "trees.manifest"));
        let found = sizes(&folder.0).unwrap();
        assert_eq!(found.len(), all.len());
        let lost = all.values().sum::<u64>() - found.values().sum::<u64>();
        assert_eq!(lost, if snapshots_only { TREES } else { 0 });
    }
}

fn log(folder: &Path, group: usize, generation: u64) -> PathBuf {
    folder.join(format!("log-{group}.{generation}"))
}

#[test]
fn a_damaged_snapshot_without_a_manifest_does_not_hide_an_older_one() {
    let folder = Folder::new("two-snapshots");
    let jungle = Jungle::open(&folder.0).unwrap();
    edit(&jungle, 2);
    jungle.compact(0).unwrap();
    let all = sizes_of(&jungle);
    drop(jungle);
    fs::remove_file(folder.0.join("trees.manifest")).unwrap();
    for group in 0..4 {
        fs::write(folder.0.join(format!("snapshot-{group}.2")), b"cut").unwrap();
    }
    repair::repair(&folder.0).unwrap();
    assert_eq!(sizes(&folder.0).unwrap(), all);
}

#[test]
fn a_folder_that_does_not_exist_is_not_a_folder_without_findings() {
    let folder = Folder::new("mistyped");
    assert!(matches!(repair::check(&folder.0), Err(Error::Storage(_))));
    assert!(matches!(repair::repair(&folder.0), Err(Error::Storage(_))));
    assert!(jungle_merge::repair::check(&folder.0).is_err());
    assert!(!folder.0.exists());
}

#[test]
fn files_of_another_folder_are_not_taken() {
    let (one, other) = (Folder::new("one"), Folder::new("other"));
    for folder in [&one, &other] {
        edit(&Jungle::open(&folder.0).unwrap(), 2);
    }
    let path = one.0.join("log-0.0");
    fs::copy(one.0.join("log-1.0"), &path).unwrap();
    let why = corrupt(&one.0, &path);
    assert!(why.contains("name"), "{why}");
    fs::copy(other.0.join("log-0.0"), &path).unwrap();
    let why = corrupt(&one.0, &path);
    assert!(why.contains("another folder"), "{why}");
    let report = repair::check(&one.0).unwrap();
    let found = &report.findings[0];
    assert_eq!(
        (&*found.file, found.what.contains("another folder")),
        ("log-0.0", true)
    );
    for folder in [&one, &other] {
        repair::repair(&folder.0).unwrap();
        Jungle::open(&folder.0).unwrap().compact(0).unwrap();
    }
    let path = newest_snapshot(&one.0);
    fs::copy(newest_snapshot(&other.0), &path).unwrap();
    let why = corrupt(&one.0, &path);
    assert!(
        why.contains("another folder") || why.contains("damaged"),
        "{why}"
    );
    assert!(!repair::check(&one.0).unwrap().findings.is_empty());
}

/// Returns the newest snapshot of the first group.
fn newest_snapshot(folder: &Path) -> PathBuf {
    let names = (0..9).map(|generation| folder.join(format!("snapshot-0.{generation}")));
    names.rev().find(|path| path.exists()).unwrap()
}

/// Returns the byte range of each batch's payload in a log.
fn batches(path: &Path) -> Vec<std::ops::Range<usize>> {
    let (_, contents) = jungle_disk::Log::read(path).unwrap();
    contents.batches.payloads
}

#[test]
fn a_flipped_bit_in_the_middle_is_an_error_and_a_repair_loses_that_change_alone() {
    let folder = Folder::new("flipped");
    let jungle = Jungle::open(&folder.0).unwrap();
    edit(&jungle, 6);
    // As after a kill: the manifest does not have the last length yet.
    let whole = files(&folder.0);
    let all = sizes_of(&jungle);
    drop(jungle);
    let path = folder.0.join("log-0.0");
    let batches = batches(&path);
    assert!(batches.len() > 12);
    for (number, batch) in batches.iter().enumerate() {
        for at in [
            batch.start - 16,
            batch.start - 1,
            batch.start,
            batch.end - 1,
        ] {
            put_back(&folder.0, &whole);
            let mut bytes = whole[&path].clone();
            bytes[at] ^= 0x08;
            fs::write(&path, &bytes).unwrap();
            if number + 1 == batches.len() {
                // No batch follows, so the writer had not acknowledged the batch.
                let cut = sizes(&folder.0).unwrap();
                assert_eq!(cut.values().sum::<u64>() + 1, all.values().sum());
                continue;
            }
            let why = corrupt(&folder.0, &path);
            assert!(why.contains("damaged"), "{why}");
            assert_eq!(fs::read(&path).unwrap(), bytes, "nothing was changed");
            let checked = repair::check(&folder.0).unwrap();
            assert!(checked.findings.iter().any(|found| found.file == "log-0.0"));
            assert_eq!(fs::read(&path).unwrap(), bytes, "nothing was changed");
            let repaired = repair::repair(&folder.0).unwrap();
            assert_eq!(repaired.findings, checked.findings);
            let kept = repaired.kept.unwrap().join("log-0.0");
            assert_eq!(fs::read(kept).unwrap(), bytes);
            let found = sizes(&folder.0).unwrap();
            assert!(found.values().sum::<u64>() + 1 >= all.values().sum::<u64>());
            assert_eq!(found.len(), all.len());
            let again = repair::repair(&folder.0).unwrap();
            assert_eq!((again.findings, again.kept), (vec![], None));
        }
    }
}

fn sizes_of(jungle: &Jungle) -> BTreeMap<String, u64> {
    let names = jungle.trees().into_iter();
    let sizes = names.map(|name| {
        let size = jungle.get_root_node(&name).unwrap().size();
        (name, size)
    });
    sizes.collect()
}

#[test]
fn a_value_that_looks_like_a_log_is_not_taken_for_one() {
    let folder = Folder::new("looks");
    let jungle = Jungle::open(&folder.0).unwrap();
    jungle.create_tree("a").unwrap();
    jungle
        .update_root_node_with("a", |root| root.add_child_at(&[]))
        .unwrap();
    let logs = files(&folder.0);
    let (path, log) = logs
        .into_iter()
        .max_by_key(|(path, bytes)| {
            (
                is_of_trees(path) && !path.ends_with("trees.manifest"),
                bytes.len(),
            )
        })
        .unwrap();
    let value = log.clone();
    jungle
        .update_root_node_with("a", move |root| root.put_attribute(&[], "log", value))
        .unwrap();
    let manifest = fs::read(folder.0.join("trees.manifest")).unwrap();
    drop(jungle);
    // The last batch, which contains the value, is torn.
    let bytes = fs::read(&path).unwrap();
    fs::write(&path, &bytes[..bytes.len() - 1]).unwrap();
    fs::write(folder.0.join("trees.manifest"), manifest).unwrap();
    assert_eq!(sizes(&folder.0).unwrap()["a"], 2);
}

#[test]
fn a_lost_log_is_repaired_to_what_is_left() {
    let folder = Folder::new("lost");
    let jungle = Jungle::open(&folder.0).unwrap();
    edit(&jungle, 3);
    drop(jungle);
    let all = sizes(&folder.0).unwrap();
    fs::remove_file(folder.0.join("log-2.0")).unwrap();
    fs::remove_file(folder.0.join("trees.manifest")).unwrap();
    assert!(matches!(sizes(&folder.0), Err(Error::Corrupt(_))));
    let report = repair::repair(&folder.0).unwrap();
    let left = sizes(&folder.0).unwrap();
    assert_eq!(report.trees.len(), left.len());
    assert!(!left.is_empty() && left.len() < all.len());
    assert!(left.iter().all(|(name, size)| all[name] == *size));
}

#[test]
fn replicas_without_their_log_are_an_error_and_a_repair_is_another_replica() {
    let folder = Folder::new("replicas");
    let path = folder.0.join("replicas");
    let fill = || {
        let (mut store, mut trees) = Store::open(&folder.0).unwrap();
        store.append(&[Record::Tree("a")]).unwrap();
        trees.insert("a".to_owned(), Replica::new(store.id()));
        let tree = trees.get_mut("a").unwrap();
        for _ in 0..5 {
            let batch = tree.edit(&Request::Create(ROOT, Where::Last)).unwrap();
            store.append(&[Record::Batch("a", &batch)]).unwrap();
        }
        store.id()
    };
    let id = fill();
    let whole = fs::read(&path).unwrap();
    let why = |what: &str| {
        let error = Store::open(&folder.0).map(drop).unwrap_err().to_string();
        assert!(
            error.contains("replicas") && error.contains(what),
            "{error}"
        );
    };
    fs::remove_file(&path).unwrap();
    why("missing");
    fs::write(&path, b"").unwrap();
    why("empty");
    let middle = &batches_of(&path, &whole)[3];
    let mut damaged = whole.clone();
    damaged[middle.start] ^= 1;
    fs::write(&path, &damaged).unwrap();
    why("damaged");
    let report = jungle_merge::repair::repair(&folder.0).unwrap();
    assert!(!report.findings.is_empty());
    assert_eq!(
        fs::read(report.kept.unwrap().join("replicas")).unwrap(),
        damaged
    );
    let (store, trees) = Store::open(&folder.0).unwrap();
    assert_ne!(store.id(), id);
    assert_eq!(trees.keys().collect::<Vec<_>>(), ["a"]);
}

fn batches_of(path: &Path, bytes: &[u8]) -> Vec<std::ops::Range<usize>> {
    fs::write(path, bytes).unwrap();
    batches(path)
}
