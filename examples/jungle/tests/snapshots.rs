//! Snapshots: recovery after the process was killed at any step of making one, and after damage.

mod common;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use common::Folder;
use jungle::error::{Error, Result};
use jungle::jungle::Jungle;
use jungle::node::Node;
use jungle_disk::{Log, Manifest};
use otp_bridge_novm as _;

const MANIFEST: &str = "trees.manifest";

/// Files by their names.
type Files = BTreeMap<String, Vec<u8>>;

fn files(folder: &Path) -> Files {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    let files = entries.map(|entry| {
        let name = entry.file_name().into_string().unwrap();
        (name, fs::read(entry.path()).unwrap())
    });
    files.collect()
}

fn put(folder: &Path, files: &Files) {
    let _ = fs::remove_dir_all(folder);
    fs::create_dir_all(folder).unwrap();
    for (name, bytes) in files {
        fs::write(folder.join(name), bytes).unwrap();
    }
}

/// Returns these files with a changed manifest.
fn listed(folder: &Path, with: &Files, change: impl FnOnce(&mut BTreeMap<String, u64>)) -> Files {
    put(folder, with);
    let mut manifest = Manifest::open(folder, MANIFEST, |_| false).unwrap();
    manifest.change(change).unwrap();
    files(folder)
}

/// Opens a folder with these files, and returns the version and the root that it has.
fn found(folder: &Path, files: &Files) -> Result<(u64, Node)> {
    put(folder, files);
    let jungle = Jungle::open(folder)?;
    let tree = jungle.tree("a")?;
    let version = tree.read();
    let red = version.indexes.find("colour", b"red", None, 100).unwrap();
    let nodes = (0..20).filter(|at| {
        let colour = version.node.get_attributes(&[*at], "colour");
        colour.is_ok_and(|colour| colour.map(|it| &**it) == Some(&b"red"[..]))
    });
    assert_eq!(red, nodes.map(|at| vec![at]).collect::<Vec<_>>());
    Ok((version.number, version.node.clone()))
}

fn edit(jungle: &Jungle, number: u64) {
    let edit = move |root: &Node| match number % 3 {
        2 => root.delete_child_at(&[], number - 1),
        _ => root
            .add_child_at(&[])?
            .add_child_at(&[root.next_position()])?
            .put_attribute(&[root.next_position()], "colour", *b"red"),
    };
    let edited = jungle.update_root_node_with("a", edit);
    // Only a deletion may fail: positions are not reused, so its child may not exist.
    if number % 3 != 2 {
        edited.unwrap();
    }
}

struct History {
    folder: Folder,
    /// The files before the snapshot, after it, and after further changes.
    before: Files,
    after: Files,
    later: Files,
    /// The roots by their version numbers.
    roots: BTreeMap<u64, Node>,
    at_snapshot: u64,
}

/// Builds a tree with a snapshot in the middle of its history, and saves the files at each stage.
fn history(name: &str) -> History {
    let folder = Folder::new(name);
    let jungle = Jungle::open(&folder.0).unwrap();
    let indexed = ["colour".to_owned()];
    jungle.create_tree_with("a", &indexed).unwrap();
    let mut roots = BTreeMap::new();
    let remember = |roots: &mut BTreeMap<u64, Node>| {
        let tree = jungle.tree("a").unwrap();
        roots.insert(tree.read().number, tree.read().node.clone());
        tree.read().number
    };
    remember(&mut roots);
    (0..8).for_each(|number| edit(&jungle, number));
    let before = files(&folder.0);
    let at_snapshot = remember(&mut roots);
    assert_eq!(jungle.compact(0), Ok(4));
    let after = files(&folder.0);
    for number in 8..14 {
        edit(&jungle, number);
        remember(&mut roots);
    }
    drop(jungle);
    let later = files(&folder.0);
    History {
        folder,
        before,
        after,
        later,
        roots,
        at_snapshot,
    }
}

/// Returns the group that contains the tree.
fn group(files: &Files) -> String {
    let logs = files.iter().filter(|(name, _)| name.starts_with("log-"));
    let (name, _) = logs.max_by_key(|(_, bytes)| bytes.len()).unwrap();
    name["log-".len()..name.len() - 2].to_owned()
}

