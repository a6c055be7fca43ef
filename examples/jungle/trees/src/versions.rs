//! Old versions of a tree: the newest ones are kept in memory, and those with a name also on the
//! disk.

use std::collections::VecDeque;
use std::sync::Arc;

use crate::error::{Error, MAX_KEY, Result, limited};
use crate::log::{Pending, record};
use crate::names::Names;
use crate::publish::Replaced;
use crate::tree::{Newest, Tree, Version, lock};

/// The versions that are kept. All of them are on the disk, or were.
#[derive(Default)]
pub(crate) struct History {
    keep: usize,
    versions: VecDeque<Arc<Version>>,
    pub(crate) names: Names,
}

impl History {
    pub(crate) fn of(names: Names) -> Self {
        History {
            names,
            ..History::default()
        }
    }

    /// Returns whether versions without a name are kept.
    pub(crate) fn keeps(&self) -> bool {
        self.keep > 0
    }

    pub(crate) fn add(&mut self, version: Arc<Version>) {
        self.versions.push_back(version);
        self.keep(self.keep);
    }

    fn keep(&mut self, count: usize) {
        self.keep = count;
        while self.versions.len() > count {
            self.versions.pop_front();
        }
    }
}

impl Tree {
    /// Sets how many of the newest versions are kept in memory, in addition to those with a name.
    pub fn keep_versions(&self, count: usize) {
        lock(&self.history).keep(count);
    }

    /// Names the newest version, and waits until the name is on the disk. The version is kept until
    /// the name is dropped or given to another version. Returns the version's number.
    ///
    /// # Errors
    /// `TooLarge` or `Storage`. The names stay unchanged.
    pub fn name_version(self: &Arc<Self>, name: &str) -> Result<u64> {
        let (number, pending) = self.begin_name(name)?;
        pending.wait()?;
        Ok(number)
    }

    /// Like [`Tree::name_version`], but the caller waits for the disk.
    ///
    /// # Errors
    /// Those of [`Tree::name_version`].
    pub fn begin_name(self: &Arc<Self>, name: &str) -> Result<(u64, Pending)> {
        limited("name", name.len(), MAX_KEY)?;
        let mut latest = self.writable()?;
        let number = latest.version.number;
        let names = latest.names.give(name, latest.version.clone());
        let count = names.count;
        let pending = self.set_names(&mut latest, names, |log, tree| {
            record::given(log, tree, count, number, name);
        })?;
        Ok((number, pending))
    }

    /// Drops a name, and waits until that is on the disk. The version is dropped as well, unless it
    /// has another name or is one of the newest.
    ///
    /// # Errors
    /// `NoVersion` or `Storage`. The names stay unchanged.
    pub fn drop_version(self: &Arc<Self>, name: &str) -> Result<()> {
        self.begin_drop(name)?.wait()
    }

    /// Like [`Tree::drop_version`], but the caller waits for the disk.
    ///
    /// # Errors
    /// Those of [`Tree::drop_version`].
    pub fn begin_drop(self: &Arc<Self>, name: &str) -> Result<Pending> {
        let mut latest = self.writable()?;
        let names = latest.names.without(name);
        let names = names.ok_or_else(|| Error::NoVersion(name.to_owned()))?;
        let count = names.count;
        self.set_names(&mut latest, names, |log, tree| {
            record::dropped(log, tree, count, name);
        })
    }

    fn set_names(
        self: &Arc<Self>,
        latest: &mut Newest,
        names: Names,
        record: impl FnOnce(&mut Vec<u8>, u64),
    ) -> Result<Pending> {
        let stored = names.clone();
        let pending = self.record(record, move |tree| {
            lock(&tree.history).names = stored;
            Replaced::default()
        })?;
        latest.names = names;
        Ok(pending)
    }

    /// Returns the newest version that is on the disk, and the names at that time.
    pub(crate) fn stored(&self) -> Newest {
        let history = lock(&self.history);
        Newest {
            names: history.names.clone(),
            version: self.published(),
        }
    }

    /// Returns the numbers of the versions that are kept, each with a name.
    #[must_use]
    pub fn versions(&self) -> Vec<(u64, Option<String>)> {
        let history = lock(&self.history);
        let numbered = history.versions.iter();
        let numbered = numbered.map(|version| (version.number, None));
        let named = history.names.iter();
        let named = named.map(|(name, version)| (version.number, Some(name.clone())));
        let mut all: Vec<_> = numbered.chain(named).collect();
        all.sort();
        all
    }

    /// Returns a version by its name, or by its number.
    ///
    /// # Errors
    /// `NoVersion`.
    pub fn version(&self, name: &str) -> Result<Arc<Version>> {
        let history = lock(&self.history);
        let numbered = || {
            let number: u64 = name.parse().ok()?;
            let mut versions = history.versions.iter();
            versions.find(|version| version.number == number)
        };
        let found = history.names.get(name).or_else(numbered);
        let found = found.cloned();
        found.ok_or_else(|| Error::NoVersion(name.to_owned()))
    }
}
