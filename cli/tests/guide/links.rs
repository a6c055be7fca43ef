//! The links of all pages: to files of this repository that exist, and to headings that they have.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::chapter::root;

/// All pages of the repository.
fn pages() -> Vec<PathBuf> {
    let listed = Command::new("git")
        .args(["ls-files", "*.md"])
        .current_dir(root())
        .output();
    let listed = String::from_utf8(listed.expect("git runs").stdout).expect("UTF-8");
    let pages = listed.lines().map(PathBuf::from);
    pages.filter(|page| root().join(page).exists()).collect()
}

/// The lines that are not in a block of code.
fn prose(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut is_code = false;
    let lines = text.lines().zip(1..);
    lines.filter_map(move |(line, number)| {
        let is_fence = line.trim_start().starts_with("```");
        is_code ^= is_fence;
        (!is_code && !is_fence).then_some((number, line))
    })
}

/// What a line links to. Code between backquotes is left out.
fn targets(line: &str) -> Vec<&str> {
    let mut targets = Vec::new();
    let mut rest = line;
    while let Some((before, after)) = rest.split_once("](") {
        let is_code = before.matches('`').count() % 2 == 1;
        let Some((target, behind)) = after.split_once(')') else {
            break;
        };
        if is_code {
            // The code ends behind it.
            rest = after.split_once('`').map_or("", |(_, behind)| behind);
            continue;
        }
        targets.push(target);
        rest = behind;
    }
    targets
}

/// A heading's anchor, as mdBook and repository sites make it.
fn anchor(heading: &str) -> String {
    let kept = heading
        .trim()
        .chars()
        .filter(|c| c.is_alphanumeric() || ['_', '-', ' '].contains(c));
    let lower = kept.collect::<String>().to_lowercase();
    lower.replace(' ', "-")
}

fn anchors(text: &str) -> BTreeSet<String> {
    let headings = prose(text).filter_map(|(_, line)| {
        let heading = line.trim_start_matches('#');
        (heading.len() < line.len() && heading.starts_with(' ')).then_some(heading)
    });
    headings.map(anchor).collect()
}

/// What is wrong with a link of a page.
fn mistake(page: &Path, target: &str) -> Option<String> {
    if target.contains("://") || target.starts_with("mailto:") {
        return None;
    }
    let (file, heading) = target.split_once('#').unwrap_or((target, ""));
    let path = match file {
        "" => root().join(page),
        file => root().join(page.parent()?).join(file),
    };
    if !path.exists() {
        return Some(format!("{target}: there is no such file"));
    }
    let leaves = !path
        .canonicalize()
        .ok()?
        .starts_with(root().join("docs").canonicalize().ok()?);
    let is_of_guide = page.starts_with("docs/guide");
    if leaves && is_of_guide {
        return Some(format!("{target}: this is not in the book"));
    }
    let is_missing = || !anchors(&fs::read_to_string(&path).unwrap_or_default()).contains(heading);
    (!heading.is_empty() && is_missing()).then(|| format!("{target}: there is no such heading"))
}

#[test]
fn links_lead_to_files_and_headings() {
    let mut mistakes = Vec::new();
    let mut known = 0;
    for page in pages() {
        let text = fs::read_to_string(root().join(&page)).expect("a page");
        for (number, line) in prose(&text) {
            for target in targets(line) {
                known += 1;
                let found = mistake(&page, target);
                mistakes.extend(found.map(|what| format!("{}:{number}: {what}", page.display())));
            }
        }
    }
    assert!(known > 300, "only {known} links were found");
    assert!(mistakes.is_empty(), "{}", mistakes.join("\n"));
}

#[test]
fn links_in_code_are_not_links() {
    assert_eq!(
        targets("[a](b.md#c) and `[x](y)` and ![d](e.svg)"),
        ["b.md#c", "e.svg"]
    );
    assert_eq!(anchor(" `cargo otp`: a & b"), "cargo-otp-a--b");
}
