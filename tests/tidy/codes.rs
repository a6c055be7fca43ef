//! Every code of a diagnostic occurs in some test, because a message that no person ever reads may
//! not help.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use crate::{read, root};

/// The folders with pages. Each page is named after its code.
const PAGES: [&str; 3] = ["cli/errors", "codegen/errors", "specs/errors"];

/// Languages of blocks that tests run, comparing their codes.
const RUN: [&str; 4] = ["console", "erlang", "sh", "toml"];

/// Codes that no input causes: they report a defect of the generator.
const NEVER: [&str; 1] = ["E0705"];

/// Returns the codes and texts of all pages.
fn pages() -> Vec<(String, String)> {
    let mut pages = Vec::new();
    for folder in PAGES {
        for entry in fs::read_dir(root().join(folder)).expect(folder) {
            let path = entry.expect("an entry").path();
            let code = path.file_stem().expect("a name").to_string_lossy();
            let text = fs::read_to_string(&path).expect("a page");
            pages.push((code.into_owned(), text));
        }
    }
    pages
}

/// Returns whether a block that tests run gives the code.
fn is_run(code: &str, page: &str) -> bool {
    let infos = page.lines().filter_map(|line| line.strip_prefix("```"));
    infos
        .map(|info| info.split(',').collect::<Vec<_>>())
        .any(|words| RUN.contains(&words[0]) && words.contains(&code))
}

/// Returns the texts of all tests: their files, and the sources that contain tests.
fn texts() -> Vec<String> {
    let listed = Command::new("git")
        .args(["ls-files", "*.rs"])
        .current_dir(root())
        .output();
    let listed = String::from_utf8(listed.expect("git runs").stdout).expect("UTF-8");
    let is_test = |path: &&str| path.split('/').any(|part| part == "tests");
    let own = |path: &&str| !path.ends_with(file!().rsplit('/').next().unwrap_or_default());
    let (tests, sources): (Vec<&str>, Vec<&str>) = listed.lines().partition(is_test);
    let tests = tests
        .into_iter()
        .filter(own)
        .filter(|path| exists(path))
        .map(read);
    let inside = sources
        .into_iter()
        .filter(|path| exists(path))
        .filter_map(|path| {
            let text = read(path);
            let (_, tests) = text.split_once("#[cfg(test)]\nmod tests {")?;
            Some(tests.to_owned())
        });
    tests.chain(inside).collect()
}

/// Git also lists a file that is deleted but not yet committed.
fn exists(path: &str) -> bool {
    Path::new(&root()).join(path).is_file()
}

#[test]
fn every_code_is_given_in_a_test() {
    let texts = texts();
    let pages = pages();
    assert!(pages.len() > 150, "only {} pages were found", pages.len());
    let is_named = |code: &str| {
        let forms = [
            format!("[{code}]"),
            format!("\"{code}"),
            format!("{code}\""),
        ];
        let has = |text: &String| forms.iter().any(|form| text.contains(form.as_str()));
        texts.iter().any(has)
    };
    let never: BTreeSet<&str> = NEVER.into();
    let missing: Vec<&str> = pages
        .iter()
        .filter(|(code, page)| {
            !never.contains(code.as_str()) && !is_run(code, page) && !is_named(code)
        })
        .map(|(code, _)| code.as_str())
        .collect();
    assert!(
        missing.is_empty(),
        "no test gives {missing:?}: write one that provokes it, or remove the code with its page"
    );
}
