//! The manifest: the list of the files that a database consists of. Opening a folder compares the
//! files with it, so that a missing or shortened file is noticed.
//!
//! ```text
//! jungle manifest 2
//! folder 5d0e3cb9f1a24708
//! log-0.3 8192
//! snapshot-0.3 104857
//! end 1b2f99c0
//! ```
//!
//! The second line has a random number: the files of another folder have another one. Each line
//! after that names a file and how many bytes of it are on the disk at least. The last line has the
//! CRC-32 of the lines before it, in hexadecimal. A manifest of version 1 has no number.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::hash::{BuildHasher, RandomState};
use std::io;
use std::path::{Path, PathBuf};

use crate::{Error, Result, folder};

const FIRST: &str = "jungle manifest 2\nfolder ";
const FIRST_WITHOUT_NUMBER: &str = "jungle manifest 1\n";

/// The files of a database, and the minimum length of each in bytes.
#[derive(Debug)]
pub struct Manifest {
    path: PathBuf,
    /// The number of the folder. `None` in a folder of an older version.
    folder: Option<u64>,
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
        let parsed = parse(&text);
        let parsed = parsed.ok_or_else(|| Error::corrupt(&path, "the manifest is damaged"))?;
        let (folder, files) = parsed;
        Ok(Manifest {
            path,
            folder,
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

    /// Creates a manifest without files, for a folder with a new number. The first change writes it
    /// to the disk.
    #[must_use]
    pub fn new(path: PathBuf) -> Self {
        Manifest {
            folder: Some(RandomState::new().hash_one(&path)),
            path,
            files: BTreeMap::new(),
            is_written: false,
        }
    }

    /// Returns the number that a file of this name has in this folder. `None` in a folder of an
    /// older version, whose files have any number.
    #[must_use]
    pub fn salt(&self, name: &str) -> Option<u64> {
        let of_name = u64::from(crc32fast::hash(name.as_bytes()));
        self.folder.map(|folder| folder.wrapping_add(of_name))
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
        folder::write_atomically(&self.path, text(self.folder, &files).as_bytes())?;
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

fn text(folder: Option<u64>, files: &BTreeMap<String, u64>) -> String {
    let mut text = match folder {
        Some(folder) => format!("{FIRST}{folder:016x}\n"),
        None => FIRST_WITHOUT_NUMBER.to_owned(),
    };
    for (name, bytes) in files {
        let _ = writeln!(text, "{name} {bytes}");
    }
    let sum = crc32fast::hash(text.as_bytes());
    let _ = writeln!(text, "end {sum:08x}");
    text
}

fn parse(written: &str) -> Option<(Option<u64>, BTreeMap<String, u64>)> {
    let (folder, lines) = match written.strip_prefix(FIRST) {
        Some(rest) => {
            let (folder, lines) = rest.split_once('\n')?;
            (Some(u64::from_str_radix(folder, 16).ok()?), lines)
        }
        None => (None, written.strip_prefix(FIRST_WITHOUT_NUMBER)?),
    };
    let files = lines.lines().take_while(|line| !line.starts_with("end "));
    let files = files.map(|line| {
        let (name, bytes) = line.rsplit_once(' ')?;
        Some((name.to_owned(), bytes.parse().ok()?))
    });
    let files = files.collect::<Option<_>>()?;
    (text(folder, &files) == written).then_some((folder, files))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn manifest_of_an_older_version_has_no_number() {
        let folder = std::env::temp_dir().join(format!("jungle-manifest-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join("manifest");
        let lines = "jungle manifest 1\nlog-0.0 26\n";
        let text = format!("{lines}end {:08x}\n", crc32fast::hash(lines.as_bytes()));
        fs::write(&path, &text).unwrap();
        let open = || Manifest::open(&folder, "manifest", |_| false).unwrap();
        let mut older = open();
        assert_eq!(
            (older.salt("log-0.0"), older.files()["log-0.0"]),
            (None, 26)
        );
        older.set("log-0.0", 30).unwrap();
        assert_eq!(
            (open().salt("log-0.0"), open().files()["log-0.0"]),
            (None, 30)
        );
        let mut new = Manifest::new(path);
        new.set("log-0.0", 26).unwrap();
        assert!(new.salt("log-0.0").is_some());
        assert_eq!(open().salt("log-0.0"), new.salt("log-0.0"));
        assert_ne!(new.salt("log-0.0"), new.salt("log-1.0"));
        fs::remove_dir_all(folder).unwrap();
    }
}
