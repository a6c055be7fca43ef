//! Durable storage of replicas: a folder with a log of everything that they have received. Opening
//! the folder replays the log.
//!
//! ```text
//! batch:   records (jungle_disk has the format of batches)
//! record:  length (8 bytes, little endian), payload
//! payload: 0, number          which replica this folder is
//!          1, name            a tree
//!          2, name, batch     what a tree has received
//!          3, name, snapshot  a tree as a whole
//!          4, number, name, snapshot, count, batches
//!                             a tree was replaced by this, followed by these batches, as another replica
//! ```

use std::collections::BTreeMap;
use std::fs;
use std::hash::{BuildHasher, RandomState};
use std::io;
use std::path::{Path, PathBuf};

use jungle_disk::{Error, Lock, Log, Manifest, Result};

use crate::batch::Batch;
use crate::coding::{self, Reader};
use crate::replica::{Received, Replica, Taken};

/// Trees by their names.
pub type Replicas = BTreeMap<String, Replica>;

/// Length of a record's head in bytes.
const HEAD: usize = 8;
/// A log that is smaller than this is not rewritten.
const SMALL: u64 = 1 << 20;

/// Name of the log file, and of its entry in the manifest.
pub(crate) const LOG: &str = "replicas";
pub(crate) const MANIFEST: &str = "replicas.manifest";
pub(crate) const LOCK: &str = "replicas.lock";

/// The log of a folder.
#[derive(Debug)]
pub struct Store {
    folder: PathBuf,
    log: Log,
    manifest: Manifest,
    /// Whether the name of a rewritten log may not be durable yet.
    is_renamed: bool,
    /// Length of the log when it was last rewritten.
    written: u64,
    id: u64,
    /// Locks the folder while the store is open.
    _lock: Lock,
}

