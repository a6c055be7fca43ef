//! Versions of a tree that are kept: the newest ones, in memory, and those with a name, which are
//! on the disk, too.

use std::collections::VecDeque;
use std::sync::Arc;

use crate::error::{Error, MAX_KEY, Result, limited};
use crate::log::{Pending, record};
use crate::names::Names;
use crate::tree::{Newest, Tree, Version, lock};

/// Versions that are kept, of what is on the disk.
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
    /// Keeps so many versions, the newest ones, in memory, beside those with a name.
    pub fn keep_versions(&self, count: usize) {
        lock(&self.history).keep(count);
    }

    /// Gives the newest version a name, by which it is kept until that is dropped or given to
    /// another one, and waits until that is on the disk. Returns its number.
    ///
    /// # Errors
    /// `TooLarge` or `Storage`. The names are as before.
    pub fn name_version(self: &Arc<Self>, name: &str) -> Result<u64> {
        let (number, pending) = self.begin_name(name)?;
        pending.wait()?;
        Ok(number)
    }

    /// As [`Tree::name_version`], but the caller waits for the disk.
    ///
    /// # Errors
    /// As of [`Tree::name_version`].
    pub fn begin_name(self: &Arc<Self>, name: &str) -> Result<(u64, Pending)> {
        limited("name", name.len(), MAX_KEY)?;
        self.not_nested()?;
        let mut latest = lock(&self.latest);
        let number = latest.version.number;
        let names = latest.names.give(name, latest.version.clone());
        let count = names.count;
        let pending = self.set_names(&mut latest, names, |log, tree| {
            record::given(log, tree, count, number, name);
        })?;
        Ok((number, pending))
    }

    /// Drops a name, and with it the version, if nothing else keeps that. Waits until that is on
    /// the disk.
    ///
    /// # Errors
    /// `NoVersion` or `Storage`. The names are as before.
    pub fn drop_version(self: &Arc<Self>, name: &str) -> Result<()> {
        self.begin_drop(name)?.wait()
    }

    /// As [`Tree::drop_version`], but the caller waits for the disk.
    ///
    /// # Errors
    /// As of [`Tree::drop_version`].
    pub fn begin_drop(self: &Arc<Self>, name: &str) -> Result<Pending> {
        self.not_nested()?;
        let mut latest = lock(&self.latest);
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
        let pending = match &self.log {
            None => {
                lock(&self.history).names = names.clone();
                Pending::none()
            }
            Some((log, tree)) => {
                let mut bytes = Vec::new();
                record(&mut bytes, *tree);
                let (this, stored) = (self.clone(), names.clone());
                let outcome = move |is_written| match is_written {
                    true => lock(&this.history).names = stored,
                    false => this.take_back(),
                };
                log.add(&bytes, Box::new(outcome))?
            }
        };
        latest.names = names;
        Ok(pending)
    }

    /// The newest version that is on the disk, and the names at that time.
    pub(crate) fn stored(&self) -> Newest {
        let history = lock(&self.history);
        Newest {
            names: history.names.clone(),
            version: self.published(),
        }
    }

    /// The versions that are kept: their numbers, and a name.
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

    /// A version by its name, or by its number.
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
