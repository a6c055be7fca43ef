//! The entries, in memory and on the disk.
use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

use otp_bridge::Term;

/// `{entry, Reference, Amount}`
#[derive(Debug, Clone, Copy, PartialEq, Eq, Term)]
pub struct Entry(pub u64, pub i64);

/// The entries of each process that has ever taken some, in order. Names of processes are unique,
/// so a name and an index identify an entry permanently.
pub type Book = BTreeMap<String, Vec<Entry>>;

/// Reads the files of all processes that have kept the book in this folder, and creates a file for
/// a new one. Returns its number and the book.
pub fn open(folder: &Path) -> io::Result<(u64, Book)> {
    fs::create_dir_all(folder)?;
    let (mut last, mut found) = (0, BTreeMap::new());
    for file in fs::read_dir(folder)? {
        let file = file?;
        let number = file.file_name().to_string_lossy().parse();
        last = last.max(number.unwrap_or(0));
        read(&fs::read_to_string(file.path())?, &mut found);
    }
    let number = last + 1;
    OpenOptions::new()
        .write(true)
        .create_new(true)
        .open(path(folder, number))?;
    File::open(folder)?.sync_all()?;
    let mut book = Book::new();
    for ((name, index), entry) in found {
        let entries = book.entry(name).or_default();
        // A killed process may have left a gap. The other node sends the rest again.
        if entries.len() == index {
            entries.push(entry);
        }
    }
    Ok((number, book))
}

/// Parses the lines of a file. If the VM was killed during a write, the last line is incomplete.
fn read(text: &str, found: &mut BTreeMap<(String, usize), Entry>) {
    for line in text.split_inclusive('\n') {
        let Some(line) = line.strip_suffix('\n') else {
            continue;
        };
        let words: Vec<&str> = line.split(' ').collect();
        if let [name, index, reference, amount] = words[..]
            && let (Ok(index), Ok(reference), Ok(amount)) =
                (index.parse(), reference.parse(), amount.parse())
        {
            found.insert((name.to_owned(), index), Entry(reference, amount));
        }
    }
}

/// Writes entries, and returns when they are on the disk. Each process has a file of its own,
/// because work that a killed process has started may still be running.
pub fn append(
    folder: &Path,
    number: u64,
    name: &str,
    from: usize,
    entries: &[Entry],
) -> io::Result<()> {
    let lines = entries.iter().enumerate().map(|(index, entry)| {
        let Entry(reference, amount) = entry;
        format!("{name} {} {reference} {amount}\n", from + index)
    });
    let mut file = OpenOptions::new().append(true).open(path(folder, number))?;
    file.write_all(lines.collect::<String>().as_bytes())?;
    file.sync_data()
}

fn path(folder: &Path, number: u64) -> std::path::PathBuf {
    folder.join(number.to_string())
}

/// Returns the sum of all amounts.
pub fn sum(book: &Book) -> i64 {
    book.values().flatten().map(|Entry(_, amount)| amount).sum()
}