/// A record to write.
#[derive(Debug, Clone, Copy)]
pub enum Record<'a> {
    /// A new tree.
    Tree(&'a str),
    /// A batch that a tree has received.
    Batch(&'a str, &'a Batch),
    /// A tree has taken a snapshot. The replica has a new number after this record.
    Taken(&'a str, &'a [u8], &'a Taken),
}

impl Store {
    /// Opens a folder, and reads its trees. An incomplete batch at the end is cut off, with a
    /// warning, and kept in a file beside it.
    ///
    /// # Errors
    /// An error of the disk, or another program has the folder open. `Corrupt` if the log is
    /// missing, damaged, or shorter than the manifest requires.
    pub fn open(folder: &Path) -> Result<(Self, Replicas)> {
        let lock = Lock::take(folder, LOCK)?;
        let manifest = Manifest::open(folder, MANIFEST, |name| name == LOG)?;
        let path = folder.join(LOG);
        let Some(at_least) = manifest.files().get(LOG).copied() else {
            return Self::create(folder, manifest, lock);
        };
        let before = fs::metadata(&path).map_or(0, |file| file.len());
        let (log, contents) = Log::open(&path, manifest.salt(LOG), at_least)?;
        let (id, trees) = replay(contents.payloads()).ok_or_else(|| unreadable(&path))?;
        // Other replicas may have received the edits that were cut off, so this replica must not
        // reuse their sequence numbers: it gets a new number.
        let known = id.filter(|_| log.length() == before);
        let mut store = Store {
            folder: folder.to_owned(),
            log,
            manifest,
            is_renamed: false,
            written: 0,
            id: known.unwrap_or_else(new_id),
            _lock: lock,
        };
        if known.is_none() {
            store.write(&identity(store.id)).map_err(Error::io(&path))?;
        }
        let trees = of_replica(trees, store.id);
        if store.log.length() >= SMALL {
            store.shrink(&trees)?;
        }
        store.list_length()?;
        Ok((store, trees))
    }

    fn create(folder: &Path, manifest: Manifest, lock: Lock) -> Result<(Self, Replicas)> {
        let path = folder.join(LOG);
        if path.exists() {
            Log::expect_unused(&path)?;
            fs::remove_file(&path).map_err(Error::io(&path))?;
        }
        let mut store = Store {
            folder: folder.to_owned(),
            log: Log::create(&path, manifest.salt(LOG))?,
            manifest,
            is_renamed: false,
            written: 0,
            id: new_id(),
            _lock: lock,
        };
        jungle_disk::sync_folder(folder)?;
        store.list_length()?;
        store.write(&identity(store.id)).map_err(Error::io(&path))?;
        Ok((store, Replicas::new()))
    }

    /// Records the log's present length in the manifest: a shorter log counts as damaged after
    /// this.
    fn list_length(&mut self) -> Result<()> {
        let length = self.log.length();
        self.manifest.set(LOG, length)
    }

    /// Reads the trees again from the disk, after a write has failed.
    ///
    /// # Errors
    /// An error of the disk; `Corrupt` if the log does not have the content that was written.
    pub fn read_again(&mut self) -> Result<Replicas> {
        let path = self.folder.join(LOG);
        let (_, contents) = Log::read(&path)?;
        let length = usize::try_from(self.log.length()).unwrap_or(usize::MAX);
        let (_, trees) =
            replay(contents.payloads_before(length)).ok_or_else(|| unreadable(&path))?;
        Ok(of_replica(trees, self.id))
    }

    /// Returns the number of the replica in this folder.
    #[must_use]
    pub fn id(&self) -> u64 {
        self.id
    }

    /// Writes records, and waits for the disk. Either all records are written, or none.
    ///
    /// # Errors
    /// An error of the disk. [`Store::read_again`] then returns the trees as they were before.
    pub fn append(&mut self, records: &[Record<'_>]) -> io::Result<()> {
        let mut bytes = Vec::new();
        for record in records {
            framed(&mut bytes, |to| record.write(to));
        }
        self.write(&bytes)
    }

    /// Continues under another number, which a [`Record::Taken`] has recorded.
    pub fn renumber(&mut self, id: u64) {
        self.id = id;
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.make_name_durable()?;
        self.log.append(bytes)
    }

    /// Makes a rename durable before the next acknowledgement: a crash could undo the rename
    /// otherwise, and lose acknowledged records.
    fn make_name_durable(&mut self) -> io::Result<()> {
        if self.is_renamed {
            jungle_disk::sync_folder(&self.folder).map_err(io::Error::other)?;
            self.is_renamed = false;
        }
        Ok(())
    }

    /// Returns whether the log has at least `least` bytes, and twice its length after the last
    /// rewrite.
    #[must_use]
    pub fn has_grown(&self, least: u64) -> bool {
        self.log.length() >= least.max(2 * self.written)
    }

    /// Rewrites the log as one snapshot of each tree, if the result is at most half as long.
    ///
    /// # Errors
    /// An error of the disk. Nothing is lost.
    pub fn shrink(&mut self, trees: &Replicas) -> Result<()> {
        let bytes = anew(self.id, trees);
        self.written = bytes.len() as u64;
        if self.written > self.log.length() / 2 {
            return Ok(());
        }
        self.log = replace(&self.folder, &bytes, &mut self.manifest)?;
        self.is_renamed = true;
        let durable = self.make_name_durable();
        durable.map_err(Error::io(&self.folder))
    }
}

/// Replaces the log of a folder by one that contains only these trees. The caller makes the rename
/// durable.
pub(crate) fn write_anew(
    folder: &Path,
    id: u64,
    trees: &Replicas,
    manifest: &mut Manifest,
) -> Result<()> {
    replace(folder, &anew(id, trees), manifest).map(drop)
}

/// Returns the records of a log that contains only these trees.
fn anew(id: u64, trees: &Replicas) -> Vec<u8> {
    let mut bytes = identity(id);
    for (name, tree) in trees {
        framed(&mut bytes, |to| {
            to.push(3);
            coding::bytes(to, name.as_bytes());
            coding::bytes(to, &tree.snapshot());
        });
    }
    bytes
}

fn replace(folder: &Path, bytes: &[u8], manifest: &mut Manifest) -> Result<Log> {
    let (path, unfinished) = (folder.join(LOG), folder.join("replicas.unfinished"));
    let _ = fs::remove_file(&unfinished);
    let written = Log::create_as(&unfinished, LOG, manifest.salt(LOG)).and_then(|mut log| {
        log.append(bytes).map_err(Error::io(&unfinished))?;
        // Until the rename, the manifest requires only the length that both files have.
        manifest.set(LOG, log.length())?;
        log.rename(&path)?;
        Ok(log)
    });
    written.inspect_err(|_| drop(fs::remove_file(&unfinished)))
}

impl Drop for Store {
    fn drop(&mut self) {
        if let Err(error) = self.list_length() {
            log::warn!("the manifest of replicas keeps an older length: {error}");
        }
    }
}

impl Record<'_> {
    fn write(self, to: &mut Vec<u8>) {
        match self {
            Record::Tree(name) => {
                to.push(1);
                coding::bytes(to, name.as_bytes());
            }
            Record::Batch(name, batch) => {
                to.push(2);
                coding::bytes(to, name.as_bytes());
                coding::batch(to, batch);
            }
            Record::Taken(name, snapshot, taken) => {
                to.push(4);
                coding::number(to, taken.replica.id());
                coding::bytes(to, name.as_bytes());
                coding::bytes(to, snapshot);
                coding::number(to, taken.after.len() as u64);
                taken.after.iter().for_each(|it| coding::batch(to, it));
            }
        }
    }
}

fn of_replica(mut trees: Replicas, id: u64) -> Replicas {
    trees.values_mut().for_each(|tree| tree.renumber(id));
    trees
}

/// Draws a replica number that no other replica has.
#[must_use]
pub fn new_id() -> u64 {
    RandomState::new().hash_one("jungle")
}

fn unreadable(path: &Path) -> Error {
    Error::corrupt(
        path,
        "a record is whole, but cannot follow the records before it",
    )
}

fn identity(id: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    framed(&mut bytes, |to| {
        to.push(0);
        coding::number(to, id);
    });
    bytes
}

fn framed(to: &mut Vec<u8>, payload: impl FnOnce(&mut Vec<u8>)) {
    let start = to.len();
    to.extend_from_slice(&[0; HEAD]);
    payload(to);
    let length = (to.len() - start - HEAD) as u64;
    to[start..start + HEAD].copy_from_slice(&length.to_le_bytes());
}

/// Replays batches into the replica's number and its trees.
fn replay<'b>(batches: impl Iterator<Item = &'b [u8]>) -> Option<(Option<u64>, Replicas)> {
    let (mut id, mut trees) = (None, Replicas::new());
    for batch in batches {
        let mut length = 0;
        for payload in records(batch) {
            replay_record(payload, &mut id, &mut trees)?;
            length += HEAD + payload.len();
        }
        (length == batch.len()).then_some(())?;
    }
    Some((id, trees))
}

