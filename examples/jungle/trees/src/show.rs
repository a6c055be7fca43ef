//! Shows a tree that is kept elsewhere. Readers use it like any other tree.

use std::fmt;
use std::sync::Arc;

use crate::index::Indexes;
use crate::node::Node;
use crate::tree::{Tree, lock};

/// Makes the versions of a shown tree. It is the only writer: others get
/// [`Replicated`](crate::error::Error::Replicated).
pub struct Show {
    tree: Arc<Tree>,
}

impl Show {
    pub(crate) fn of(tree: Arc<Tree>) -> Self {
        Show { tree }
    }

    /// Makes a version with this root, if it differs from the newest one. Returns the version's
    /// number.
    pub fn set(&self, root: Node) -> u64 {
        let mut latest = lock(&self.tree.latest);
        let prepared = self.tree.prepare(latest.version.clone(), root);
        let number = latest.version.number;
        let committed = self.tree.commit(&mut latest, prepared);
        committed.map_or(number, |(number, _)| number)
    }

    /// Replaces the indexes by indexes of these attributes.
    pub fn index(&self, keys: &[String]) {
        let mut latest = lock(&self.tree.latest);
        if latest.version.indexes.keys() != keys {
            let indexes = Indexes::of(keys, &latest.version.node);
            // It is in memory, so there is nothing to wait for.
            drop(self.tree.set_indexes(&mut latest, indexes));
        }
    }
}

impl fmt::Debug for Show {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Show of version {}", self.tree.read().number)
    }
}
