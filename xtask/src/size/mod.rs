//! `cargo xtask size`: measures the amount of code to read and to build.

mod files;
mod rust;
mod walks;

use std::collections::{BTreeMap, BTreeSet};

use crate::step::{Outcome, say};
use files::{File, FileKind};

/// The number of longest files to show.
const LONGEST: usize = 10;

/// Returns the names at the root of `otp_bridge`.
pub(crate) fn root_names() -> Outcome<BTreeSet<String>> {
    rust::root_names(&files::all()?)
}

/// Prints the table.
pub(crate) fn task() -> Outcome {
    let files = files::all()?;
    let root = rust::root_names(&files)?;
    let methods = rust::methods_of_cx(&files);
    documentation(&files);
    code(&files);
    cases(&files);
    row("public names at `otp_bridge`'s root", root.len());
    row("  of them types and traits", rust::types(&root));
    row("methods on `Cx`", methods.len());
    heading("Files to read, by ARCHITECTURE.md");
    let text = files.iter().find(|file| file.path == "ARCHITECTURE.md");
    for (walk, paths) in walks::walks(text.map_or("", |file| &file.text)) {
        row(&walk, paths.len());
    }
    longest(&files);
    Ok(())
}

fn heading(text: &str) {
    say(&format!("\n{text}\n"));
}

fn row(name: &str, number: usize) {
    say(&format!("{number:8}  {name}\n"));
}

fn documentation(files: &[File]) {
    let pages: Vec<&File> = files
        .iter()
        .filter(|file| file.kind == FileKind::Page)
        .collect();
    let mut folders: BTreeMap<&str, usize> = BTreeMap::new();
    for page in &pages {
        *folders.entry(page.folder()).or_default() += page.words();
    }
    heading("Documentation, in words");
    row("pages (.md)", folders.values().sum());
    for (folder, words) in folders {
        row(&format!("  {folder}"), words);
    }
    let code = files.iter().filter(|file| file.kind.is_by_people());
    row("doc comments", code.map(File::words_of_doc_comments).sum());
    let changelog = pages.iter().find(|page| page.path == "CHANGELOG.md");
    row(
        "lines of the changelog",
        changelog.map_or(0, |page| page.text.lines().count()),
    );
}

fn code(files: &[File]) {
    heading("Rust, in lines");
    let production = || {
        files
            .iter()
            .filter(|file| file.kind == FileKind::Production)
    };
    row(
        "production, without tests",
        production().map(File::production_lines).sum(),
    );
    row(
        "  without comments and blank lines",
        production().map(File::production_code).sum(),
    );
    let mut crates: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for file in production() {
        let counted = crates.entry(file.crate_name()).or_default();
        counted.0 += file.production_lines();
        counted.1 += 1;
    }
    for (name, (lines, number)) in crates {
        row(&format!("  {name}, {number} files"), lines);
    }
    for (kind, name) in [
        (FileKind::Tool, "tools (xtask, fuzz, peers)"),
        (FileKind::Example, "examples"),
        (FileKind::Test, "files of tests"),
        (FileKind::Generated, "generated"),
    ] {
        let of_kind = files.iter().filter(|file| file.kind == kind);
        row(name, of_kind.map(|file| file.text.lines().count()).sum());
    }
    let erlang = files.iter().filter(|file| file.kind == FileKind::Erlang);
    row(
        "Erlang that applications get",
        erlang.map(|file| file.text.lines().count()).sum(),
    );
}

fn cases(files: &[File]) {
    heading("Names and cases");
    let sum = |of: fn(&File) -> usize| files.iter().map(of).sum::<usize>();
    let (pairs, built) = (sum(File::pairs), sum(File::pairs_of_the_build));
    let pages = files.iter().filter(|file| file.pairs() > 0);
    row("pages of wrong and right programs", pages.count());
    row("  pairs whose wrong program rustc refuses", pairs - built);
    row("  pairs whose wrong program only a build refuses", built);
    row(
        "wrong applications that `cargo otp check` refuses",
        sum(File::checked),
    );
}

fn longest(files: &[File]) {
    heading("Longest files");
    let mut files: Vec<&File> = files
        .iter()
        .filter(|file| file.kind.is_by_people())
        .collect();
    files.sort_by_key(|file| std::cmp::Reverse(file.text.lines().count()));
    for file in files.into_iter().take(LONGEST) {
        row(&file.path, file.text.lines().count());
    }
}
