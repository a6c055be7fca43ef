//! Names of versions. A named version is kept until its name is dropped.

use std::sync::Arc;

use crate::map::Map;
use crate::tree::Version;

/// The names of a tree's versions. Cloning them copies one reference.
#[derive(Debug, Clone, Default)]
pub(crate) struct Names {
    /// How many names were given or dropped. Replaying a log skips those that a snapshot already
    /// has.
    pub(crate) count: u64,
    given: Map<String, Arc<Version>>,
}

impl Names {
    /// Gives a version a name, and takes the name from an earlier version.
    pub(crate) fn give(&self, name: &str, version: Arc<Version>) -> Self {
        let mut given = self.given.clone();
        given.insert(name.to_owned(), version);
        let count = self.count + 1;
        Names { count, given }
    }

    /// Drops a name. Returns `None` if it does not exist.
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
