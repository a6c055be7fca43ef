//! The records of a log, each with a length and a checksum.
//!
//! ```text
//! record:  length (4 bytes, little endian), CRC-32 of the payload (4 bytes), payload
//! payload: 1, tree, name, keys of its indexes      a new tree
//!          2, tree, number, changes                one version of a tree: all of its changes, or none
//!          6, tree, count, number, name            this version has a name; `count` names were given or dropped by then
//!          7, tree, count, name                    a name was dropped
//!          10, tree                                the tree was deleted
//!          11, tree, name                          the tree is called like this
//!          12, tree, keys                          the tree has indexes of these keys only
//!
//! in a snapshot:
//!          3, tree, number, name, keys of its indexes    a tree and its version
//!          4, tree, changes                              a part of what makes that version of an empty root
//!          8, tree, name                                 the version so far has this name
//!          9, tree, number, highest, count               what follows makes this later version of the tree, in which
//!                                                        no position is larger; 6 and 7
//!          13, tree                                      the log after the snapshot deletes this tree: its records are skipped
//!          14, salt                                      the first record: the number of the file in its folder
//!          5, count                                      the end: how many trees there are
//! ```

use crate::change::Change;

/// Content of a record.
#[derive(Debug, Clone, PartialEq)]
pub enum Record {
    /// A tree was created: its number in this log, its name, its indexed keys.
    Create(u64, String, Vec<String>),
    /// A tree has a new version.
    Version(u64, u64, Vec<Change>),
    /// A version got a name: the tree, how many names were given or dropped by then, the version,
    /// the name.
    Given(u64, u64, u64, String),
    /// A name was dropped: the tree, how many names were given or dropped by then, the name.
    Dropped(u64, u64, String),
    /// A tree was deleted.
    Deleted(u64),
    /// A tree has another name.
    Renamed(u64, String),
    /// A tree has indexes of these keys.
    Indexed(u64, Vec<String>),
    /// In a snapshot: the log after it deletes this tree.
    Gone(u64),
    /// A tree in a snapshot: its number in the log, its version, its name, its indexed keys.
    Tree(u64, u64, String, Vec<String>),
    /// A part of the tree's content in a snapshot.
    Part(u64, Vec<Change>),
    /// The version that the preceding parts make has this name.
    Named(u64, String),
    /// The parts that follow make this version of the tree. The other numbers are an upper bound of
    /// the positions that were ever assigned, and how many names were given or dropped.
    Next(u64, u64, u64, u64),
    /// The beginning of a snapshot: the number of the file in its folder.
    Folder(u64),
    /// The end of a snapshot, with the number of trees.
    End(u64),
}

impl Record {
    /// Returns the number of the record's tree.
    #[must_use]
    pub fn tree(&self) -> Option<u64> {
        match self {
            Record::Create(tree, ..)
            | Record::Version(tree, ..)
            | Record::Given(tree, ..)
            | Record::Dropped(tree, ..)
            | Record::Deleted(tree)
            | Record::Renamed(tree, _)
            | Record::Indexed(tree, _)
            | Record::Gone(tree)
            | Record::Tree(tree, ..)
            | Record::Part(tree, _)
            | Record::Named(tree, _)
            | Record::Next(tree, ..) => Some(*tree),
            Record::Folder(_) | Record::End(_) => None,
        }
    }
}

/// Maximum length of a record. A version with more changes is refused.
pub const MAX_RECORD: usize = 1 << 30;
/// Length of a record's head: its length and its checksum.
const HEAD: usize = 8;

/// Appends a new version to a log.
pub fn version(log: &mut Vec<u8>, tree: u64, number: u64, changes: &[Change]) {
    framed(log, |log| {
        log.push(2);
        integer(log, tree);
        integer(log, number);
        all(log, changes);
    });
}

/// Appends the name of a version to a log.
pub fn given(log: &mut Vec<u8>, tree: u64, count: u64, number: u64, name: &str) {
    framed(log, |log| {
        log.push(6);
        [tree, count, number]
            .iter()
            .for_each(|it| integer(log, *it));
        bytes(log, name.as_bytes());
    });
}

/// Appends to a log that a name was dropped.
pub fn dropped(log: &mut Vec<u8>, tree: u64, count: u64, name: &str) {
    framed(log, |log| {
        log.push(7);
        [tree, count].iter().for_each(|it| integer(log, *it));
        bytes(log, name.as_bytes());
    });
}

/// Appends to a log that a tree was deleted.
pub fn deleted(log: &mut Vec<u8>, tree: u64) {
    of_tree(log, 10, tree);
}

