//! Acknowledged operations survive a crash: the log is cut or damaged at every byte.

use std::fs;
use std::path::PathBuf;

use bytes::Bytes;
use jungle_disk::{Log, Manifest};
use jungle_merge::store::{Record, Store};
use jungle_merge::{ROOT, Replica, Request, Where};
use otp_bridge_novm as _;

/// A folder that is removed when the value is dropped.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("jungle-merge-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        Folder(path)
    }

    fn log(&self) -> PathBuf {
        self.0.join("replicas")
    }

    /// Replaces the log's content, as a kill would leave it: the manifest requires only the log's
    /// header.
    fn killed_with(&self, bytes: &[u8]) {
        fs::write(self.log(), bytes).unwrap();
        let mut manifest = Manifest::open(&self.0, "replicas.manifest", |_| false).unwrap();
        manifest.set("replicas", self.header() as u64).unwrap();
    }

    /// Returns the length of a log without batches.
    fn header(&self) -> usize {
        let empty = self.0.join("empty");
        let _ = fs::remove_file(&empty);
        Log::create_as(&empty, "replicas", None).unwrap().length() as usize
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Makes edits, and returns the length of the log after each.
fn filled(folder: &Folder, edits: usize) -> Vec<usize> {
    let (mut store, mut trees) = Store::open(&folder.0).unwrap();
    store.append(&[Record::Tree("a")]).unwrap();
    trees.insert("a".to_owned(), Replica::new(store.id()));
    let tree = trees.get_mut("a").unwrap();
    let mut lengths = Vec::new();
    for number in 0..edits {
        let value = Bytes::from(number.to_string());
        let requests = [
            Request::Create(ROOT, Where::Last),
            Request::Put(ROOT, "key".to_owned(), value),
        ];
        let batch = tree.edit(&requests[number % 2]).unwrap();
        store.append(&[Record::Batch("a", &batch)]).unwrap();
        lengths.push(fs::metadata(folder.log()).unwrap().len() as usize);
    }
    lengths
}

#[test]
fn a_log_that_is_cut_anywhere_has_all_whole_records() {
    let folder = Folder::new("cut");
    let lengths = filled(&folder, 6);
    let bytes = fs::read(folder.log()).unwrap();
    let id = Store::open(&folder.0).unwrap().0.id();
    for cut in folder.header()..=bytes.len() {
        folder.killed_with(&bytes[..cut]);
        let (store, trees) = Store::open(&folder.0).unwrap();
        let whole = lengths.iter().filter(|length| **length <= cut).count();
        let known = trees
            .get("a")
            .map_or(0, |tree| tree.versions().values().sum());
        assert_eq!(known, whole as u64, "{cut} bytes");
        // The store has to become another replica if others may have received what was cut off.
        let is_whole = store.id() == id;
        assert!(!is_whole || fs::read(folder.log()).unwrap() == bytes[..cut]);
        assert!(is_whole || known < 6);
    }
}

#[test]
fn a_damaged_byte_is_never_read() {
    let folder = Folder::new("damaged");
    let lengths = filled(&folder, 6);
    let bytes = fs::read(folder.log()).unwrap();
    for at in 0..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[at] ^= 0x55;
        folder.killed_with(&damaged);
        if at < lengths[4] {
            let error = Store::open(&folder.0).map(drop).unwrap_err();
            assert!(
                matches!(error, jungle_disk::Error::Corrupt(..)),
                "byte {at}"
            );
            assert_eq!(fs::read(folder.log()).unwrap(), damaged);
            continue;
        }
        // Nothing follows the last batch, so it was not acknowledged.
        let (_, trees) = Store::open(&folder.0).unwrap();
        assert_eq!(trees["a"].versions().values().sum::<u64>(), 5, "byte {at}");
    }
}

#[test]
fn a_log_of_what_was_overwritten_is_written_anew() {
    let folder = Folder::new("anew");
    {
        let (mut store, mut trees) = Store::open(&folder.0).unwrap();
        store.append(&[Record::Tree("a")]).unwrap();
        trees.insert("a".to_owned(), Replica::new(store.id()));
        let tree = trees.get_mut("a").unwrap();
        for number in 0..30 {
            let value = Bytes::from(vec![number; 100_000]);
            let batch = tree
                .edit(&Request::Put(ROOT, "key".to_owned(), value))
                .unwrap();
            store.append(&[Record::Batch("a", &batch)]).unwrap();
        }
        assert_eq!(tree.operation_count(), 1);
    }
    for _ in 0..2 {
        let (mut store, mut trees) = Store::open(&folder.0).unwrap();
        assert!(fs::metadata(folder.log()).unwrap().len() < 300_000);
        let tree = trees.get_mut("a").unwrap();
        let value = tree.attribute(ROOT, "key").unwrap().unwrap();
        assert_eq!(value.len(), 100_000);
        let batch = tree
            .edit(&Request::Put(ROOT, "key".to_owned(), value))
            .unwrap();
        store.append(&[Record::Batch("a", &batch)]).unwrap();
    }
    let (_, trees) = Store::open(&folder.0).unwrap();
    assert_eq!(trees["a"].versions().values().sum::<u64>(), 32);
}

