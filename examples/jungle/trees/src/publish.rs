//! Commits: a new version is added to the log, and becomes visible when it is on the disk.
//!
//! A tree publishes all its versions of one batch in one step: readers see only the last one.
//! Watchers get the changes of each.

use std::sync::{Arc, Mutex};

use crate::change::Change;
use crate::error::Result;
use crate::log::{Pending, pending::Batch, record};
use crate::node::Node;
use crate::share::Shares;
use crate::tree::{Newest, Prepared, Tree, Version, lock};
use crate::watchers::Event;

/// A version that is not published yet.
struct Made {
    number: u64,
    changes: Vec<Change>,
    /// `None` if a later version is published instead, and the tree does not keep old ones.
    version: Option<Arc<Version>>,
}

/// What was published, and the version before. Dropping it takes a while, because every change has
/// memory of its own. So that happens when no writer waits for it.
#[derive(Default)]
pub(crate) struct Replaced {
    _before: Option<Arc<Version>>,
    _made: Vec<Made>,
}

/// The versions of a tree that are not on the disk yet, and the batch of their records.
pub(crate) struct Unpublished {
    batch: Arc<Batch>,
    versions: Arc<Mutex<Vec<Made>>>,
}

impl Tree {
    /// Carries a prepared version over to the newest one. Returns `None` if both have changed one
    /// thing: then the changes have to be made again.
    pub(crate) fn rebased(&self, latest: &Arc<Version>, prepared: Prepared) -> Option<Prepared> {
        let before = &prepared.before;
        if Arc::ptr_eq(latest, before) {
            return Some(prepared);
        }
        let mut node = latest.node.clone();
        let after = &prepared.version.node;
        node.rebase(&before.node, after).ok()?;
        // The values that the changes replace are the same in both versions.
        Some(self.prepared(latest.clone(), node, &before.node, prepared.changes))
    }

    /// Prepares the version that these changes of the root `old` make.
    pub(crate) fn prepared(
        &self,
        before: Arc<Version>,
        node: Node,
        old: &Node,
        changes: Vec<Change>,
    ) -> Prepared {
        let mut indexes = before.indexes.clone();
        for change in &changes {
            indexes.change(old, change);
        }
        let number = before.number + 1;
        let mut record = Vec::new();
        if let Some((_, tree)) = &self.log {
            record::version(&mut record, *tree, number, &changes);
        }
        let version = Arc::new(Version {
            number,
            highest: before.highest.max(node.highest()),
            node,
            indexes,
            shares: Shares::default(),
        });
        Prepared {
            before,
            version,
            changes,
            record,
        }
    }

    /// Makes a prepared version the newest one. The caller waits for the disk.
    pub(crate) fn commit(
        self: &Arc<Self>,
        latest: &mut Newest,
        prepared: Prepared,
    ) -> Result<(u64, Pending)> {
        let Prepared {
            version,
            changes,
            record,
            ..
        } = prepared;
        if changes.is_empty() {
            // The caller may have seen a version that is not on the disk yet.
            return Ok((latest.version.number, self.pending()));
        }
        let number = version.number;
        let pending = self.add_version(&record, version.clone(), changes)?;
        latest.version = version;
        Ok((number, pending))
    }

    /// Adds the record of a version to the log: to the batch of the tree's previous versions, if
    /// that is still being collected. A tree in memory publishes the version at once.
    fn add_version(
        self: &Arc<Self>,
        record: &[u8],
        version: Arc<Version>,
        changes: Vec<Change>,
    ) -> Result<Pending> {
        let made = Made {
            number: version.number,
            changes,
            version: Some(version),
        };
        let Some((log, _)) = &self.log else {
            return Ok(Pending::done(self.publish(vec![made])));
        };
        let mut made = Some(made);
        let mut unpublished = lock(&self.unpublished);
        if let Some(Unpublished { batch, versions }) = &*unpublished {
            let keeps = lock(&self.history).keeps();
            // Dropped here, because this thread has the nodes of the version in its caches.
            let mut before = None;
            let extended = log.extend(record, batch, || {
                let mut versions = lock(versions);
                let last = versions.last_mut().filter(|_| !keeps);
                before = last.and_then(|last| last.version.take());
                versions.extend(made.take());
            })?;
            if let Some(pending) = extended {
                return Ok(pending);
            }
        }
        let versions: Arc<Mutex<Vec<Made>>> = Arc::default();
        lock(&versions).extend(made);
        let collected = versions.clone();
        let publish = move |tree: Arc<Tree>| {
            let versions = std::mem::take(&mut *lock(&collected));
            tree.publish(versions)
        };
        let pending = self.add(record, publish)?;
        *unpublished = pending.batch().map(|batch| Unpublished { batch, versions });
        Ok(pending)
    }

    /// Returns a future that completes when the changes up to now are on the disk.
    pub(crate) fn pending(&self) -> Pending {
        let log = self.log.as_ref();
        log.map_or_else(Pending::none, |(log, _)| log.pending())
    }

    /// Adds a record to the log, and calls `done` when it is on the disk. If it cannot be written,
    /// the tree is rolled back. A tree in memory calls `done` at once. The caller has locked
    /// `latest`.
    fn add(
        self: &Arc<Self>,
        record: &[u8],
        done: impl FnOnce(Arc<Self>) -> Replaced + Send + 'static,
    ) -> Result<Pending> {
        let this = self.clone();
        let Some((log, _)) = &self.log else {
            return Ok(Pending::done(done(this)));
        };
        let outcome = move |is_written| match is_written {
            true => done(this),
            false => {
                this.take_back();
                Replaced::default()
            }
        };
        log.add(record, Box::new(outcome))
    }

    /// Adds the record of a change that is not a version, and calls `done` when it is on the disk.
    /// `record` writes it, with the number of the tree in the log. The caller has locked `latest`.
    pub(crate) fn record(
        self: &Arc<Self>,
        record: impl FnOnce(&mut Vec<u8>, u64),
        done: impl FnOnce(Arc<Self>) -> Replaced + Send + 'static,
    ) -> Result<Pending> {
        // Later versions are published after this change, not with the earlier ones.
        *lock(&self.unpublished) = None;
        let mut bytes = Vec::new();
        if let Some((_, number)) = &self.log {
            record(&mut bytes, *number);
        }
        self.add(&bytes, done)
    }

    /// Tells the log that the tree is deleted.
    pub(crate) fn forget_in_log(&self) {
        if let Some((log, number)) = &self.log {
            log.add_deleted(*number);
        }
    }

    /// Makes a version visible. Returns the one before.
    pub(crate) fn set_published(&self, version: Arc<Version>) -> Replaced {
        Replaced {
            _before: Some(self.published.swap(version)),
            _made: Vec::new(),
        }
    }

    /// Rolls back to the newest version that is on the disk.
    pub(crate) fn take_back(&self) {
        let mut latest = lock(&self.latest);
        *latest = self.stored();
        *lock(&self.unpublished) = None;
        *lock(&self.deleted) = None;
    }

    /// Makes the last one of some versions visible, and tells the watchers about all of them.
    fn publish(&self, versions: Vec<Made>) -> Replaced {
        let last = versions.last().and_then(|last| last.version.clone());
        let mut replaced = last.map(|it| self.set_published(it)).unwrap_or_default();
        let mut history = lock(&self.history);
        let made = versions.iter().filter_map(|made| made.version.clone());
        made.for_each(|version| history.add(version));
        drop(history);
        for made in &versions {
            self.tell(&Event::Changed(made.number, &made.changes));
        }
        replaced._made = versions;
        replaced
    }
}
