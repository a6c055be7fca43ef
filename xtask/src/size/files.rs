//! The files in git, with their kinds.

use std::fs;
use std::process::Command;

use crate::step::{Outcome, root};

/// The folders of the crates that users get.
const SHIPPED: [&str; 11] = [
    "contract/src/",
    "erlang/src/",
    "erlang/tools/",
    "specs/src/",
    "codegen/src/",
    "bridge/src/",
    "bridge/macros/src/",
    "bindings/src/",
    "cli/src/",
    "cli/build.rs",
    "bridge/novm/src/",
];
const TOOLS: [&str; 3] = ["xtask/", "fuzz/", "peers/"];

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum FileKind {
    /// Rust that users get.
    Production,
    /// Rust that only developers of otp-rs run.
    Tool,
    Example,
    Test,
    /// Generated Rust.
    Generated,
    /// Erlang that users get.
    Erlang,
    /// Documentation.
    Page,
    Other,
}

impl FileKind {
    /// Returns whether people write this Rust.
    pub(crate) fn is_by_people(self) -> bool {
        matches!(
            self,
            FileKind::Production | FileKind::Tool | FileKind::Example | FileKind::Test
        )
    }
}

pub(crate) struct File {
    pub(crate) path: String,
    pub(crate) kind: FileKind,
    pub(crate) text: String,
}

/// Returns all text files.
pub(crate) fn all() -> Outcome<Vec<File>> {
    let output = Command::new("git")
        .args(["ls-files"])
        .current_dir(root())
        .output()
        .map_err(|error| format!("cannot run git: {error}"))?;
    let listed = String::from_utf8_lossy(&output.stdout);
    // git still lists a deleted file until the deletion is committed.
    let files = listed.lines().filter_map(|path| {
        let text = fs::read_to_string(root().join(path)).ok()?;
        Some(File::new(path, text))
    });
    let mut files: Vec<File> = files.collect();
    let only_for_tests: Vec<String> = files.iter().flat_map(File::test_modules).collect();
    for file in &mut files {
        let is_test = |test: &String| {
            file.path == format!("{test}.rs") || file.path.starts_with(&format!("{test}/"))
        };
        if file.kind == FileKind::Production && only_for_tests.iter().any(is_test) {
            file.kind = FileKind::Test;
        }
    }
    Ok(files)
}

fn kind(path: &str) -> FileKind {
    let begins_with = |folders: &[&str]| folders.iter().any(|folder| path.starts_with(folder));
    let is_shipped = begins_with(&SHIPPED);
    match path.rsplit_once('.').map_or("", |(_, ending)| ending) {
        "md" if path.starts_with("tests/") => FileKind::Test,
        "md" => FileKind::Page,
        "erl" | "hrl" if is_shipped => FileKind::Erlang,
        "rs" if path.contains("/generated/") => FileKind::Generated,
        "rs" if is_shipped => FileKind::Production,
        "rs" if path.starts_with("tests/") || path.contains("/tests/") => FileKind::Test,
        "rs" if begins_with(&TOOLS) => FileKind::Tool,
        "rs" if path.contains("examples/") => FileKind::Example,
        "rs" => FileKind::Test,
        _ => FileKind::Other,
    }
}

impl File {
    pub(crate) fn new(path: &str, text: String) -> Self {
        File {
            path: path.to_owned(),
            kind: kind(path),
            text,
        }
    }

    /// Returns the crate's folder, for a file below `src`.
    pub(crate) fn crate_name(&self) -> &str {
        self.path.split_once("/src/").map_or(&self.path, |it| it.0)
    }

    /// Returns the first two parts of a page's folder.
    pub(crate) fn folder(&self) -> &str {
        let parts: Vec<_> = self.path.match_indices('/').map(|(at, _)| at).collect();
        match parts.as_slice() {
            [] => "root",
            [first] => &self.path[..*first],
            [_, second, ..] => &self.path[..*second],
        }
    }

    pub(crate) fn words(&self) -> usize {
        self.text.split_whitespace().count()
    }

    pub(crate) fn words_of_doc_comments(&self) -> usize {
        let comments = self.text.lines().filter_map(|line| {
            let line = line.trim_start();
            line.strip_prefix("///")
                .or_else(|| line.strip_prefix("//!"))
        });
        comments.map(|text| text.split_whitespace().count()).sum()
    }

    pub(crate) fn production_lines(&self) -> usize {
        self.production().len()
    }

