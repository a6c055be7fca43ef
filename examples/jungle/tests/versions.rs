//! Named versions are found again after restarts, snapshots and crashes.

mod common;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use common::Folder;
use jungle::change::{Change, diff};
use jungle::error::Error;
use jungle::jungle::Jungle;
use jungle::node::Node;
use jungle::tree::Tree;
use otp_bridge_novm as _;

/// The versions that have names.
type Named = BTreeMap<String, (u64, Node)>;

fn named(tree: &Tree) -> Named {
    let listed = tree.versions().into_iter();
    let names = listed.filter_map(|(number, name)| Some((number, name?)));
    let found = names.map(|(number, name)| {
        let version = tree.version(&name).unwrap();
        assert_eq!(version.number, number);
        let red = version.indexes.find("colour", b"red", None, 100).unwrap();
        assert_eq!(red.len(), version.node.num_of_child(&[]).unwrap());
        (name, (number, version.node.clone()))
    });
    found.collect()
}

fn opened(folder: &Path) -> (Jungle, Named) {
    let jungle = Jungle::open(folder).unwrap();
    let found = jungle.tree("a").map(|tree| named(&tree));
    (jungle, found.unwrap_or_default())
}

fn add(tree: &std::sync::Arc<Tree>) {
    let edit = |root: &Node| {
        let next = root.next_position();
        root.add_child_at(&[])?
            .put_attribute(&[next], "colour", *b"red")
    };
    tree.update(edit).unwrap();
}

/// Makes versions, and gives, moves and drops names. Calls `then` with the tree after each step.
fn history(jungle: &Jungle, mut then: impl FnMut(&Tree)) {
    let indexed = ["colour".to_owned()];
    jungle.create_tree_with("a", &indexed).unwrap();
    let tree = jungle.tree("a").unwrap();
    let steps = [
        "",
        "one",
        "",
        "",
        "three",
        "also three",
        "",
        "one",
        "-three",
        "",
        "last",
        "-one",
    ];
    for step in steps {
        match step.strip_prefix('-') {
            Some(name) => tree.drop_version(name).unwrap(),
            None if step.is_empty() => add(&tree),
            None => drop(tree.name_version(step).unwrap()),
        }
        then(&tree);
    }
    let left: Vec<_> = named(&tree).into_keys().collect();
    assert_eq!(left, ["also three", "last"]);
}

#[test]
fn names_are_there_after_a_stop_and_compared() {
    let folder = Folder::new("names");
    history(&Jungle::open(&folder.0).unwrap(), |_| ());
    let (jungle, _) = opened(&folder.0);
    let tree = jungle.tree("a").unwrap();
    let (three, last) = ("also three".to_owned(), "last".to_owned());
    assert_eq!(tree.versions(), [(3, Some(three)), (5, Some(last))]);
    let (before, after) = (tree.version("also three"), tree.version("last"));
    let (before, after) = (before.unwrap(), after.unwrap());
    let changes = diff(&before.node, &after.node);
    let added = (3..5).flat_map(|at| {
        let colour = Change::Put(vec![at], "colour".into(), (*b"red").into());
        [Change::Add(vec![], at), colour]
    });
    assert_eq!(changes, added.collect::<Vec<_>>());
    let no_version = |name: &str| Err(Error::NoVersion(name.to_owned()));
    assert_eq!(tree.version("one").map(|_| ()), no_version("one"));
    assert_eq!(tree.drop_version("one"), no_version("one"));
    let long = tree.name_version(&"n".repeat(2000));
    assert_eq!(long, Err(Error::TooLarge("name".to_owned(), 1024)));
    jungle.close();
    assert_eq!(tree.name_version("late"), Err(Error::Closed));
    assert_eq!(tree.drop_version("last"), Err(Error::Closed));
    assert_eq!(named(&tree).len(), 2);
}

#[test]
fn a_log_that_is_cut_anywhere_has_the_names_of_that_time() {
    let folder = Folder::new("names-cut");
    let jungle = Jungle::open(&folder.0).unwrap();
    let mut log = folder.0.join("none");
    let mut states: Vec<(usize, Named)> = vec![(0, Named::new())];
    history(&jungle, |tree| {
        let logs = fs::read_dir(&folder.0).unwrap().map(|it| it.unwrap());
        let logs = logs.filter(|it| it.file_name().to_string_lossy().starts_with("log-"));
        let (length, path) = logs
            .map(|it| (it.metadata().unwrap().len(), it.path()))
            .max()
            .unwrap();
        log = path;
        states.push((length as usize, named(tree)));
    });
    // As after a kill, the manifest is the one that opening the folder wrote.
    let listed = folder.0.join("trees.manifest");
    let manifest = fs::read(&listed).unwrap();
    drop(jungle);
    let bytes = fs::read(&log).unwrap();
    let header = jungle_disk::Log::read(&log).unwrap().1.begin;
    for cut in header..=bytes.len() {
        fs::write(&log, &bytes[..cut]).unwrap();
        fs::write(&listed, &manifest).unwrap();
        let (_, expected) = states.iter().rfind(|(length, _)| *length <= cut).unwrap();
        assert_eq!(opened(&folder.0).1, *expected, "{cut} bytes");
    }
}

#[test]
fn a_snapshot_has_what_names_hold_and_not_what_was_dropped() {
    let folder = Folder::new("names-snapshot");
    let jungle = Jungle::open(&folder.0).unwrap();
    let mut steps = Vec::new();
    history(&jungle, |tree| {
        // Each snapshot removes the previous log.
        jungle.compact(0).unwrap();
        steps.push(named(tree));
        let copy = Folder::new("names-snapshot-copy");
        fs::create_dir_all(&copy.0).unwrap();
        for file in fs::read_dir(&folder.0).unwrap().map(|it| it.unwrap()) {
            fs::copy(file.path(), copy.0.join(file.file_name())).unwrap();
        }
        assert_eq!(Some(&opened(&copy.0).1), steps.last());
    });
    drop(jungle);
    let (jungle, found) = opened(&folder.0);
    assert_eq!(Some(&found), steps.last());
    // Writing continues after that.
    let tree = jungle.tree("a").unwrap();
    add(&tree);
    tree.drop_version("also three").unwrap();
    assert_eq!(tree.name_version("new"), Ok(6));
    let before = named(&tree);
    drop((jungle, tree));
    assert_eq!(opened(&folder.0).1, before);
}

#[test]
fn names_that_change_while_snapshots_are_made_are_found_as_they_were_last() {
    let folder = Folder::new("names-beside");
    let mut expected = Named::new();
    for round in 0..4_u64 {
        let (jungle, found) = opened(&folder.0);
        assert_eq!(found, expected);
        let _ = jungle.create_tree_with("a", &["colour".to_owned()]);
        let tree = jungle.tree("a").unwrap();
        let ends = AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                while !ends.load(Ordering::Relaxed) {
                    jungle.compact(0).unwrap();
                }
            });
            for number in 0..60 {
                let name = format!("{}", (number * 7 + round) % 5);
                match number % 4 {
                    0 => drop(tree.drop_version(&name)),
                    1 => drop(tree.update(|root| root.put_attribute(&[], "x", *b"y"))),
                    _ => drop(tree.name_version(&name).unwrap()),
                }
                if number % 3 == 0 && number < 30 {
                    add(&tree);
                }
            }
            ends.store(true, Ordering::Relaxed);
        });
        expected = named(&tree);
        assert!(expected.len() > 1);
    }
    assert_eq!(opened(&folder.0).1, expected);
}
