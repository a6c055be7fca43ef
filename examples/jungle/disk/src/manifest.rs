//! The manifest: the list of the files that a database consists of. Opening a folder compares the
//! files with it, so that a missing or shortened file is noticed.
//!
//! ```text
//! jungle manifest 1
//! log-0.3 8192
//! snapshot-0.3 104857
//! end 1b2f99c0
//! ```
//!
//! Each line names a file and how many bytes of it are on the disk at least. The last line has the
//! CRC-32 of the lines before it, in hexadecimal.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::{Error, Result, folder};

const FIRST: &str = "jungle manifest 1";

/// The files of a database, and the minimum length of each in bytes.
#[derive(Debug)]
pub struct Manifest {
    path: PathBuf,
    files: BTreeMap<String, u64>,
    is_written: bool,
}

impl Manifest {
    /// Reads the manifest of this name. If the folder has none of the database's files, the
    /// manifest is empty. `is_ours` recognises the database's files by their names.
    ///
    /// # Errors
    /// [`Error::Io`]. [`Error::Corrupt`] if there are files but no manifest, or if the manifest is
    /// damaged.
    pub fn open(folder: &Path, name: &str, is_ours: impl Fn(&str) -> bool) -> Result<Self> {
        let path = folder.join(name);
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Self::create(path, folder, is_ours);
            }
            Err(error) => return Err(Error::Io(path, error)),
        };
        let files = parse(&text);
        let files = files.ok_or_else(|| Error::corrupt(&path, "the manifest is damaged"))?;
        Ok(Manifest {
            path,
            files,
            is_written: true,
        })
    }

    fn create(path: PathBuf, folder: &Path, is_ours: impl Fn(&str) -> bool) -> Result<Self> {
        if let Some(found) = names(folder)?.into_iter().find(|name| is_ours(name)) {
            let what = format!("the manifest is missing, although there is a file {found}");
            return Err(Error::corrupt(&path, what));
        }
        let mut manifest = Manifest::new(path);
        manifest.change(|_| ())?;
        Ok(manifest)
    }

    /// Creates a manifest without files. The first change writes it to the disk.
    #[must_use]
    pub fn new(path: PathBuf) -> Self {
        Manifest {
            path,
            files: BTreeMap::new(),
            is_written: false,
        }
    }

    /// Returns the files with their minimum lengths in bytes.
    #[must_use]
    pub fn files(&self) -> &BTreeMap<String, u64> {
        &self.files
    }

    /// Sets the minimum length of a file, and returns when the manifest is on the disk.
    ///
    /// # Errors
    /// [`Error::Io`]. The list keeps its old content.
    pub fn set(&mut self, name: &str, bytes: u64) -> Result<()> {
        self.change(|files| {
            files.insert(name.to_owned(), bytes);
        })
    }

    /// Edits the list, and returns when it is on the disk. An unchanged list is not written again.
    ///
    /// # Errors
    /// [`Error::Io`]. The list keeps its old content.
    pub fn change(&mut self, change: impl FnOnce(&mut BTreeMap<String, u64>)) -> Result<()> {
        let mut files = self.files.clone();
        change(&mut files);
        if files == self.files && self.is_written {
            return Ok(());
        }
        folder::write_atomically(&self.path, text(&files).as_bytes())?;
        self.files = files;
        self.is_written = true;
        Ok(())
    }
}

/// Returns the names of all files of a folder, sorted.
///
/// # Errors
/// [`Error::Io`].
pub fn names(folder: &Path) -> Result<Vec<String>> {
    let failed = Error::io(folder);
    let mut names = Vec::new();
    for entry in fs::read_dir(folder).map_err(&failed)? {
        let name = entry.map_err(&failed)?.file_name();
        names.extend(name.into_string());
    }
    names.sort();
    Ok(names)
}

fn text(files: &BTreeMap<String, u64>) -> String {
    let mut text = format!("{FIRST}\n");
    for (name, bytes) in files {
        let _ = writeln!(text, "{name} {bytes}");
    }
    let sum = crc32fast::hash(text.as_bytes());
    let _ = writeln!(text, "end {sum:08x}");
    text
}

fn parse(written: &str) -> Option<BTreeMap<String, u64>> {
    let lines = written.strip_prefix(FIRST)?.strip_prefix('\n')?.lines();
    let files = lines.take_while(|line| !line.starts_with("end "));
    let files = files.map(|line| {
        let (name, bytes) = line.rsplit_once(' ')?;
        Some((name.to_owned(), bytes.parse().ok()?))
    });
    let files = files.collect::<Option<_>>()?;
    (text(&files) == written).then_some(files)
}
