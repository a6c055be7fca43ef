//! Replicas in a folder: a log of what they have received, which is read when the folder is opened.
//!
//! ```text
//! record:  length (4 bytes, little endian), CRC-32 of the payload (4 bytes), payload
//! payload: 0, number          which replica this folder is
//!          1, name            a tree
//!          2, name, batch     what a tree has received
//!          3, name, snapshot  a tree as a whole
//!          4, number, name, snapshot, count, batches
//!                             a tree has become this, and goes on by these batches, as another replica
//! ```

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::hash::{BuildHasher, RandomState};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use crate::batch::Batch;
use crate::coding::{self, Reader};
use crate::replica::{Received, Replica, Taken};

/// Trees by their names.
pub type Replicas = BTreeMap<String, Replica>;

/// The length and the checksum of a record.
const HEAD: usize = 8;
/// A log that is smaller is not written anew.
const SMALL: u64 = 1 << 20;

/// How often a log that somebody has open is tried, and the time between.
const TRIES: usize = 40;
const BETWEEN_TRIES: Duration = Duration::from_millis(10);

/// The log of a folder.
#[derive(Debug)]
pub struct Store {
    path: PathBuf,
    file: File,
    /// How many bytes are known to be good.
    length: u64,
    /// There may be more, which could not be taken back.
    is_torn: bool,
    /// The name of a log that was written anew may not be on the disk.
    is_renamed: bool,
    /// How many it had when it was written anew.
    written: u64,
    id: u64,
}

