//! The format of a snapshot: each tree of a group in its newest version, and the named versions.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::Path;

use crate::change::{Change, diff};
use crate::node::{Node, NodePath};
use crate::tree::{Newest, Version};

use super::record;

/// Limits of a record: number of changes, and approximate size in bytes.
const CHUNK: usize = 512;
const BYTES: usize = 1 << 20;

/// A tree to be written.
pub(crate) struct Written {
    /// The tree's number in the log.
    pub(crate) tree: u64,
    pub(crate) name: String,
    pub(crate) newest: Newest,
}

/// Writes and synchronises a file with the path `unfinished`, and renames it to `path`, so that the
/// name is that of a whole snapshot. `salt` is the number of the file in its folder. `gone` are the
/// trees that the log after the snapshot deletes. Returns the file's length.
pub(crate) fn write(
    (unfinished, path): (&Path, &Path),
    salt: Option<u64>,
    trees: &[Written],
    gone: &[u64],
) -> io::Result<u64> {
    let written = write_all(unfinished, salt, trees, gone).and_then(|length| {
        fs::rename(unfinished, path)?;
        Ok(length)
    });
    written.inspect_err(|_| drop(fs::remove_file(unfinished)))
}

fn write_all(path: &Path, salt: Option<u64>, trees: &[Written], gone: &[u64]) -> io::Result<u64> {
    let mut file = BufWriter::with_capacity(1 << 18, File::create(path)?);
    if let Some(salt) = salt {
        let mut bytes = Vec::new();
        record::folder(&mut bytes, salt);
        file.write_all(&bytes)?;
    }
    for tree in trees {
        tree.write(&mut file)?;
    }
    let mut bytes = Vec::new();
    gone.iter().for_each(|tree| record::gone(&mut bytes, *tree));
    record::end(&mut bytes, trees.len() as u64);
    file.write_all(&bytes)?;
    let file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
    file.sync_all()?;
    Ok(file.metadata()?.len())
}

/// A version and its names.
type Named<'v> = (&'v Version, Vec<&'v str>);

impl Written {
    /// Writes the oldest named version as a whole, and each later version as differences.
    fn write(&self, file: &mut BufWriter<File>) -> io::Result<()> {
        let versions = self.versions();
        let count = self.newest.names.count;
        let mut part = Part {
            file,
            tree: self.tree,
            bytes: Vec::new(),
            changes: Vec::new(),
            values: 0,
        };
        let mut before: Option<&Version> = None;
        for (version, names) in versions {
            match before {
                None => {
                    // The named versions get the indexes of the newest one.
                    let keys = self.newest.version.indexes.keys();
                    let bytes = &mut part.bytes;
                    record::tree(bytes, self.tree, version.number, &self.name, &keys);
                    part.node(&version.node, &mut NodePath::new())?;
                }
                Some(before) => {
                    let (number, highest) = (version.number, version.highest);
                    record::next(&mut part.bytes, self.tree, number, highest, count);
                    let mut changes = diff(&before.node, &version.node).into_iter();
                    changes.try_for_each(|change| part.push(change))?;
                }
            }
            part.flush()?;
            for name in names {
                record::named(&mut part.bytes, self.tree, name);
            }
            before = Some(version);
        }
        // Replaying the snapshot counts each of these names as given; this record corrects the
        // count.
        let newest = &self.newest.version;
        record::next(
            &mut part.bytes,
            self.tree,
            newest.number,
            newest.highest,
            count,
        );
        part.flush()
    }

    /// Returns the versions to write, in order. The newest version is the last.
    fn versions(&self) -> Vec<Named<'_>> {
        let mut by_number: BTreeMap<u64, Named<'_>> = BTreeMap::new();
        let newest = &*self.newest.version;
        by_number.insert(newest.number, (newest, Vec::new()));
        for (name, version) in self.newest.names.iter() {
            let known = by_number.entry(version.number);
            known.or_insert((version, Vec::new())).1.push(name);
        }
        by_number.into_values().collect()
    }
}

struct Part<'f> {
    file: &'f mut BufWriter<File>,
    tree: u64,
    bytes: Vec<u8>,
    changes: Vec<Change>,
    /// Size of the values in these changes, in bytes.
    values: usize,
}

impl Part<'_> {
    fn node(&mut self, node: &Node, path: &mut NodePath) -> io::Result<()> {
        for (key, value) in node.attributes() {
            self.push(Change::Put(path.clone(), key.clone(), value.clone()))?;
        }
        let mut next = 0;
        for (position, child) in node.children_from(0) {
            self.push(Change::Add(path.clone(), position))?;
            next = position + 1;
            path.push(position);
            self.node(child, path)?;
            path.pop();
        }
        match next < node.next_position() {
            true => self.push(Change::Reserve(path.clone(), node.next_position())),
            false => Ok(()),
        }
    }

    fn push(&mut self, change: Change) -> io::Result<()> {
        if let Change::Put(_, _, value) = &change {
            self.values += value.len();
        }
        self.changes.push(change);
        match self.changes.len() == CHUNK || self.values > BYTES {
            true => self.flush(),
            false => Ok(()),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        if !self.changes.is_empty() {
            record::part(&mut self.bytes, self.tree, &self.changes);
            self.changes.clear();
            self.values = 0;
        }
        self.file.write_all(&self.bytes)?;
        self.bytes.clear();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::index::Indexes;
    use crate::log::record::{Record, read};

    #[test]
    fn records_do_not_become_larger_with_the_tree() {
        let mut node = Node::new();
        for number in 0..40 {
            let value = vec![number; BYTES / 4];
            node = node.put_attribute(&[], &number.to_string(), value).unwrap();
        }
        let version = Version {
            number: 7,
            highest: node.highest(),
            node,
            indexes: Indexes::new(&[]),
            shares: crate::share::Shares::default(),
        };
        let path = std::env::temp_dir().join(format!("jungle-records-{}", std::process::id()));
        let newest = Newest {
            version: Arc::new(version),
            names: crate::names::Names::default(),
        };
        let name = "a".to_owned();
        let tree = 1;
        write_all(&path, None, &[Written { tree, name, newest }], &[]).unwrap();
        let bytes = std::fs::read(&path).unwrap();
        std::fs::remove_file(&path).unwrap();
        let (mut rest, mut parts) = (&bytes[..], 0);
        while let Some((record, length)) = read(rest) {
            assert!(length < 2 * BYTES);
            parts += usize::from(matches!(record, Record::Part(..)));
            rest = &rest[length..];
        }
        assert!(rest.is_empty());
        assert_eq!(parts, 8, "five values are more than the limit");
    }
}
