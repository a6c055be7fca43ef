//! Deleting and renaming trees, and adding and dropping indexes: in memory, on the disk, after a
//! crash at any byte, and while snapshots are made.

mod common;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, mpsc};

use common::Folder;
use jungle::error::{Error, Result};
use jungle::jungle::{Jungle, create_jungle};
use jungle::node::{Node, NodePath};
use jungle::tree::Tree;
use jungle::watchers::Event;
use otp_bridge_novm as _;

fn no_tree<T>(name: &str) -> Result<T> {
    Err(Error::NoTree(name.to_owned()))
}

/// Adds a child with a colour.
fn plant(jungle: &Jungle, tree: &str, colour: &'static str) -> Result<u64> {
    jungle.update_root_node_with(tree, move |root| {
        let at = [root.next_position()];
        root.add_child_at(&[])?
            .put_attribute(&at, "colour", colour.as_bytes())
    })
}

/// Returns the red nodes by the index of colours.
fn red(tree: &Tree) -> Result<Vec<NodePath>> {
    tree.read().indexes.find("colour", b"red", None, 1000)
}

/// Returns the red nodes without an index.
fn red_children(root: &Node) -> Vec<NodePath> {
    let children = root.assoc_children(&[]).unwrap().into_iter();
    let red = children.filter(|(_, child)| {
        let colour = child.get_attributes(&[], "colour").unwrap();
        colour.map(|it| &**it) == Some(&b"red"[..])
    });
    red.map(|(position, _)| vec![position]).collect()
}

/// Everything that a folder has: for each tree its version, its root, its indexes, and its named
/// versions.
type State = BTreeMap<String, (u64, Node, Vec<String>, Vec<(u64, Option<String>)>)>;

fn state(jungle: &Jungle) -> State {
    let trees = jungle.trees().into_iter().map(|name| {
        let tree = jungle.tree(&name).unwrap();
        let version = tree.read();
        if version.indexes.has("colour") {
            assert_eq!(red(&tree).unwrap(), red_children(&version.node));
        }
        let root = version.node.clone();
        let keys = version.indexes.keys();
        let named = tree.versions().into_iter();
        let named = named.filter(|(_, name)| name.is_some()).collect();
        (name, (version.number, root, keys, named))
    });
    trees.collect()
}

/// Runs a test with a jungle in memory, and with one in a folder.
fn in_memory_and_on_the_disk(name: &str, test: impl Fn(&Jungle)) {
    test(&create_jungle());
    let folder = Folder::new(name);
    let jungle = Jungle::open(&folder.0).unwrap();
    test(&jungle);
    let before = state(&jungle);
    drop(jungle);
    let jungle = Jungle::open(&folder.0).unwrap();
    assert!(state(&jungle) == before, "opened again");
    jungle.compact(0).unwrap();
    drop(jungle);
    assert!(
        state(&Jungle::open(&folder.0).unwrap()) == before,
        "opened from a snapshot"
    );
}

#[test]
fn a_deleted_tree_is_gone_and_its_nodes_stay_readable() {
    in_memory_and_on_the_disk("delete", |jungle| {
        jungle.create_tree("a").unwrap();
        plant(jungle, "a", "red").unwrap();
        let tree = jungle.tree("a").unwrap();
        let root = jungle.get_root_node("a").unwrap().clone();
        tree.name_version("first").unwrap();
        assert_eq!(jungle.delete_tree("a"), Ok(()));
        assert_eq!(jungle.trees(), Vec::<String>::new());
        assert_eq!(jungle.delete_tree("a"), no_tree("a"));
        assert_eq!(plant(jungle, "a", "red"), no_tree("a"));
        assert_eq!(root.size(), 2);
        assert_eq!(tree.read().node, root);
        // A writer that still holds the tree does not write into another one with its name.
        jungle.create_tree("a").unwrap();
        assert_eq!(tree.update(|root| root.add_child_at(&[])), no_tree("a"));
        assert_eq!(tree.name_version("second"), no_tree("a"));
        assert_eq!(tree.add_index("colour"), no_tree("a"));
        assert_eq!(jungle.tree("a").unwrap().read().node, Node::new());
        assert_eq!(jungle.tree("a").unwrap().versions(), []);
    });
}

#[test]
fn a_renamed_tree_keeps_everything_but_its_name() {
    in_memory_and_on_the_disk("rename", |jungle| {
        let colour = ["colour".to_owned()];
        jungle.create_tree_with("a", &colour).unwrap();
        jungle.create_tree("taken").unwrap();
        plant(jungle, "a", "red").unwrap();
        let tree = jungle.tree("a").unwrap();
        tree.name_version("first").unwrap();
        let taken = |name: &str| Err(Error::TreeExists(name.to_owned()));
        assert_eq!(jungle.rename_tree("a", "taken"), taken("taken"));
        assert_eq!(jungle.rename_tree("a", "a"), taken("a"));
        assert_eq!(jungle.rename_tree("b", "c"), no_tree("b"));
        let long = Err(Error::TooLarge("name".to_owned(), 1024));
        assert_eq!(jungle.rename_tree("a", &"a".repeat(1025)), long);
        assert_eq!(jungle.trees(), ["a", "taken"]);
        assert_eq!(jungle.rename_tree("a", "b"), Ok(()));
        assert_eq!(jungle.trees(), ["b", "taken"]);
        assert_eq!(plant(jungle, "b", "red"), Ok(2));
        assert!(Arc::ptr_eq(&tree, &jungle.tree("b").unwrap()));
        assert_eq!(red(&tree).unwrap(), [[0], [1]]);
        assert_eq!(tree.version("first").unwrap().number, 1);
        // The old name is free.
        jungle.create_tree("a").unwrap();
        plant(jungle, "a", "blue").unwrap();
        jungle.delete_tree("taken").unwrap();
        assert_eq!(jungle.rename_tree("a", "taken"), Ok(()));
        assert_eq!(jungle.rename_tree("b", "a"), Ok(()));
    });
}

