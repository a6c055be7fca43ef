//! The application's command line.

use otp_bridge::Term;

const USAGE: &str = "usage: cargo otp run -- [--folder FOLDER] [--compact-from BYTES] [--copies COUNT] [--keep-moves COUNT]";

/// The parsed options: `#{folder, compact_from, copies, keep_moves}`.
#[derive(Debug, Clone, PartialEq, Eq, Term)]
pub struct Options {
    /// The folder of the database.
    pub folder: String,
    /// A log with at least this many bytes is replaced by a snapshot, if it is larger than the last
    /// one.
    pub compact_from: u64,
    /// Number of nodes with a copy of each replicated tree.
    pub copies: usize,
    /// Minimum number of moves of a replicated tree that are kept for nodes that are away.
    pub keep_moves: usize,
}

impl Options {
    /// Parses the command line.
    ///
    /// # Errors
    /// A message about the first mistake.
    pub fn read(words: &[String]) -> Result<Self, String> {
        let mut options = Options {
            folder: "jungle_data".to_owned(),
            compact_from: 64 << 20,
            copies: 3,
            keep_moves: 10_000,
        };
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let value = words.next().map_or("", String::as_str);
            match (word.as_str(), value.parse()) {
                ("--folder", _) if !value.is_empty() => options.folder = value.to_owned(),
                ("--folder", _) => return Err(format!("--folder wants a folder; {USAGE}")),
                ("--compact-from", Ok(bytes)) => options.compact_from = bytes,
                ("--compact-from", _) => {
                    return Err(format!("--compact-from wants a number of bytes; {USAGE}"));
                }
                ("--copies", Ok(copies @ 1..=64)) => options.copies = copies as usize,
                ("--keep-moves", Ok(moves)) => options.keep_moves = moves as usize,
                ("--keep-moves", _) => return Err(format!("--keep-moves wants a number; {USAGE}")),
                ("--copies", _) => return Err(format!("--copies wants 1 to 64; {USAGE}")),
                _ => return Err(format!("{word} is not an option; {USAGE}")),
            }
        }
        Ok(options)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(words: &[&str]) -> Result<Options, String> {
        let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
        Options::read(&words)
    }

    #[test]
    fn options_are_read_and_what_is_wrong_is_named() {
        let options = read(&["--folder", "here", "--compact-from", "7"]).unwrap();
        assert_eq!((&*options.folder, options.compact_from), ("here", 7));
        for words in [
            &["--floder", "x"][..],
            &["--folder"],
            &["--compact-from", "x"],
            &["--copies", "0"],
            &["--keep-moves", "all"],
        ] {
            let why = read(words).unwrap_err();
            assert!(why.contains(words[0]) && why.contains("usage:"), "{why}");
        }
    }
}