/// Returns the payloads of the records of a batch, up to the first one that is not whole.
pub(crate) fn records(mut batch: &[u8]) -> impl Iterator<Item = &[u8]> {
    std::iter::from_fn(move || {
        let payload = first(batch)?;
        batch = &batch[HEAD + payload.len()..];
        Some(payload)
    })
}

/// Replays a record. Returns `None` if it cannot follow those before it; the trees are then
/// unchanged.
pub(crate) fn replay_record(
    payload: &[u8],
    id: &mut Option<u64>,
    trees: &mut Replicas,
) -> Option<()> {
    let mut reader = Reader(payload);
    match reader.byte()? {
        0 => *id = Some(reader.number()?),
        1 => {
            trees.insert(reader.text()?, Replica::new(0));
        }
        2 => {
            let tree = trees.get_mut(&reader.text()?)?;
            receive(tree, &reader.batch()?)?;
        }
        3 => {
            let name = reader.text()?;
            let tree = Replica::of_snapshot(0, reader.bytes()?).ok()?;
            trees.insert(name, tree);
        }
        4 => {
            *id = Some(reader.number()?);
            let name = reader.text()?;
            let mut tree = Replica::of_snapshot(0, reader.bytes()?).ok()?;
            for _ in 0..reader.number()? {
                receive(&mut tree, &reader.batch()?)?;
            }
            trees.insert(name, tree);
        }
        _ => return None,
    }
    reader.0.is_empty().then_some(())
}

fn receive(tree: &mut Replica, batch: &Batch) -> Option<()> {
    let received = tree.receive(batch).ok()?;
    matches!(received, Received::New(_)).then_some(())
}

/// Returns the payload of the first record.
fn first(bytes: &[u8]) -> Option<&[u8]> {
    let (head, rest) = bytes.split_first_chunk::<HEAD>()?;
    let length = usize::try_from(u64::from_le_bytes(*head)).ok()?;
    rest.get(..length).filter(|payload| !payload.is_empty())
}