/// Appends to a snapshot that the log after it deletes this tree.
pub fn gone(log: &mut Vec<u8>, tree: u64) {
    of_tree(log, 13, tree);
}

fn of_tree(log: &mut Vec<u8>, tag: u8, number: u64) {
    framed(log, |log| {
        log.push(tag);
        integer(log, number);
    });
}

/// Appends a tree's new name to a log.
pub fn renamed(log: &mut Vec<u8>, tree: u64, name: &str) {
    framed(log, |log| {
        log.push(11);
        integer(log, tree);
        bytes(log, name.as_bytes());
    });
}

/// Appends the keys of a tree's indexes to a log.
pub fn indexed(log: &mut Vec<u8>, tree: u64, indexed: &[String]) {
    framed(log, |log| {
        log.push(12);
        integer(log, tree);
        keys(log, indexed);
    });
}

/// Appends the creation of a tree to a log.
pub fn create(log: &mut Vec<u8>, tree: u64, name: &str, indexed: &[String]) {
    framed(log, |log| {
        log.push(1);
        integer(log, tree);
        keyed(log, name, indexed);
    });
}

/// Appends a tree to a snapshot.
pub fn tree(log: &mut Vec<u8>, tree: u64, number: u64, name: &str, indexed: &[String]) {
    framed(log, |log| {
        log.push(3);
        integer(log, tree);
        integer(log, number);
        keyed(log, name, indexed);
    });
}

/// Appends a part of a tree to a snapshot.
pub fn part(log: &mut Vec<u8>, tree: u64, changes: &[Change]) {
    framed(log, |log| {
        log.push(4);
        integer(log, tree);
        all(log, changes);
    });
}

/// Appends to a snapshot that the version which the preceding parts make has this name.
pub fn named(log: &mut Vec<u8>, tree: u64, name: &str) {
    framed(log, |log| {
        log.push(8);
        integer(log, tree);
        bytes(log, name.as_bytes());
    });
}

/// Appends to a snapshot which version the parts that follow make.
pub fn next(log: &mut Vec<u8>, tree: u64, number: u64, highest: u64, count: u64) {
    framed(log, |log| {
        log.push(9);
        [tree, number, highest, count]
            .iter()
            .for_each(|it| integer(log, *it));
    });
}

/// Begins a snapshot with the number of the file in its folder.
pub fn folder(log: &mut Vec<u8>, salt: u64) {
    of_tree(log, 14, salt);
}

/// Appends the end to a snapshot with this number of trees.
pub fn end(log: &mut Vec<u8>, count: u64) {
    framed(log, |log| {
        log.push(5);
        integer(log, count);
    });
}

fn keyed(log: &mut Vec<u8>, name: &str, indexed: &[String]) {
    bytes(log, name.as_bytes());
    keys(log, indexed);
}

fn keys(log: &mut Vec<u8>, keys: &[String]) {
    integer(log, keys.len() as u64);
    keys.iter().for_each(|key| bytes(log, key.as_bytes()));
}

fn all(log: &mut Vec<u8>, changes: &[Change]) {
    integer(log, changes.len() as u64);
    changes.iter().for_each(|change| self::change(log, change));
}

fn framed(log: &mut Vec<u8>, payload: impl FnOnce(&mut Vec<u8>)) {
    let start = log.len();
    log.extend_from_slice(&[0; HEAD]);
    payload(log);
    let length = log.len() - start - HEAD;
    let sum = crc32fast::hash(&log[start + HEAD..]);
    // The caller refuses a record whose length does not fit into the head, before it is written.
    let length = u32::try_from(length).unwrap_or(u32::MAX);
    log[start..start + 4].copy_from_slice(&length.to_le_bytes());
    log[start + 4..start + HEAD].copy_from_slice(&sum.to_le_bytes());
}

fn change(log: &mut Vec<u8>, change: &Change) {
    let (tag, path) = match change {
        Change::Add(path, _) => (0, path),
        Change::Delete(path, _) => (1, path),
        Change::Put(path, ..) => (2, path),
        Change::Remove(path, _) => (3, path),
        Change::Reserve(path, _) => (4, path),
    };
    log.push(tag);
    integer(log, path.len() as u64);
    path.iter().for_each(|position| integer(log, *position));
    match change {
        Change::Add(_, position) | Change::Delete(_, position) | Change::Reserve(_, position) => {
            integer(log, *position);
        }
        Change::Put(_, key, value) => {
            bytes(log, key.as_bytes());
            bytes(log, value);
        }
        Change::Remove(_, key) => bytes(log, key.as_bytes()),
    }
}

