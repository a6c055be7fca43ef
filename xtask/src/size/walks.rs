//! The files that a reader of the walks in ARCHITECTURE.md opens.

use std::collections::BTreeSet;

/// Returns each walk with its files. "Where things start" contains one as a list. The others are
/// the sections of "Three walks".
pub(crate) fn walks(text: &str) -> Vec<(String, BTreeSet<&str>)> {
    let mut walks = Vec::new();
    for section in text.split("\n## ") {
        let (title, body) = section.split_once('\n').unwrap_or((section, ""));
        match title {
            "Where things start" => walks.extend(lists(body)),
            title if title.ends_with(" walks") => walks.extend(sections(body)),
            _ => {}
        }
    }
    walks
}

/// Returns the entries with numbered steps below them.
fn lists(body: &str) -> Vec<(String, BTreeSet<&str>)> {
    let entries = body.split("\n- ").filter(|entry| entry.contains("\n  1. "));
    entries
        .map(|entry| {
            let title = entry.split(',').next().unwrap_or(entry);
            (format!("{title}, as a list"), files(entry))
        })
        .collect()
}

fn sections(body: &str) -> Vec<(String, BTreeSet<&str>)> {
    let sections = body.split("\n### ").skip(1);
    sections
        .map(|section| {
            let title = section.lines().next().unwrap_or_default();
            (title.to_owned(), files(section))
        })
        .collect()
}

/// Returns the files that a text names, without folders.
fn files(text: &str) -> BTreeSet<&str> {
    let words = text.split('`').skip(1).step_by(2);
    let is_file = |word: &&str| {
        let name = word.rsplit_once('/').map_or("", |(_, name)| name);
        name.contains('.') && !word.contains([' ', '*', '('])
    };
    words.filter(is_file).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_counts_once_in_each_walk() {
        let text = "# Architecture\n\n## Where things start\n\n- Build: `cli/src/build/mod.rs`.\n- A type, in 2 files.\n  \
                    1. `a/b.rs`, `a/c.rs`;\n\n## Two walks\n\nText.\n\n### A\n`a/b.rs` `a/b.rs` `a/`\n\n### B\n`continue/1`\n";
        let counted: Vec<_> = walks(text)
            .into_iter()
            .map(|(title, files)| (title, files.len()))
            .collect();
        let expected = [("A type, as a list", 2), ("A", 1), ("B", 0)];
        assert_eq!(
            counted,
            expected.map(|(title, number)| (title.to_owned(), number))
        );
    }
}