#[test]
fn a_folder_is_open_once() {
    let folder = Folder::new("once");
    let first = Store::open(&folder.0).unwrap();
    let second = Store::open(&folder.0).map(drop).unwrap_err();
    assert!(
        second.to_string().contains("has this folder open"),
        "{second}"
    );
    drop(first);
    Store::open(&folder.0).unwrap();
}

/// A tree with folded moves, in a replica that has everything except the other one's later edits.
fn folded(of: &Replica) -> Replica {
    let mut other = Replica::of_snapshot(77, &of.snapshot()).unwrap();
    let node = other.children(ROOT).unwrap()[0];
    for _ in 0..20 {
        let _ = other.edit(&Request::Move(node, ROOT, Where::Last)).unwrap();
    }
    assert!(other.fold([].into_iter(), 0) > 20);
    assert_eq!(other.move_count(), 0);
    other
}

#[test]
fn a_tree_that_is_taken_is_there_as_a_whole_or_not_at_all() {
    let folder = Folder::new("taken");
    filled(&folder, 6);
    let (mut store, mut trees) = Store::open(&folder.0).unwrap();
    let tree = trees.get_mut("a").unwrap();
    let other = folded(tree);
    let made = tree.edit(&Request::Create(ROOT, Where::Last)).unwrap();
    store.append(&[Record::Batch("a", &made)]).unwrap();
    let node = made.operations[0].stamp;
    assert!(tree.is_behind(&other.known()));
    let snapshot = other.snapshot();
    let taken = tree.take(&snapshot, jungle_merge::store::new_id).unwrap();
    assert_eq!(taken.renamed.len(), 1);
    let before = fs::metadata(folder.log()).unwrap().len() as usize;
    store
        .append(&[Record::Taken("a", &snapshot, &taken)])
        .unwrap();
    drop(store);
    let bytes = fs::read(folder.log()).unwrap();
    for cut in before..=bytes.len() {
        folder.killed_with(&bytes[..cut]);
        let (store, trees) = Store::open(&folder.0).unwrap();
        let (found, is_whole) = (&trees["a"], cut == bytes.len());
        let expected = if is_whole { &taken.replica } else { &*tree };
        assert_eq!(found.versions(), expected.versions(), "{cut} bytes");
        assert!(found.children(ROOT).unwrap().contains(&node));
        assert_eq!(store.id() == taken.replica.id(), is_whole);
        assert_eq!(found.id(), store.id());
    }
}

#[test]
fn a_log_is_written_anew_while_it_is_open() {
    let folder = Folder::new("open");
    let (mut store, mut trees) = Store::open(&folder.0).unwrap();
    store.append(&[Record::Tree("a")]).unwrap();
    trees.insert("a".to_owned(), Replica::new(store.id()));
    let tree = trees.get_mut("a").unwrap();
    let mut made = vec![tree.edit(&Request::Create(ROOT, Where::Last)).unwrap()];
    let node = made[0].operations[0].stamp;
    for _ in 0..500 {
        made.push(tree.edit(&Request::Move(node, ROOT, Where::Last)).unwrap());
    }
    for batch in &made {
        store.append(&[Record::Batch("a", batch)]).unwrap();
    }
    assert!(store.has_grown(1000));
    tree.fold([].into_iter(), 10);
    store.shrink(&trees).unwrap();
    assert!(!store.has_grown(1000));
    assert!(fs::metadata(folder.log()).unwrap().len() < 2000);
    let tree = trees.get_mut("a").unwrap();
    let last = tree.edit(&Request::Create(node, Where::Last)).unwrap();
    store.append(&[Record::Batch("a", &last)]).unwrap();
    let expected = (tree.versions().clone(), tree.children(node));
    drop(store);
    let (_, trees) = Store::open(&folder.0).unwrap();
    let found = &trees["a"];
    assert_eq!((found.versions().clone(), found.children(node)), expected);
    assert_eq!(found.move_count(), 11);
}
