//! Deleting and renaming trees, and adding and dropping indexes, in memory and on the disk.

mod common;

use std::sync::{Arc, mpsc};

use common::Folder;
use common::trees::{no_tree, plant, red, red_children, state};
use jungle::error::Error;
use jungle::jungle::{Jungle, create_jungle};
use jungle::node::Node;
use jungle::watchers::Event;
use otp_bridge_novm as _;

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
