//! A snapshot: each tree of a group at one version.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::sync::Arc;

use crate::change::Change;
use crate::node::{Node, NodePath};
use crate::tree::Version;

use super::record;

/// So many changes, and about so many bytes, are in one record.
const CHUNK: usize = 512;
const BYTES: usize = 1 << 20;

/// A tree that is written: its number in the log, its name, and a version of it.
pub(crate) type Written = (u64, String, Arc<Version>);

/// Writes the file, and synchronises it. Returns its length.
pub(crate) fn write(path: &Path, trees: &[Written]) -> io::Result<u64> {
    let mut file = BufWriter::with_capacity(1 << 18, File::create(path)?);
    let mut bytes = Vec::new();
    for (tree, name, version) in trees {
        let keys = version.indexes.keys();
        record::tree(&mut bytes, *tree, version.number, name, &keys);
        let mut part = Part {
            file: &mut file,
            tree: *tree,
            bytes: std::mem::take(&mut bytes),
            changes: Vec::new(),
            values: 0,
        };
        part.node(&version.node, &mut NodePath::new())?;
        part.flush()?;
    }
    record::end(&mut bytes, trees.len() as u64);
    file.write_all(&bytes)?;
    let file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
    file.sync_all()?;
    Ok(file.metadata()?.len())
}

struct Part<'f> {
    file: &'f mut BufWriter<File>,
    tree: u64,
    bytes: Vec<u8>,
    changes: Vec<Change>,
    /// How many bytes the values of these changes have.
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
            node,
            indexes: Indexes::new(&[]),
        };
        let path = std::env::temp_dir().join(format!("jungle-records-{}", std::process::id()));
        write(&path, &[(1, "a".to_owned(), Arc::new(version))]).unwrap();
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
