//! Concurrent writers, readers and watchers of one tree.

use std::sync::{Arc, Mutex};
use std::thread;

use jungle::change::{Change, diff};
use jungle::error::Error;
use jungle::jungle::create_jungle;
use jungle::node::Node;
use jungle::watchers::Event;
use otp_bridge_novm as _;

const WRITERS: u64 = 4;
const EDITS: u64 = 3000;

#[test]
fn each_edit_of_each_writer_happens_once_and_is_told_in_order() {
    let jungle = create_jungle();
    jungle.create_tree("a").unwrap();
    let told = Arc::new(Mutex::new((Node::new(), 0)));
    let copy = told.clone();
    jungle.tree("a").unwrap().watch(
        vec![],
        Box::new(move |event| {
            let Event::Changed(number, changes) = event else {
                panic!("the tree is neither renamed nor deleted");
            };
            let mut copy = copy.lock().unwrap();
            assert_eq!(copy.1 + 1, number);
            copy.1 = number;
            for change in changes {
                copy.0 = change.apply(&copy.0).unwrap();
            }
            true
        }),
    );
    let jungle = &jungle;
    thread::scope(|scope| {
        for writer in 0..WRITERS {
            scope.spawn(move || {
                for _ in 0..EDITS {
                    let edit = move |root: &Node| {
                        let key = writer.to_string();
                        let count = root.get_attributes(&[], &key)?;
                        let count = count
                            .map_or(0, |count| u64::from_le_bytes((**count).try_into().unwrap()));
                        root.put_attribute(&[], &key, (count + 1).to_le_bytes())
                    };
                    jungle.update_root_node_with("a", edit).unwrap();
                }
            });
        }
        scope.spawn(move || {
            let mut last = 0;
            while last < WRITERS * EDITS {
                let number = jungle.tree("a").unwrap().read().number;
                assert!(number >= last);
                last = number;
            }
        });
    });
    let root = jungle.get_root_node("a").unwrap();
    for writer in 0..WRITERS {
        let count = root.get_attributes(&[], &writer.to_string()).unwrap();
        assert_eq!(count.map(|count| &**count), Some(&EDITS.to_le_bytes()[..]));
    }
    assert_eq!(root, told.lock().unwrap().0);
}

#[test]
fn a_failed_or_panicking_edit_changes_nothing() {
    let jungle = create_jungle();
    jungle.create_tree("a").unwrap();
    assert_eq!(
        jungle.create_tree("a"),
        Err(Error::TreeExists("a".to_owned()))
    );
    let panicked = jungle.update_root_node_with("a", |_| panic!("no"));
    assert_eq!(panicked, Err(Error::Panicked("no".to_owned())));
    let failed =
        jungle.update_root_node_with("a", |root| root.add_child_at(&[])?.add_child_at(&[7]));
    assert_eq!(failed, Err(Error::NoNode(vec![7])));
    assert_eq!(jungle.get_root_node("a").unwrap(), Node::new());
    let missing = jungle.get_root_node("b").map(drop);
    assert_eq!(missing, Err(Error::NoTree("b".to_owned())));
}

#[test]
fn versions_are_kept_named_and_compared() {
    let jungle = create_jungle();
    jungle.create_tree("a").unwrap();
    let tree = jungle.tree("a").unwrap();
    tree.keep_versions(2);
    for _ in 0..3 {
        tree.update(|root| root.add_child_at(&[])).unwrap();
    }
    assert_eq!(tree.name_version("three"), Ok(3));
    tree.update(|root| root.add_child_at(&[1])).unwrap();
    tree.update(|root| root.add_child_at(&[1])).unwrap();
    let versions = [(3, Some("three".to_owned())), (4, None), (5, None)];
    assert_eq!(tree.versions(), versions);
    let (three, four) = (tree.version("three").unwrap(), tree.version("4").unwrap());
    assert_eq!(diff(&three.node, &four.node), [Change::Add(vec![1], 0)]);
    assert!(matches!(tree.version("2"), Err(Error::NoVersion(_))));
}