/// What is to be written.
#[derive(Debug, Clone, Copy)]
pub enum Record<'a> {
    /// A new tree.
    Tree(&'a str),
    /// What a tree has received.
    Batch(&'a str, &'a Batch),
    /// A tree has taken a snapshot. This replica has another number from then on.
    Taken(&'a str, &'a [u8], &'a Taken),
}

impl Store {
    /// Opens a folder, and reads its trees. An incomplete record at the end is cut off, with a
    /// message, and kept in a file beside it.
    ///
    /// # Errors
    /// Those of the disk; `InvalidData` if a whole record is not what was written, or if another
    /// program has the folder open.
    pub fn open(folder: &Path) -> io::Result<(Self, Replicas)> {
        fs::create_dir_all(folder)?;
        let path = folder.join("replicas");
        let mut file = open_log(&path)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        let (id, trees, whole) = replay(&bytes).ok_or_else(|| {
            let what = format!("{} is damaged", path.display());
            io::Error::new(io::ErrorKind::InvalidData, what)
        })?;
        if whole < bytes.len() {
            let aside = PathBuf::from(format!("{}.cut-{whole}", path.display()));
            fs::write(&aside, &bytes[whole..])?;
            file.set_len(whole as u64)?;
            let cut = bytes.len() - whole;
            eprintln!(
                "{}: {cut} bytes of an incomplete record were cut off at byte {whole}",
                path.display()
            );
        }
        // Others may have what was cut off, so this replica does not count on from there.
        let known = id.filter(|_| whole == bytes.len());
        let mut store = Store {
            path,
            file,
            length: whole as u64,
            is_torn: false,
            is_renamed: false,
            written: 0,
            id: known.unwrap_or_else(new_id),
        };
        if known.is_none() {
            store.write(&store.identity())?;
            File::open(folder)?.sync_all()?;
        }
        let trees = of_replica(trees, store.id);
        if store.length >= SMALL {
            store.shrink(&trees)?;
        }
        Ok((store, trees))
    }

    /// Reads what is on the disk, after a write has failed.
    ///
    /// # Errors
    /// Those of the disk; `InvalidData` if something else is there than what was written.
    pub fn read_again(&mut self) -> io::Result<Replicas> {
        let mut bytes = fs::read(&self.path)?;
        bytes.truncate(usize::try_from(self.length).unwrap_or(usize::MAX));
        let read = replay(&bytes).filter(|(.., whole)| *whole == bytes.len());
        let (_, trees, _) = read.ok_or(io::ErrorKind::InvalidData)?;
        Ok(of_replica(trees, self.id))
    }

    /// Which replica this folder is.
    #[must_use]
    pub fn id(&self) -> u64 {
        self.id
    }

    /// Writes records, and waits for the disk. All of them are there, or none.
    ///
    /// # Errors
    /// Those of the disk. Then [`Store::read_again`] gives the trees as they were.
    pub fn append(&mut self, records: &[Record<'_>]) -> io::Result<()> {
        let mut bytes = Vec::new();
        for record in records {
            framed(&mut bytes, |to| record.write(to));
        }
        self.write(&bytes)
    }

    /// Goes on under another number, which [`Record::Taken`] has written.
    pub fn renumber(&mut self, id: u64) {
        self.id = id;
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.mend()?;
        let written = self
            .file
            .write_all(bytes)
            .and_then(|()| self.file.sync_data());
        if let Err(error) = written {
            self.is_torn = true;
            let _ = self.mend();
            return Err(error);
        }
        self.length += bytes.len() as u64;
        Ok(())
    }

    /// Does what has failed before. Nothing that is acknowledged may come after it.
    fn mend(&mut self) -> io::Result<()> {
        if self.is_torn {
            self.file.set_len(self.length)?;
            self.is_torn = false;
        }
        if self.is_renamed {
            File::open(self.folder())?.sync_all()?;
            self.is_renamed = false;
        }
        Ok(())
    }

    fn folder(&self) -> &Path {
        self.path.parent().unwrap_or(Path::new("."))
    }

    fn identity(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        framed(&mut bytes, |to| {
            to.push(0);
            coding::number(to, self.id);
        });
        bytes
    }

    /// Whether the log has so many bytes, and twice as many as when it was written anew.
    #[must_use]
    pub fn has_grown(&self, least: u64) -> bool {
        self.length >= least.max(2 * self.written)
    }

    /// Writes the log anew: a snapshot of each tree, if that is at most half as long.
    ///
    /// # Errors
    /// Those of the disk. Nothing is lost.
    pub fn shrink(&mut self, trees: &Replicas) -> io::Result<()> {
        let mut bytes = self.identity();
        for (name, tree) in trees {
            framed(&mut bytes, |to| {
                to.push(3);
                coding::bytes(to, name.as_bytes());
                coding::bytes(to, &tree.snapshot());
            });
        }
        self.written = bytes.len() as u64;
        if self.written > self.length / 2 {
            return Ok(());
        }
        let unfinished = self.folder().join("replicas.unfinished");
        let written = open_log(&unfinished).and_then(|mut file| {
            file.set_len(0)?;
            file.write_all(&bytes)?;
            file.sync_all()?;
            fs::rename(&unfinished, &self.path)?;
            Ok(file)
        });
        self.file = written.inspect_err(|_| drop(fs::remove_file(&unfinished)))?;
        self.length = bytes.len() as u64;
        (self.is_torn, self.is_renamed) = (false, true);
        self.mend()
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

fn open_log(path: &Path) -> io::Result<File> {
    let file = OpenOptions::new()
        .read(true)
        .append(true)
        .create(true)
        .open(path)?;
    // A process that was killed closes it a little later.
    for _ in 0..TRIES {
        if file.try_lock().is_ok() {
            return Ok(file);
        }
        thread::sleep(BETWEEN_TRIES);
    }
    let what = format!("{} is in use by another program", path.display());
    Err(io::Error::new(io::ErrorKind::InvalidData, what))
}

/// Nobody else draws the same.
#[must_use]
pub fn new_id() -> u64 {
    RandomState::new().hash_one("jungle")
}

fn framed(to: &mut Vec<u8>, payload: impl FnOnce(&mut Vec<u8>)) {
    let start = to.len();
    to.extend_from_slice(&[0; HEAD]);
    payload(to);
    let length = (to.len() - start - HEAD) as u32;
    let sum = crc32fast::hash(&to[start + HEAD..]);
    to[start..start + 4].copy_from_slice(&length.to_le_bytes());
    to[start + 4..start + HEAD].copy_from_slice(&sum.to_le_bytes());
}

/// The replica's number, the trees, and how many bytes are whole.
fn replay(bytes: &[u8]) -> Option<(Option<u64>, Replicas, usize)> {
    let (mut id, mut trees, mut at) = (None, Replicas::new(), 0);
    while let Some(payload) = whole(&bytes[at..]) {
        at += HEAD + payload.len();
        let mut reader = Reader(payload);
        match reader.byte()? {
            0 => id = Some(reader.number()?),
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
                id = Some(reader.number()?);
                let name = reader.text()?;
                let mut tree = Replica::of_snapshot(0, reader.bytes()?).ok()?;
                for _ in 0..reader.number()? {
                    receive(&mut tree, &reader.batch()?)?;
                }
                trees.insert(name, tree);
            }
            _ => return None,
        }
        if !reader.0.is_empty() {
            return None;
        }
    }
    Some((id, trees, at))
}

fn receive(tree: &mut Replica, batch: &Batch) -> Option<()> {
    let received = tree.receive(batch).ok()?;
    matches!(received, Received::New(_)).then_some(())
}

fn whole(bytes: &[u8]) -> Option<&[u8]> {
    let (head, rest) = bytes.split_at_checked(HEAD)?;
    let length = u32::from_le_bytes(head[..4].try_into().ok()?) as usize;
    let payload = rest.get(..length)?;
    let sum = u32::from_le_bytes(head[4..].try_into().ok()?);
    (crc32fast::hash(payload) == sum && !payload.is_empty()).then_some(payload)
}
