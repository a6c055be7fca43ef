//! The read benchmark: tasks that count the nodes of one tree.

use std::hint::black_box;

use jungle::jungle::create_jungle;
use jungle::node::Node;

use crate::plain::Plain;
use crate::{Setup, took};

/// Children of a node at each depth: eight levels, 843,151 nodes.
const WIDTHS: [u64; 7] = [7, 7, 7, 7, 7, 7, 6];

/// Builds a node with these levels below it. Equal subtrees are not shared: each has its own
/// memory, as in a tree that was built by edits.
pub fn node(widths: &[u64]) -> Node {
    let mut node = Node::new();
    if let Some((width, rest)) = widths.split_first() {
        for position in 0..*width {
            let child = self::node(rest);
            node = node.put_child_at(&[], position, child).expect("it fits");
        }
    }
    node
}

fn count(node: &Node) -> u64 {
    1 + node
        .children_from(0)
        .map(|(_, child)| count(child))
        .sum::<u64>()
}

fn plain(plain: &Plain, widths: &[u64], path: &mut Vec<u64>) {
    if let Some((width, rest)) = widths.split_first() {
        for position in 0..*width {
            plain.add_child(path);
            path.push(position);
            self::plain(plain, rest, path);
            path.pop();
        }
    }
}

pub fn measure(setup: &Setup) {
    let jungle = create_jungle();
    jungle.create_tree("a").expect("a tree");
    let root = node(&WIDTHS);
    let size = root.size();
    jungle.update_root_node("a", root).expect("a root");
    let other = Plain::default();
    plain(&other, &WIDTHS, &mut Vec::new());
    let tree = jungle.tree("a").expect("the tree");
    for round in 0..setup.rounds {
        for threads in &setup.threads {
            let took = took(*threads, setup.tasks, |_| {
                assert_eq!(count(&tree.read().node), size);
            });
            let nodes = setup.tasks as f64 * size as f64;
            setup.say_each(
                "read, ns a node",
                &format!("jungle {threads}"),
                round,
                took,
                nodes,
            );
        }
        for threads in &setup.threads {
            let took = took(*threads, setup.tasks, |_| {
                assert_eq!(black_box(other.count(&mut Vec::new())), size);
            });
            let nodes = setup.tasks as f64 * size as f64;
            let variant = format!("RwLock<HashMap> {threads}");
            setup.say_each("read, ns a node", &variant, round, took, nodes);
        }
    }
}