    /// Counts the lines without comments and blank lines.
    pub(crate) fn production_code(&self) -> usize {
        let lines = self.production().into_iter().map(str::trim_start);
        lines
            .filter(|line| !line.is_empty() && !line.starts_with("//"))
            .count()
    }

    /// Returns all lines, except those of modules that are only for tests.
    fn production(&self) -> Vec<&str> {
        let mut lines = self.text.lines();
        let mut counted = Vec::new();
        while let Some(line) = lines.next() {
            if line.trim() != "#[cfg(test)]" {
                counted.push(line);
                continue;
            }
            let Some(item) = lines.next() else { break };
            if item.ends_with('{') {
                let indentation = item.len() - item.trim_start().len();
                let end = format!("{}}}", &item[..indentation]);
                lines.by_ref().find(|line| *line == end);
            }
        }
        counted
    }

    /// Returns the paths, without `.rs`, of this file's modules that are only for tests and have
    /// separate files.
    fn test_modules(&self) -> Vec<String> {
        let stem = self.path.strip_suffix(".rs").unwrap_or(&self.path);
        let (folder, name) = stem.rsplit_once('/').unwrap_or(("", stem));
        let inside = match name {
            "mod" | "lib" | "main" => folder.to_owned(),
            _ => stem.to_owned(),
        };
        let lines: Vec<&str> = self.text.lines().map(str::trim).collect();
        let pairs = lines.windows(2).filter(|pair| pair[0] == "#[cfg(test)]");
        let names = pairs.filter_map(|pair| {
            let name = pair[1].strip_suffix(';')?.rsplit_once("mod ")?.1;
            Some(format!("{inside}/{name}"))
        });
        names.collect()
    }

    /// Counts the wrong programs of this page. Each has a correct one beside it.
    pub(crate) fn pairs(&self) -> usize {
        let headings = self.text.lines().filter(|line| line.starts_with("## "));
        if self.is_of_pairs() {
            headings.count()
        } else {
            0
        }
    }

    /// Counts the pairs that only a build refuses.
    pub(crate) fn pairs_of_the_build(&self) -> usize {
        let said = self
            .text
            .lines()
            .filter(|line| *line == "Refused by the build.");
        if self.is_of_pairs() { said.count() } else { 0 }
    }

    /// Counts the wrong applications that `cargo otp check` refuses: the rows of the tests' tables,
    /// and single ones.
    pub(crate) fn checked(&self) -> usize {
        if !self.path.starts_with("cli/tests/it/check") {
            return 0;
        }
        let tables = self.text.match_indices("let cases: [(&str, &[&str]); ");
        let rows = tables.filter_map(|(at, head)| {
            let (number, _) = self.text[at + head.len()..].split_once(']')?;
            number.parse::<usize>().ok()
        });
        let single = self.text.matches(".refused(&[").count();
        rows.sum::<usize>() + single
    }

    fn is_of_pairs(&self) -> bool {
        self.path.starts_with("tests/pairs/") && !self.path.ends_with("README.md")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_for_one_thing() {
        let of = |path| File::new(path, String::new()).kind;
        assert_eq!(of("bridge/macros/src/lib.rs"), FileKind::Production);
        assert_eq!(
            of("bridge/src/generated/supervisor.rs"),
            FileKind::Generated
        );
        assert_eq!(of("bridge/tests/json/main.rs"), FileKind::Test);
        assert_eq!(of("xtask/src/main.rs"), FileKind::Tool);
        assert_eq!(of("examples/kv/src/lib.rs"), FileKind::Example);
        assert_eq!(of("erlang/tools/otp_rs_tree.erl"), FileKind::Erlang);
        assert_eq!(of("docs/json.md"), FileKind::Page);
    }

    #[test]
    fn modules_for_tests_are_not_production() {
        let text =
            "//! Two words.\nfn a() {}\n\n#[cfg(test)]\nmod tests {\n    mod b {\n    }\n}\n";
        let file = File::new("specs/src/a.rs", text.to_owned());
        assert_eq!((file.production_lines(), file.production_code()), (3, 1));
        assert_eq!(file.words_of_doc_comments(), 2);
        let text = "#[cfg(test)]\nmod checks;\nmod other;\n".to_owned();
        let file = File::new("specs/src/a/mod.rs", text);
        assert_eq!(file.test_modules(), ["specs/src/a/checks"]);
    }
}