#[test]
fn an_index_is_built_when_it_is_added_and_kept_up_to_date() {
    in_memory_and_on_the_disk("index", |jungle| {
        jungle.create_tree("a").unwrap();
        let tree = jungle.tree("a").unwrap();
        plant(jungle, "a", "red").unwrap();
        plant(jungle, "a", "blue").unwrap();
        tree.name_version("before").unwrap();
        let missing = Error::NotIndexed("colour".to_owned());
        assert_eq!(red(&tree), Err(missing.clone()));
        assert_eq!(tree.drop_index("colour"), Err(missing.clone()));
        assert_eq!(tree.add_index("colour"), Ok(()));
        assert_eq!(red(&tree).unwrap(), [[0]]);
        assert_eq!(tree.add_index("colour"), Ok(()), "it exists");
        assert_eq!(tree.add_index("size"), Ok(()));
        plant(jungle, "a", "red").unwrap();
        assert_eq!(red(&tree).unwrap(), [[0], [2]]);
        assert_eq!(tree.drop_index("colour"), Ok(()));
        assert_eq!(red(&tree), Err(missing));
        assert_eq!(tree.read().indexes.keys(), ["size"]);
        let long = Err(Error::TooLarge("key".to_owned(), 1024));
        assert_eq!(tree.add_index(&"k".repeat(1025)), long);
        jungle.delete_tree("a").unwrap();
        jungle
            .create_tree_with("b", &["colour".to_owned()])
            .unwrap();
        plant(jungle, "b", "red").unwrap();
        jungle.tree("b").unwrap().add_index("size").unwrap();
        plant(jungle, "b", "red").unwrap();
    });
}

#[test]
fn a_function_that_changes_a_tree_cannot_delete_it() {
    let jungle = Arc::new(create_jungle());
    jungle.create_tree("a").unwrap();
    let own = jungle.clone();
    let edited = jungle.update_root_node_with("a", move |root| {
        assert_eq!(own.delete_tree("a"), Err(Error::Nested));
        assert_eq!(own.rename_tree("a", "b"), Err(Error::Nested));
        assert_eq!(own.tree("a")?.add_index("colour"), Err(Error::Nested));
        root.add_child_at(&[])
    });
    assert_eq!(edited, Ok(1));
    // The names are not reserved any more.
    assert_eq!(jungle.rename_tree("a", "b"), Ok(()));
    assert_eq!(jungle.delete_tree("b"), Ok(()));
}

#[test]
fn a_shown_tree_is_changed_by_its_replicas_alone() {
    let jungle = create_jungle();
    let _show = jungle.show("a");
    assert_eq!(jungle.delete_tree("a"), Err(Error::Replicated));
    assert_eq!(jungle.rename_tree("a", "b"), Err(Error::Replicated));
    let tree = jungle.tree("a").unwrap();
    assert_eq!(tree.add_index("colour"), Err(Error::Replicated));
    assert_eq!(tree.drop_index("colour"), Err(Error::Replicated));
}

#[test]
fn watchers_learn_of_another_name_and_of_the_end() {
    in_memory_and_on_the_disk("told", |jungle| {
        jungle.create_tree("a").unwrap();
        let tree = jungle.tree("a").unwrap();
        let (sender, events) = mpsc::channel();
        let tell = move |event: Event<'_>| {
            let text = match event {
                Event::Changed(number, changes) => format!("{number}: {}", changes.len()),
                Event::Renamed(name) => name.to_owned(),
                Event::Deleted => "deleted".to_owned(),
            };
            sender.send(text).is_ok()
        };
        tree.watch(vec![], Box::new(tell.clone()));
        plant(jungle, "a", "red").unwrap();
        jungle.rename_tree("a", "b").unwrap();
        plant(jungle, "b", "red").unwrap();
        jungle.delete_tree("b").unwrap();
        // A watcher of a deleted tree has nothing to wait for.
        tree.watch(vec![], Box::new(tell));
        drop(tree);
        let events: Vec<String> = events.iter().collect();
        assert_eq!(events, ["1: 2", "b", "2: 2", "deleted", "deleted"]);
    });
}

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
fn an_index_that_is_added_while_others_write_misses_nothing() {
    let jungle = create_jungle();
    jungle.create_tree("a").unwrap();
    std::thread::scope(|scope| {
        let writer = scope.spawn(|| {
            for count in 0..2000_u64 {
                let colour = if count.is_multiple_of(2) {
                    "red"
                } else {
                    "blue"
                };
                plant(&jungle, "a", colour).unwrap();
                if count.is_multiple_of(3) {
                    let delete = move |root: &Node| root.delete_child_at(&[], count);
                    jungle.update_root_node_with("a", delete).unwrap();
                }
            }
        });
        let tree = jungle.tree("a").unwrap();
        let mut has_ended = false;
        while !has_ended {
            has_ended = writer.is_finished();
            tree.add_index("colour").unwrap();
            let version = tree.read();
            let found = version.indexes.find("colour", b"red", None, usize::MAX);
            assert_eq!(found.unwrap(), red_children(&version.node));
            tree.drop_index("colour").unwrap();
        }
    });
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
