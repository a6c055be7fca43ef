//! The write benchmark: tasks that each build a tree, with one version for each node; several
//! writers of one tree; and 10,000 nodes that are declared at once.

use std::time::Instant;

use jungle::change::Change;
use jungle::jungle::{Jungle, create_jungle};
use jungle::node::Node;

use crate::plain::Plain;
use crate::{Setup, Took, took};

/// Children of a node: six levels, 9,331 nodes.
const WIDTH: u64 = 6;
const LEVELS: usize = 5;
/// Number of nodes that building a tree adds.
const NODES: f64 = 9330.0;
/// Number of edits of one tree in each round, and of those in long lists. They take a second: the
/// time until the system runs the second thread must not count.
const EDITS: usize = 1_000_000;
const LISTED: usize = 4_000_000;
/// Number of parts of a tree that are changed side by side, and of the children of each.
const PARTS: u64 = 2;
const WIDE: u64 = 64;
/// Number of edits in one version.
const TOGETHER: usize = 500;

/// Builds a tree by adding one node after the other.
fn build(levels: usize, path: &mut Vec<u64>, add: &impl Fn(&[u64])) {
    if levels > 0 {
        for position in 0..WIDTH {
            add(path);
            path.push(position);
            build(levels - 1, path, add);
            path.pop();
        }
    }
}

fn trees(jungle: &Jungle, threads: usize, tasks: usize) -> Took {
    for task in 0..tasks {
        jungle.create_tree(&task.to_string()).expect("a tree");
    }
    took(threads, tasks, |task| {
        let tree = jungle.tree(&task.to_string()).expect("the tree");
        build(LEVELS, &mut Vec::new(), &|path| {
            let path = path.to_vec();
            tree.update(move |root| root.add_child_at(&path))
                .expect("a version");
        });
    })
}

pub fn measure(setup: &Setup) {
    for round in 0..setup.rounds {
        for threads in &setup.threads {
            let edits = setup.tasks as f64 * NODES;
            let written = trees(&create_jungle(), *threads, setup.tasks);
            let case = "write, ns an edit";
            setup.say_each(case, &format!("jungle {threads}"), round, written, edits);
            let plain = Plain::default();
            let written = took(*threads, setup.tasks, |task| {
                build(LEVELS, &mut vec![task as u64], &|path| {
                    plain.add_child(path)
                });
            });
            let variant = format!("RwLock<HashMap> {threads}");
            setup.say_each(case, &variant, round, written, edits);
            one_tree(setup, *threads, round);
            parts_of_one_tree(setup, *threads, round);
        }
        declared(setup, round);
    }
}

fn one_tree(setup: &Setup, threads: usize, round: u32) {
    let jungle = create_jungle();
    jungle.create_tree("a").expect("a tree");
    let tree = jungle.tree("a").expect("the tree");
    for _ in 0..64 {
        tree.update(|root| root.add_child_at(&[]))
            .expect("a version");
    }
    let took = took(threads, EDITS, |number| {
        let at = number as u64 % 64;
        tree.update(move |root| root.put_attribute(&[at], "count", number.to_le_bytes()))
            .expect("a version");
    });
    let variant = format!("jungle {threads}");
    setup.say_each("one tree, ns an edit", &variant, round, took, EDITS as f64);
}

/// Writers that each change another part of one tree, with many edits in a version.
fn parts_of_one_tree(setup: &Setup, threads: usize, round: u32) {
    let jungle = create_jungle();
    jungle.create_tree("a").expect("a tree");
    let wide = |root: &Node, path: &[u64]| {
        (0..WIDE).try_fold(root.clone(), |root, _| root.add_child_at(path))
    };
    let all =
        move |root: &Node| (0..PARTS).try_fold(wide(root, &[])?, |root, part| wide(&root, &[part]));
    jungle.update_root_node_with("a", all).expect("a version");
    let tree = jungle.tree("a").expect("the tree");
    let took = took(threads, PARTS as usize, |part| {
        for round in 0..LISTED / TOGETHER / PARTS as usize {
            let put = |edit: usize| {
                let path = vec![part as u64, edit as u64 % WIDE];
                let value: &[u8] = &(round + edit).to_le_bytes();
                Change::Put(path, "count".into(), value.into())
            };
            let changes = (0..TOGETHER).map(put).collect();
            let (_, pending) = tree.begin_changes(changes).expect("a version");
            pending.wait().expect("it is in memory");
        }
    });
    let case = format!("one tree, ns an edit, {TOGETHER} in a version");
    setup.say_each(
        &case,
        &format!("jungle {threads}"),
        round,
        took,
        LISTED as f64,
    );
}

/// Declares 10,000 nodes, once with a version for each and once in a single version.
fn declared(setup: &Setup, round: u32) {
    let jungle = create_jungle();
    jungle.create_tree("a").expect("a tree");
    let tree = jungle.tree("a").expect("the tree");
    let begun = Instant::now();
    for _ in 0..10_000 {
        tree.update(|root| root.add_child_at(&[]))
            .expect("a version");
    }
    let took = begun.elapsed().as_secs_f64();
    setup.say(
        "10,000 nodes declared, s",
        "jungle, each a version",
        round,
        took,
    );
    let jungle = Jungle::open(&setup.folder.join(format!("declared-{round}"))).expect("a folder");
    jungle.create_tree("a").expect("a tree");
    let begun = Instant::now();
    let all = |root: &jungle::node::Node| {
        (0..10_000).try_fold(root.clone(), |root, _| root.add_child_at(&[]))
    };
    jungle.update_root_node_with("a", all).expect("a version");
    let took = begun.elapsed().as_secs_f64();
    setup.say(
        "10,000 nodes declared, s",
        "jungle, one version on the disk",
        round,
        took,
    );
}
