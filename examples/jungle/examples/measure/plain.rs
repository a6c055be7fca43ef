//! A tree as one would have it without this crate: nodes by their paths in a map, under one lock.

use std::collections::HashMap;
use std::sync::RwLock;

use jungle::node::NodePath;

#[derive(Default)]
pub struct Plain {
    /// How many children a node has.
    nodes: RwLock<HashMap<NodePath, u64>>,
}

impl Plain {
    pub fn add_child(&self, path: &[u64]) {
        let mut nodes = self.nodes.write().expect("nobody has panicked");
        let count = nodes.entry(path.to_vec()).or_default();
        let child = [path, &[*count]].concat();
        *count += 1;
        nodes.insert(child, 0);
    }

    /// Counts the nodes at and below a path, under the lock, as a reader that must not see half an
    /// edit.
    pub fn count(&self, path: &mut NodePath) -> u64 {
        fn below(nodes: &HashMap<NodePath, u64>, path: &mut NodePath) -> u64 {
            let mut count = 1;
            for position in 0..nodes.get(path).copied().unwrap_or(0) {
                path.push(position);
                count += below(nodes, path);
                path.pop();
            }
            count
        }
        below(&self.nodes.read().expect("nobody has panicked"), path)
    }
}