#[test]
fn whenever_it_is_killed_a_snapshot_loses_nothing() {
    let history = history("states");
    let group = group(&history.before);
    let expected = (
        history.at_snapshot,
        history.roots[&history.at_snapshot].clone(),
    );
    let has_all = |files: &Files, moment: &str| {
        let found = found(&history.folder.0, files).unwrap();
        assert!(found == expected, "{moment}");
    };
    let opens = |files: &Files, moment: &str| {
        has_all(files, moment);
        // The folder can be written, snapshotted, and opened once more.
        let jungle = Jungle::open(&history.folder.0).unwrap();
        jungle.create_tree("b").unwrap();
        jungle.compact(0).unwrap();
        drop(jungle);
        let jungle = Jungle::open(&history.folder.0).unwrap();
        assert_eq!(jungle.get_root_node("a").unwrap(), expected.1);
        assert!(jungle.tree("b").is_ok(), "{moment}");
    };
    opens(&history.before, "before");
    let names = ["log-{}.0", "log-{}.1", "snapshot-{}.1"].map(|name| name.replace("{}", &group));
    let [before, next, snapshot] = &names;
    let folder = &history.folder.0;
    let mut files = history.before.clone();
    files.insert(next.clone(), history.after[next].clone());
    opens(&files, "the next log is there");
    files = listed(folder, &files, |files| {
        files.insert(next.clone(), 1);
    });
    opens(&files, "the next log is listed");
    let whole = &history.after[snapshot];
    for length in 0..=whole.len() {
        files.insert(format!("unfinished-{group}"), whole[..length].to_vec());
        has_all(&files, &format!("{length} bytes of the snapshot are there"));
    }
    files.remove(&format!("unfinished-{group}"));
    files.insert(snapshot.clone(), whole.clone());
    opens(&files, "the snapshot has its name");
    files.insert(snapshot.clone(), whole[1..].to_vec());
    has_all(&files, "a snapshot that is not listed is not read");
    files.insert(snapshot.clone(), whole.clone());
    files = listed(folder, &files, |files| {
        files.remove(before);
        files.insert(snapshot.clone(), whole.len() as u64);
    });
    opens(&files, "the snapshot is listed");
    files.remove(before);
    opens(&files, "the log before it is removed");
    opens(&history.after, "after");
}

#[test]
fn the_log_after_a_snapshot_is_cut_anywhere() {
    let history = history("tail");
    let group = group(&history.before);
    let name = format!("log-{group}.1");
    let whole = history.later[&name].clone();
    let header = Log::read(&history.folder.0.join(&name)).unwrap().1.begin;
    assert!(whole.len() > header + 40);
    let mut last = history.at_snapshot;
    for length in header..=whole.len() {
        let mut files = history.later.clone();
        // As after a kill, the manifest is the one that the snapshot wrote.
        files.insert(MANIFEST.to_owned(), history.after[MANIFEST].clone());
        files.insert(name.clone(), whole[..length].to_vec());
        let (number, root) = found(&history.folder.0, &files).unwrap();
        assert!(number == last || number == last + 1, "{length} bytes");
        assert_eq!(root, history.roots[&number]);
        last = number;
    }
    assert_eq!(Some(&last), history.roots.keys().next_back());
}

#[test]
fn a_damaged_snapshot_is_never_believed() {
    let history = history("damage");
    let group = group(&history.before);
    let name = format!("snapshot-{group}.1");
    let snapshot = &history.later[&name];
    for at in 0..snapshot.len() {
        let mut damaged = snapshot.clone();
        damaged[at] ^= 0x04;
        let mut files = history.later.clone();
        files.insert(name.clone(), damaged);
        let opened = found(&history.folder.0, &files);
        assert!(matches!(opened, Err(Error::Corrupt(_))), "byte {at}");
    }
    let mut files = history.later.clone();
    files.remove(&format!("log-{group}.1"));
    let opened = found(&history.folder.0, &files);
    assert!(matches!(opened, Err(Error::Corrupt(_))), "a log is missing");
}

#[test]
fn versions_go_on_while_snapshots_are_made() {
    let folder = Folder::new("beside");
    let jungle = Jungle::open(&folder.0).unwrap();
    jungle.create_tree("a").unwrap();
    std::thread::scope(|scope| {
        let writer = scope.spawn(|| {
            for _ in 0..2000 {
                let (_, pending) = jungle
                    .tree("a")
                    .unwrap()
                    .begin(|root| root.add_child_at(&[]))
                    .unwrap();
                drop(pending);
            }
        });
        while !writer.is_finished() {
            jungle.compact(0).unwrap();
        }
    });
    jungle.compact(0).unwrap();
    let root = jungle.get_root_node("a").unwrap().clone();
    assert_eq!(root.size(), 2001);
    drop(jungle);
    let jungle = Jungle::open(&folder.0).unwrap();
    assert_eq!(jungle.get_root_node("a").unwrap(), root);
    let names = files(&folder.0).into_keys();
    assert_eq!(
        names.count(),
        4 + 4 + 2,
        "logs, snapshots, the manifest, the lock"
    );
}
