//! Versions of a tree that have a name, which are kept until the name is dropped.

use std::sync::Arc;

use crate::map::Map;
use crate::tree::Version;

/// The names of a tree's versions. A clone is one reference.
#[derive(Debug, Clone, Default)]
pub(crate) struct Names {
    /// How often one was given or dropped: what a snapshot has already is not done again.
    pub(crate) count: u64,
    given: Map<String, Arc<Version>>,
}

impl Names {
    /// With one more; an earlier version of this name has none any more.
    pub(crate) fn give(&self, name: &str, version: Arc<Version>) -> Self {
        let mut given = self.given.clone();
        given.insert(name.to_owned(), version);
        let count = self.count + 1;
        Names { count, given }
    }

    /// Without one. `None` if there is no such name.
    pub(crate) fn without(&self, name: &str) -> Option<Self> {
        let mut given = self.given.clone();
        given.remove(&name.to_owned())?;
        let count = self.count + 1;
        Some(Names { count, given })
    }

    pub(crate) fn get(&self, name: &str) -> Option<&Arc<Version>> {
        self.given.get(name)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (&String, &Arc<Version>)> {
        self.given.iter()
    }
}
