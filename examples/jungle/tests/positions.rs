//! Property: a path always names one node, whichever roots replace each other.

mod common;

use common::Folder;
use jungle::error::{Error, Result};
use jungle::jungle::Jungle;
use jungle::node::{Node, Position};
use otp_bridge_novm as _;
use proptest::prelude::*;

/// Collects the next positions of all nodes, by their paths.
fn next(node: &Node, path: &mut Vec<Position>, all: &mut Vec<(Vec<Position>, Position)>) {
    all.push((path.clone(), node.next_position()));
    for (position, child) in node.children_from(0) {
        path.push(position);
        next(child, path, all);
        path.pop();
    }
}

fn all_next(node: &Node) -> Vec<(Vec<Position>, Position)> {
    let mut all = Vec::new();
    next(node, &mut Vec::new(), &mut all);
    all
}

#[test]
fn an_older_root_does_not_bring_positions_back() {
    let folder = Folder::new("older-root");
    let jungle = Jungle::open(&folder.0).unwrap();
    jungle.create_tree("a").unwrap();
    let add = || jungle.update_root_node_with("a", |root| root.add_child_at(&[]));
    add().unwrap();
    let older = jungle.get_root_node("a").unwrap().clone();
    add().unwrap();
    jungle.update_root_node("a", older).unwrap();
    add().unwrap();
    let live = jungle.get_root_node("a").unwrap().clone();
    assert!(live.child(1).is_none(), "position 1 named another node");
    assert!(live.child(2).is_some());
    drop(jungle);
    let jungle = Jungle::open(&folder.0).unwrap();
    assert_eq!(*jungle.get_root_node("a").unwrap(), live);
}

/// A step of a test: kind, path, and a number that selects an operand.
type Step = (u8, Vec<Position>, usize);

fn step(root: &Node, older: &[Node], (what, path, which): &Step) -> Result<Node> {
    match what {
        0..4 => root.add_child_at(path),
        4..6 => root.delete_child_at(path, *which as Position % 3),
        6 => root.put_child_at(path, *which as Position % 3, Node::new()),
        _ => Ok(older[which % older.len()].clone()),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    /// The live tree, the tree that was opened again and the tree from a snapshot assign equal
    /// positions, and never a position twice.
    #[test]
    fn a_tree_that_is_opened_again_goes_on_with_the_same_positions(
        steps in prop::collection::vec((0u8..8, prop::collection::vec(0u64..3, 0..3), 0usize..40), 0..40),
        compacts in 0usize..40,
    ) {
        let folder = Folder::new("positions");
        let jungle = Jungle::open(&folder.0).unwrap();
        jungle.create_tree("a").unwrap();
        let mut older = vec![Node::new()];
        let mut given = std::collections::BTreeSet::new();
        for (number, edit) in steps.iter().enumerate() {
            let before = jungle.get_root_node("a").unwrap().clone();
            let Ok(edited) = step(&before, &older, edit) else { continue };
            if edit.0 < 4 {
                let position = before.at(&edit.1).unwrap().next_position();
                let path = [&edit.1[..], &[position]].concat();
                prop_assert!(given.insert(path.clone()), "{path:?} was given twice");
            } else if edit.0 == 6 {
                given.insert([&edit.1[..], &[edit.2 as Position % 3]].concat());
            }
            jungle.update_root_node("a", edited).unwrap();
            older.push(jungle.get_root_node("a").unwrap().clone());
            if number == compacts {
                jungle.compact(0).unwrap();
            }
        }
        let live = jungle.get_root_node("a").unwrap().clone();
        drop(jungle);
        for _ in 0..2 {
            let jungle = Jungle::open(&folder.0).unwrap();
            let found = jungle.get_root_node("a").unwrap();
            prop_assert_eq!(all_next(&found), all_next(&live));
            prop_assert_eq!(&*found, &live);
            jungle.compact(0).unwrap();
        }
    }
}

#[test]
fn a_change_in_a_function_that_changes_the_same_tree_is_an_error() {
    let jungle = std::sync::Arc::new(jungle::jungle::create_jungle());
    jungle.create_tree("a").unwrap();
    jungle.create_tree("b").unwrap();
    let inner = jungle.clone();
    let edited = jungle.update_root_node_with("a", move |root| {
        let nested = inner.update_root_node_with("a", |root| root.add_child_at(&[]));
        assert_eq!(nested, Err(Error::Nested));
        assert_eq!(inner.update_root_node("a", Node::new()), Err(Error::Nested));
        let tree = inner.tree("a")?;
        assert_eq!(tree.name_version("x"), Err(Error::Nested));
        assert_eq!(tree.drop_version("x"), Err(Error::Nested));
        assert_eq!(tree.latest().number, 0);
        // Another tree may be changed.
        inner.update_root_node_with("b", |root| root.add_child_at(&[]))?;
        root.add_child_at(&[])
    });
    assert_eq!(edited, Ok(1));
    assert_eq!(
        jungle.update_root_node_with("a", |root| root.add_child_at(&[])),
        Ok(2)
    );
}
