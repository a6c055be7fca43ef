//! Deleted, renamed and indexed trees after a crash at any byte, from snapshots, and after a
//! repair.

mod common;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use common::Folder;
use common::trees::{State, plant, state};
use jungle::error::Result;
use jungle::jungle::Jungle;
use otp_bridge_novm as _;

/// Returns the longest log of the first generation.
fn log(folder: &Path) -> PathBuf {
    let logs = (0..4).map(|number| folder.join(format!("log-{number}.0")));
    let length = |path: &PathBuf| fs::metadata(path).expect("a log").len();
    logs.max_by_key(length).expect("four logs")
}

/// Deletes, renames and indexes trees that are all in the log of the tree `a`. Returns the states
/// after each step.
fn steps(jungle: &Jungle) -> Vec<State> {
    let mut states = vec![state(jungle)];
    let tree = |name: &str| jungle.tree(name).unwrap();
    let step = |done: Result<()>, states: &mut Vec<State>| {
        assert_eq!(done, Ok(()));
        states.push(state(jungle));
    };
    for round in ["b", "c"] {
        step(jungle.create_tree("a"), &mut states);
        step(plant(jungle, "a", "red").map(drop), &mut states);
        step(plant(jungle, "a", "blue").map(drop), &mut states);
        step(tree("a").add_index("colour"), &mut states);
        step(plant(jungle, "a", "red").map(drop), &mut states);
        step(tree("a").name_version("third").map(drop), &mut states);
        step(jungle.rename_tree("a", round), &mut states);
        step(plant(jungle, round, "red").map(drop), &mut states);
        step(tree(round).drop_index("colour"), &mut states);
        step(plant(jungle, round, "red").map(drop), &mut states);
    }
    step(jungle.delete_tree("c"), &mut states);
    step(jungle.rename_tree("b", "a"), &mut states);
    step(tree("a").add_index("colour"), &mut states);
    states
}

#[test]
fn a_log_that_is_cut_anywhere_has_the_trees_of_one_step() {
    let folder = Folder::new("cut-names");
    let jungle = Jungle::open(&folder.0).unwrap();
    let listed = folder.0.join("trees.manifest");
    let manifest = fs::read(&listed).unwrap();
    let states = steps(&jungle);
    drop(jungle);
    let path = log(&folder.0);
    let whole = fs::read(&path).unwrap();
    let header = jungle_disk::Log::read(&path).unwrap().1.begin;
    let mut at = 0;
    for length in header..=whole.len() {
        fs::write(&path, &whole[..length]).unwrap();
        fs::write(&listed, &manifest).unwrap();
        let found = state(&Jungle::open(&folder.0).unwrap());
        if found != states[at] {
            at += 1;
            assert!(found == states[at], "{length} bytes, after step {at}");
        }
    }
    assert_eq!(at, states.len() - 1);
}

/// Makes a snapshot after each step, and opens the folder after that.
#[test]
fn a_snapshot_after_any_step_has_its_trees() {
    let mut last = usize::MAX;
    for snapshot in 0.. {
        let folder = Folder::new("names-snapshot");
        let jungle = Jungle::open(&folder.0).unwrap();
        let count = Mutex::new(0);
        let states = with_snapshot(&jungle, &count, snapshot);
        drop(jungle);
        let jungle = Jungle::open(&folder.0).unwrap();
        assert!(state(&jungle) == states, "snapshot after step {snapshot}");
        // New trees get numbers that the files do not use.
        jungle.create_tree("new").unwrap();
        plant(&jungle, "new", "red").unwrap();
        drop(jungle);
        let jungle = Jungle::open(&folder.0).unwrap();
        assert_eq!(jungle.get_root_node("new").unwrap().size(), 2);
        if snapshot >= last {
            return;
        }
        last = *count.lock().unwrap();
    }
}

/// Like `steps`, but with few trees, and with a snapshot after one step. Returns the last state.
fn with_snapshot(jungle: &Jungle, count: &Mutex<usize>, snapshot: usize) -> State {
    let step = |done: Result<()>| {
        assert_eq!(done, Ok(()));
        let mut count = count.lock().unwrap();
        if *count == snapshot {
            jungle.compact(0).unwrap();
        }
        *count += 1;
    };
    for _ in 0..2 {
        step(jungle.create_tree("a"));
        step(plant(jungle, "a", "red").map(drop));
        step(jungle.rename_tree("a", "b"));
        step(plant(jungle, "b", "red").map(drop));
        step(jungle.tree("b").unwrap().name_version("second").map(drop));
        step(jungle.tree("b").unwrap().add_index("colour"));
        step(jungle.create_tree("a"));
        step(plant(jungle, "a", "blue").map(drop));
        step(jungle.delete_tree("b"));
        step(jungle.delete_tree("a"));
    }
    step(jungle.create_tree("a"));
    step(plant(jungle, "a", "red").map(drop));
    state(jungle)
}

#[test]
fn trees_are_deleted_and_renamed_while_snapshots_are_made() {
    let folder = Folder::new("names-beside");
    let jungle = Jungle::open(&folder.0).unwrap();
    jungle.create_tree("kept").unwrap();
    let has_ended = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let snapshots = scope.spawn(|| {
            let mut count = 0;
            while !has_ended.load(Ordering::Relaxed) {
                count += jungle.compact(0).unwrap();
            }
            count
        });
        let writers: Vec<_> = (0..3)
            .map(|writer| {
                let jungle = &jungle;
                scope.spawn(move || {
                    for round in 0..60 {
                        let name = format!("{writer} {round}");
                        jungle.create_tree(&name).unwrap();
                        plant(jungle, &name, "red").unwrap();
                        let tree = jungle.tree(&name).unwrap();
                        tree.add_index("colour").unwrap();
                        let new = format!("{writer} new {round}");
                        jungle.rename_tree(&name, &new).unwrap();
                        plant(jungle, &new, "red").unwrap();
                        if round % 3 > 0 {
                            jungle.delete_tree(&new).unwrap();
                        }
                        plant(jungle, "kept", "red").unwrap();
                    }
                })
            })
            .collect();
        writers.into_iter().for_each(|it| it.join().unwrap());
        has_ended.store(true, Ordering::Relaxed);
        assert!(snapshots.join().unwrap() > 0);
    });
    let before = state(&jungle);
    assert_eq!(before.len(), 1 + 3 * 20);
    drop(jungle);
    assert!(state(&Jungle::open(&folder.0).unwrap()) == before);
}

#[test]
fn a_folder_with_deleted_and_renamed_trees_is_checked_and_repaired() {
    let folder = Folder::new("names-repair");
    let jungle = Jungle::open(&folder.0).unwrap();
    steps(&jungle);
    jungle.compact(0).unwrap();
    jungle.rename_tree("a", "e").unwrap();
    jungle.create_tree("f").unwrap();
    jungle.delete_tree("f").unwrap();
    let before = state(&jungle);
    drop(jungle);
    let report = jungle_trees::log::repair::check(&folder.0).unwrap();
    assert_eq!(report.findings, []);
    assert_eq!(report.trees.len(), before.len());
    fs::remove_file(folder.0.join("trees.manifest")).unwrap();
    let report = jungle_trees::log::repair::repair(&folder.0).unwrap();
    assert_eq!(report.findings.len(), 1);
    assert!(state(&Jungle::open(&folder.0).unwrap()) == before);
}