/// Appends an integer in groups of seven bits, the lowest group first.
fn integer(log: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        log.push(value as u8 | 0x80);
        value >>= 7;
    }
    log.push(value as u8);
}

fn bytes(log: &mut Vec<u8>, bytes: &[u8]) {
    integer(log, bytes.len() as u64);
    log.extend_from_slice(bytes);
}

/// Reads the first record. Returns it and its length with the head, or `None` if it is not whole.
#[must_use]
pub fn read(log: &[u8]) -> Option<(Record, usize)> {
    let length = u32::from_le_bytes(log.get(..4)?.try_into().ok()?) as usize;
    let sum = u32::from_le_bytes(log.get(4..HEAD)?.try_into().ok()?);
    let payload = log.get(HEAD..)?.get(..length)?;
    if length > MAX_RECORD || crc32fast::hash(payload) != sum {
        return None;
    }
    let mut rest = Reader(payload);
    let record = rest.record()?;
    rest.0.is_empty().then_some((record, HEAD + length))
}

/// Reader of the rest of a payload.
struct Reader<'p>(&'p [u8]);

impl Reader<'_> {
    fn record(&mut self) -> Option<Record> {
        match self.byte()? {
            1 => {
                let tree = self.integer()?;
                let (name, keys) = self.keyed()?;
                Some(Record::Create(tree, name, keys))
            }
            2 => {
                let (tree, number) = (self.integer()?, self.integer()?);
                Some(Record::Version(tree, number, self.all()?))
            }
            3 => {
                let (tree, number) = (self.integer()?, self.integer()?);
                let (name, keys) = self.keyed()?;
                Some(Record::Tree(tree, number, name, keys))
            }
            4 => {
                let tree = self.integer()?;
                Some(Record::Part(tree, self.all()?))
            }
            5 => Some(Record::End(self.integer()?)),
            6 => {
                let (tree, count) = (self.integer()?, self.integer()?);
                Some(Record::Given(tree, count, self.integer()?, self.text()?))
            }
            7 => {
                let (tree, count) = (self.integer()?, self.integer()?);
                Some(Record::Dropped(tree, count, self.text()?))
            }
            8 => Some(Record::Named(self.integer()?, self.text()?)),
            9 => {
                let (tree, number) = (self.integer()?, self.integer()?);
                let highest = self.integer()?;
                Some(Record::Next(tree, number, highest, self.integer()?))
            }
            10 => Some(Record::Deleted(self.integer()?)),
            11 => Some(Record::Renamed(self.integer()?, self.text()?)),
            12 => Some(Record::Indexed(self.integer()?, self.keys()?)),
            13 => Some(Record::Gone(self.integer()?)),
            14 => Some(Record::Folder(self.integer()?)),
            _ => None,
        }
    }

    fn keyed(&mut self) -> Option<(String, Vec<String>)> {
        Some((self.text()?, self.keys()?))
    }

    fn keys(&mut self) -> Option<Vec<String>> {
        let count = self.integer()?;
        (0..count).map(|_| self.text()).collect()
    }

    fn all(&mut self) -> Option<Vec<Change>> {
        let count = self.integer()?;
        (0..count).map(|_| self.change()).collect()
    }

    fn change(&mut self) -> Option<Change> {
        let tag = self.byte()?;
        let length = self.integer()?;
        let path: Option<_> = (0..length).map(|_| self.integer()).collect();
        let path = path?;
        Some(match tag {
            0 => Change::Add(path, self.integer()?),
            1 => Change::Delete(path, self.integer()?),
            2 => Change::Put(path, self.text()?.into(), self.bytes()?.into()),
            3 => Change::Remove(path, self.text()?.into()),
            4 => Change::Reserve(path, self.integer()?),
            _ => return None,
        })
    }

    fn byte(&mut self) -> Option<u8> {
        let (first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(*first)
    }

    fn integer(&mut self) -> Option<u64> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            value |= u64::from(byte & 0x7f).checked_shl(shift)?;
            if byte < 0x80 {
                return Some(value);
            }
        }
        None
    }

    fn bytes(&mut self) -> Option<&[u8]> {
        let length = usize::try_from(self.integer()?).ok()?;
        let (bytes, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(bytes)
    }

    fn text(&mut self) -> Option<String> {
        String::from_utf8(self.bytes()?.to_vec()).ok()
    }
}
