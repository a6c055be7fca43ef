//! Measures durable writes, those that are on the disk when they are acknowledged, against redb;
//! and how fast a folder is recovered.

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use jungle::change::Change;
use jungle::jungle::{Jungle, create_jungle};
use jungle::tree::Tree;
use redb::{Database, TableDefinition};

use crate::{Setup, Took, took};

const TABLE: TableDefinition<(u64, u64), u64> = TableDefinition::new("edits");
/// Number of trees. One task writes each of them.
const TREES: usize = 16;
const EDITS: usize = 20_000;
/// Number of edits that a writer starts before it waits for their acknowledgement.
const TOGETHER: usize = 500;
/// Number of edits of each writer that are acknowledged one at a time.
const ALONE: usize = 100;
const RECOVERED: usize = 1_000_000;

fn edit(tree: &Arc<Tree>, number: usize) -> jungle::log::Pending {
    let at = number as u64 % 64;
    let edit =
        move |root: &jungle::node::Node| root.put_attribute(&[at], "count", number.to_le_bytes());
    tree.begin(edit).expect("a version").1
}

/// Starts all edits, then waits for them.
fn all(tree: &Arc<Tree>, numbers: Range<usize>) {
    let last = numbers.fold(None, |_, number| Some(edit(tree, number)));
    if let Some(last) = last {
        last.wait().expect("it is on the disk");
    }
}

fn open(jungle: Jungle) -> (Jungle, Vec<Arc<Tree>>) {
    let trees = (0..TREES).map(|number| {
        let name = number.to_string();
        jungle.create_tree(&name).expect("a tree");
        let tree = jungle.tree(&name).expect("the tree");
        let wide = |root: &jungle::node::Node| {
            (0..64).try_fold(root.clone(), |root, _| root.add_child_at(&[]))
        };
        tree.update(wide).expect("a version");
        tree
    });
    let trees = trees.collect();
    (jungle, trees)
}

/// Runs one writer per tree; each waits after `together` edits.
fn jungle(trees: &[Arc<Tree>], threads: usize, edits: usize, together: usize) -> Took {
    took(threads, TREES, |task| {
        for begin in (0..edits).step_by(together) {
            all(&trees[task], begin..begin + together);
        }
    })
}

/// Like `jungle`, but the edits that are acknowledged together make one version, as a transaction
/// does.
fn jungle_at_once(trees: &[Arc<Tree>], threads: usize, edits: usize, together: usize) -> Took {
    took(threads, TREES, |task| {
        for begin in (0..edits).step_by(together) {
            let numbers = begin..begin + together;
            let changes: Vec<Change> = numbers.map(put).collect();
            let (_, pending) = trees[task].begin_changes(changes).expect("a version");
            pending.wait().expect("it is on the disk");
        }
    })
}

fn put(number: usize) -> Change {
    let value: &[u8] = &number.to_le_bytes();
    Change::Put(vec![number as u64 % 64], "count".into(), value.into())
}

fn redb(database: &Database, threads: usize, edits: usize, together: usize) -> Took {
    took(threads, TREES, |task| {
        for begin in (0..edits).step_by(together) {
            let transaction = database.begin_write().expect("a transaction");
            let mut table = transaction.open_table(TABLE).expect("a table");
            for number in begin..begin + together {
                let key = (task as u64, number as u64 % 64);
                table.insert(key, number as u64).expect("an edit");
            }
            drop(table);
            transaction.commit().expect("it is on the disk");
        }
    })
}

pub fn measure(setup: &Setup) {
    let folder = |name: &str, round| setup.folder.join(format!("{name}-{round}"));
    for round in 0..setup.rounds {
        for threads in setup.threads.iter().copied().chain([TREES]) {
            let case = format!("on the disk, ns an edit, {TOGETHER} acknowledged together");
            let say = |case: &str, variant: &str, took: Took, edits: usize| {
                let variant = format!("{variant} {threads}");
                setup.say_each(case, &variant, round, took, (edits * TREES) as f64);
            };
            let (_kept, trees) = open(create_jungle());
            say(
                &case,
                "memory",
                jungle(&trees, threads, EDITS, TOGETHER),
                EDITS,
            );
            let path = folder(&format!("log-{threads}"), round);
            let (_kept, trees) = open(Jungle::open(&path).expect("a folder"));
            say(
                &case,
                "log",
                jungle(&trees, threads, EDITS, TOGETHER),
                EDITS,
            );
            say(
                &case,
                "log, one version",
                jungle_at_once(&trees, threads, EDITS, TOGETHER),
                EDITS,
            );
            let alone = "on the disk, ns an edit, each waits";
            say(alone, "log", jungle(&trees, threads, ALONE, 1), ALONE);
            let path = folder(&format!("redb-{threads}"), round);
            let database = Database::create(path).expect("a database");
            say(
                &case,
                "redb",
                redb(&database, threads, EDITS, TOGETHER),
                EDITS,
            );
            say(alone, "redb", redb(&database, threads, ALONE, 1), ALONE);
        }
        recovery(setup, &folder("recovery", round), round);
    }
}

fn recovery(setup: &Setup, path: &Path, round: u32) {
    let (jungle, trees) = open(Jungle::open(path).expect("a folder"));
    let each = RECOVERED / TREES;
    for tree in &trees {
        all(tree, 0..each);
    }
    drop((jungle, trees));
    let open = |variant: &str| {
        let begun = Instant::now();
        let jungle = Jungle::open(path).expect("what was written");
        let took = begun.elapsed().as_secs_f64();
        setup.say("recovery, edits/s", variant, round, RECOVERED as f64 / took);
        jungle
    };
    open("log").compact(0).expect("snapshots");
    open("snapshot of the same");
}
