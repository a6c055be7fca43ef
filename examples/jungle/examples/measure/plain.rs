//! The baseline for comparison, a tree without this crate: a map from paths to nodes, under one
//! lock.

use std::collections::HashMap;
use std::sync::RwLock;

use jungle::node::NodePath;

#[derive(Default)]
pub struct Plain {
    /// The number of children of each node, by its path.
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

    /// Counts the nodes at and below a path. It holds the lock for the whole walk, as a reader has
    /// to that must not see half an edit.
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
