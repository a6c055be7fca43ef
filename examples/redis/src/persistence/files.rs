//! The files of the append-only log, and their manifest.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::store::Batch;

const MANIFEST: &str = "appendonly.aof.manifest";

/// The files of a log.
#[derive(Debug)]
pub struct Files {
    folder: PathBuf,
    names: Names,
    now: Appended,
    /// The files that will replace the present ones when a copy of the keys is complete.
    next: Option<Next>,
    /// A batch that is not written yet. The writer keeps it here in case it is restarted.
    pub pending: Option<Batch>,
    /// Length of the base file.
    base: u64,
}

/// Content of the manifest.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Names {
    base: Option<String>,
    appended: Vec<String>,
    number: u64,
}

#[derive(Debug)]
struct Next {
    names: Names,
    base: File,
    length: u64,
    appended: Appended,
}

/// A file that is only appended to.
#[derive(Debug)]
struct Appended {
    file: File,
    /// Length of the complete part.
    length: u64,
    is_synced: bool,
}

impl Appended {
    fn open(path: &Path) -> io::Result<Self> {
        let file = OpenOptions::new().create(true).append(true).open(path)?;
        let length = file.metadata()?.len();
        Ok(Appended {
            file,
            length,
            is_synced: true,
        })
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        if bytes.is_empty() {
            return Ok(());
        }
        self.is_synced = false;
        if let Err(error) = self.file.write_all(bytes) {
            // Cut a partial command off, so that the next one does not follow it.
            self.file.set_len(self.length)?;
            return Err(error);
        }
        self.length += u64::try_from(bytes.len()).unwrap_or_default();
        Ok(())
    }

    fn sync(&mut self) -> io::Result<()> {
        if !self.is_synced {
            self.file.sync_data()?;
            self.is_synced = true;
        }
        Ok(())
    }
}

impl Names {
    /// Parses lines `file NAME seq NUMBER type b|i|h`.
    fn read(text: &str) -> io::Result<Self> {
        let mut names = Names::default();
        for line in text
            .lines()
            .filter(|line| !line.is_empty() && !line.starts_with('#'))
        {
            let words: Vec<&str> = line.split(' ').collect();
            let ["file", name, "seq", number, "type", kind] = words[..] else {
                return Err(invalid(format!(
                    "the manifest has a line that it should not have: {line}"
                )));
            };
            if name.contains('/') {
                return Err(invalid(format!(
                    "the manifest names a file elsewhere: {name}"
                )));
            }
            names.number = names.number.max(number.parse().unwrap_or_default());
            match kind {
                "b" => names.base = Some(name.to_owned()),
                "i" => names.appended.push(name.to_owned()),
                // These are old files that were not deleted yet.
                _ => {}
            }
        }
        Ok(names)
    }

    fn numbered(number: u64) -> Self {
        Names {
            base: Some(format!("appendonly.aof.{number}.base.aof")),
            appended: vec![format!("appendonly.aof.{number}.incr.aof")],
            number,
        }
    }

    fn text(&self) -> String {
        let number = self.number;
        let base = self
            .base
            .iter()
            .map(|name| format!("file {name} seq {number} type b\n"));
        let appended = self
            .appended
            .iter()
            .zip(number + 1 - self.appended.len() as u64..);
        let appended = appended.map(|(name, number)| format!("file {name} seq {number} type i\n"));
        base.chain(appended).collect()
    }

    /// Replaces the manifest atomically.
    fn write(&self, folder: &Path) -> io::Result<()> {
        let new = folder.join(format!("temp-{MANIFEST}"));
        let mut file = File::create(&new)?;
        file.write_all(self.text().as_bytes())?;
        file.sync_all()?;
        fs::rename(&new, folder.join(MANIFEST))?;
        File::open(folder)?.sync_all()
    }

    fn remove(&self, folder: &Path) {
        for name in self.base.iter().chain(&self.appended) {
            // A file that cannot be removed only wastes space.
            let _ = fs::remove_file(folder.join(name));
        }
    }
}

fn invalid(why: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, why)
}

