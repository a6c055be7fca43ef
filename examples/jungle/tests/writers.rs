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

/// Long lists of changes are prepared side by side. Other writers use functions at the same time,
/// and some changes are of the parts of other writers.
#[test]
fn long_lists_of_changes_are_made_beside_each_other() {
    let jungle = create_jungle();
    jungle.create_tree_with("a", &["name".to_owned()]).unwrap();
    let tree = jungle.tree("a").unwrap();
    let parts = (0..WRITERS).map(|part| Change::Add(vec![], part)).collect();
    tree.begin_changes(parts).unwrap().1.wait().unwrap();
    let told = Arc::new(Mutex::new((tree.read().node.clone(), 1)));
    let copy = told.clone();
    let watcher = move |event: Event<'_>| {
        let Event::Changed(number, changes) = event else {
            panic!("the tree is neither renamed nor deleted");
        };
        let mut copy = copy.lock().unwrap();
        assert_eq!(copy.1 + 1, number);
        *copy = (Change::apply_all(changes, &copy.0).unwrap(), number);
        true
    };
    tree.watch(vec![], Box::new(watcher));
    const ROUNDS: u64 = 150;
    const LENGTH: u64 = 40;
    let list = |part: u64, round: u64| {
        let put = |at: u64, key: &str| {
            let value: &[u8] = &round.to_le_bytes();
            Change::Put(vec![part, at], key.into(), value.into())
        };
        let from = round * LENGTH;
        let added =
            (from..from + LENGTH).flat_map(|at| [Change::Add(vec![part], at), put(at, "name")]);
        // All writers set this one.
        let shared = Change::Put(vec![], "last".into(), [part as u8].into());
        added
            .chain(round.is_multiple_of(5).then_some(shared))
            .collect()
    };
    let tree = &tree;
    thread::scope(|scope| {
        for part in 0..WRITERS {
            scope.spawn(move || {
                for round in 0..ROUNDS {
                    let (_, pending) = tree.begin_changes(list(part, round)).unwrap();
                    pending.wait().unwrap();
                }
            });
        }
        scope.spawn(|| {
            for _ in 0..ROUNDS {
                tree.update(|root| root.add_child_at(&[])).unwrap();
            }
        });
    });
    let version = tree.read();
    assert_eq!(version.number, 1 + ROUNDS * (WRITERS + 1));
    assert_eq!(
        version.node.size(),
        1 + WRITERS + ROUNDS + WRITERS * ROUNDS * LENGTH
    );
    assert_eq!(told.lock().unwrap().0, version.node);
    let value = (ROUNDS - 1).to_le_bytes();
    let named = version
        .indexes
        .find("name", &value, None, usize::MAX)
        .unwrap();
    assert_eq!(named.len() as u64, WRITERS * LENGTH);
    let impossible: Vec<Change> = (0..LENGTH).map(|at| Change::Add(vec![], at)).collect();
    let refused = tree.begin_changes(impossible).map(|(number, _)| number);
    assert_eq!(refused, Err(Error::ChildExists(vec![0])));
    assert_eq!(told.lock().unwrap().1, version.number);
}
