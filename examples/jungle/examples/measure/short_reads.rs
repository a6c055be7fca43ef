//! The benchmark of short reads: each call of the crate's interface that a reader makes, many times
//! on each thread. Readers of one tree must not slow each other down.

use std::hint::black_box;

use jungle::jungle::{Jungle, create_jungle};
use jungle::query::Query;
use jungle::query::predicate::Predicate;

use crate::{Setup, took};

/// Number of calls that each task makes. They take a second or two on one thread: the time until
/// the system runs the second thread must not count.
const CALLS: usize = 200_000;
/// Number of calls of a kind that takes some nanoseconds only.
const SHORT: usize = 5_000_000;
/// Number of tasks. It is the same for any number of threads, so the work is, too.
const TASKS: usize = 8;
/// Number of children of the root.
const CHILDREN: u64 = 64;

/// A kind of read.
type Read = fn(&Jungle, u64);

/// The kinds of reads, with their names and numbers of calls.
const READS: [(&str, usize, Read); 7] = [
    ("get_root_node", SHORT, |jungle, _| {
        black_box(jungle.get_root_node("a").expect("the tree").size());
    }),
    ("get_root_node and get_attributes", SHORT, |jungle, at| {
        let root = jungle.get_root_node("a").expect("the tree");
        black_box(root.get_attributes(&[at], "name").expect("the node"));
    }),
    ("get_root_node and get_children", CALLS, |jungle, at| {
        let root = jungle.get_root_node("a").expect("the tree");
        black_box(root.get_children(&[at]).expect("the node").len());
    }),
    ("get_root_node, kept", SHORT, |jungle, _| {
        black_box(jungle.get_root_node("a").expect("the tree").kept());
    }),
    ("read", SHORT, |jungle, _| {
        black_box(jungle.read("a").expect("the tree").number);
    }),
    ("select by an index", CALLS, |jungle, at| {
        let query = Query {
            predicate: Some(Predicate::Equal(
                "name".to_owned(),
                at.to_le_bytes().to_vec().into(),
            )),
            ..Query::default()
        };
        let version = jungle.read("a").expect("the tree");
        black_box(query.select(&version).expect("a page"));
    }),
    ("range", CALLS, |jungle, at| {
        let version = jungle.read("a").expect("the tree");
        let value = at.to_le_bytes();
        let found = version.indexes.range("name", &value, &value, None, 1);
        black_box(found.expect("the index"));
    }),
];

pub fn measure(setup: &Setup) {
    let jungle = create_jungle();
    jungle
        .create_tree_with("a", &["name".to_owned()])
        .expect("a tree");
    let all = |root: &jungle::node::Node| {
        (0..CHILDREN).try_fold(root.clone(), |root, at| {
            let root = root.add_child_at(&[])?;
            root.put_attribute(&[at], "name", at.to_le_bytes())
        })
    };
    jungle.update_root_node_with("a", all).expect("a version");
    for round in 0..setup.rounds {
        for (name, calls, read) in READS {
            for threads in &setup.threads {
                let took = took(*threads, TASKS, |_| {
                    (0..calls as u64).for_each(|number| read(&jungle, number % CHILDREN));
                });
                let case = format!("short reads, ns a call: {name}");
                let variant = format!("jungle {threads}");
                setup.say_each(&case, &variant, round, took, (TASKS * calls) as f64);
            }
        }
    }
}