impl Files {
    /// Opens the files of a folder, which is created if necessary. Calls `load` with the path of
    /// each file, and whether it is the last one.
    ///
    /// # Errors
    /// An error of the operating system or of `load`.
    pub fn open(
        folder: &Path,
        mut load: impl FnMut(&Path, bool) -> io::Result<()>,
    ) -> io::Result<Self> {
        fs::create_dir_all(folder)?;
        let names = match fs::read_to_string(folder.join(MANIFEST)) {
            Ok(text) => Names::read(&text)?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => Names::default(),
            Err(error) => return Err(error),
        };
        let all: Vec<&String> = names.base.iter().chain(&names.appended).collect();
        for (number, name) in all.iter().enumerate() {
            load(&folder.join(name), number + 1 == all.len())?;
        }
        let mut names = names;
        if names.appended.is_empty() {
            names.number += 1;
            let number = names.number;
            names
                .appended
                .push(format!("appendonly.aof.{number}.incr.aof"));
        }
        let last = names.appended.last().map_or("", String::as_str);
        let now = Appended::open(&folder.join(last))?;
        names.write(folder)?;
        let base = names
            .base
            .as_ref()
            .map(|name| fs::metadata(folder.join(name)));
        Ok(Files {
            folder: folder.to_owned(),
            base: base.transpose()?.map_or(0, |it| it.len()),
            names,
            now,
            next: None,
            pending: None,
        })
    }

    /// Writes the pending batch.
    ///
    /// # Errors
    /// An error of the operating system. The caller can try again.
    pub fn write(&mut self, syncs: bool) -> io::Result<u64> {
        let Some(batch) = &mut self.pending else {
            return Ok(0);
        };
        self.now.write(&batch.bytes)?;
        batch.bytes.clear();
        if let Some(next) = &mut self.next {
            next.appended.write(&batch.beside_copy)?;
        }
        batch.beside_copy.clear();
        if syncs {
            self.now.sync()?;
        }
        let end = batch.end;
        self.pending = None;
        Ok(end)
    }

    /// Synchronises the file: afterwards, everything that was written is on the disk.
    ///
    /// # Errors
    /// An error of the operating system.
    pub fn sync(&mut self) -> io::Result<()> {
        self.now.sync()
    }

    /// Returns whether there is data that is not on the disk yet.
    #[must_use]
    pub fn is_unsynced(&self) -> bool {
        !self.now.is_synced
    }

    /// Returns whether another copy of the keys is due, because the log has grown since the last
    /// one.
    #[must_use]
    pub fn is_long(&self) -> bool {
        /// Minimum length of a log that is rewritten, as in redis-server.
        const LEAST: u64 = 64 << 20;
        self.next.is_none() && self.now.length > LEAST.max(self.base)
    }

    /// Creates files for a copy of the keys. Returns their number.
    ///
    /// # Errors
    /// An error of the operating system.
    pub fn begin(&mut self) -> io::Result<u64> {
        let names = Names::numbered(self.names.number + 1);
        names.remove(&self.folder);
        let path = |name: Option<&String>| self.folder.join(name.map_or("", String::as_str));
        let base = File::create(path(names.base.as_ref()))?;
        let appended = Appended::open(&path(names.appended.first()))?;
        let number = names.number;
        self.next = Some(Next {
            names,
            base,
            length: 0,
            appended,
        });
        Ok(number)
    }

    /// Returns a handle of the file for the copy.
    ///
    /// # Errors
    /// An error of the operating system.
    pub fn base(&self) -> io::Result<File> {
        let next = self.next.as_ref().ok_or(io::ErrorKind::NotFound)?;
        next.base.try_clone()
    }

    /// Replaces the old files by the new ones.
    ///
    /// # Errors
    /// An error of the operating system. The old files then stay in use.
    pub fn switch(&mut self) -> io::Result<()> {
        let Some(mut next) = self.next.take() else {
            return Ok(());
        };
        next.base.sync_all()?;
        next.length = next.base.metadata()?.len();
        next.appended.file.sync_all()?;
        next.appended.is_synced = true;
        next.names.write(&self.folder)?;
        let old = std::mem::replace(&mut self.names, next.names);
        self.now = next.appended;
        self.base = next.length;
        old.remove(&self.folder);
        Ok(())
    }

    /// Abandons the copy.
    pub fn abandon(&mut self) {
        if let Some(next) = self.next.take() {
            next.names.remove(&self.folder);
        }
    }

    /// Returns whether a copy is being made.
    #[must_use]
    pub fn is_copying(&self) -> bool {
        self.next.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_manifest_is_read_as_it_was_written() {
        let names = Names::numbered(7);
        let read = Names::read(&names.text());
        assert!(read.is_ok_and(|read| read == names));
        assert!(Names::read("file ../x seq 1 type b\n").is_err());
        assert!(Names::read("nonsense\n").is_err());
    }
}
