//! Adding and dropping indexes of a tree that exists.

use std::sync::Arc;

use crate::change::diff;
use crate::error::{Error, MAX_KEY, Result, limited};
use crate::index::Indexes;
use crate::log::{Pending, record};
use crate::tree::{Newest, Tree, Version};

impl Tree {
    /// Adds an index of an attribute, unless there is one, and waits until that is on the disk.
    ///
    /// # Errors
    /// `TooLarge`, `Storage`, `NoTree` if the tree was deleted, `Replicated` if it is only shown
    /// here, or `Nested`. The indexes stay as they are.
    pub fn add_index(self: &Arc<Self>, key: &str) -> Result<()> {
        self.begin_add_index(key)?.wait()
    }

    /// Like [`Tree::add_index`], but the caller waits for the disk. The index is built while others
    /// write. They wait only while it is brought up to date.
    ///
    /// # Errors
    /// Those of [`Tree::add_index`].
    pub fn begin_add_index(self: &Arc<Self>, key: &str) -> Result<Pending> {
        limited("key", key.len(), MAX_KEY)?;
        let before = self.writable()?.version.clone();
        if before.indexes.has(key) {
            return Ok(self.pending());
        }
        let mut added = Indexes::of(&[key.to_owned()], &before.node);
        let mut latest = self.writable()?;
        if latest.version.indexes.has(key) {
            return Ok(self.pending());
        }
        for change in diff(&before.node, &latest.version.node) {
            added.change(&before.node, &change);
        }
        let mut indexes = latest.version.indexes.clone();
        indexes.add(&added);
        self.set_indexes(&mut latest, indexes)
    }

    /// Drops an index, and waits until that is on the disk.
    ///
    /// # Errors
    /// `NotIndexed`; those of [`Tree::add_index`].
    pub fn drop_index(self: &Arc<Self>, key: &str) -> Result<()> {
        self.begin_drop_index(key)?.wait()
    }

    /// Like [`Tree::drop_index`], but the caller waits for the disk.
    ///
    /// # Errors
    /// Those of [`Tree::drop_index`].
    pub fn begin_drop_index(self: &Arc<Self>, key: &str) -> Result<Pending> {
        let mut latest = self.writable()?;
        let mut indexes = latest.version.indexes.clone();
        match indexes.remove_key(key) {
            true => self.set_indexes(&mut latest, indexes),
            false => Err(Error::NotIndexed(key.to_owned())),
        }
    }

    /// Makes the newest version have other indexes. Its number stays, because the nodes stay.
    pub(crate) fn set_indexes(
        self: &Arc<Self>,
        latest: &mut Newest,
        indexes: Indexes,
    ) -> Result<Pending> {
        let version = Arc::new(Version {
            indexes,
            ..Version::clone(&latest.version)
        });
        let keys = version.indexes.keys();
        let published = version.clone();
        let pending = self.record(
            |log, tree| record::indexed(log, tree, &keys),
            move |tree| tree.set_published(published),
        )?;
        latest.version = version;
        Ok(pending)
    }
}
