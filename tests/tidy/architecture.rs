//! Parses the table of crates in ARCHITECTURE.md, and the tables of modules in architecture.toml.

use std::collections::{BTreeMap, BTreeSet};

use crate::read;

/// The uses of a Rust module that are allowed, including those that form known cycles.
#[derive(Debug, Default)]
pub(crate) struct Row {
    /// Its row in the table, counted from 0.
    pub(crate) number: usize,
    pub(crate) may_use: BTreeSet<String>,
    pub(crate) known_cycles: BTreeSet<String>,
}

/// Returns the names between these quotes.
fn quoted(text: &str, quote: char) -> BTreeSet<String> {
    let words = text.split(quote).skip(1).step_by(2);
    words.map(str::to_owned).collect()
}

/// Returns the crates that each crate may depend on.
pub(crate) fn crates() -> BTreeMap<String, BTreeSet<String>> {
    let text = read("ARCHITECTURE.md");
    let lines = text.lines().take_while(|line| !line.starts_with("## "));
    let rows = lines.filter(|line| line.starts_with("| `") && !line.contains("anything"));
    rows.filter_map(|row| row.trim_matches('|').split_once('|'))
        .filter_map(|(name, may_use)| {
            let name = quoted(name, '`').into_iter().next()?;
            Some((name, quoted(may_use, '`')))
        })
        .collect()
}

/// Returns the heading of the table for the modules of a crate's folder, or of another folder.
pub(crate) fn heading(folder: &str) -> String {
    format!("[\"{folder}\"]")
}

/// Returns the lines `name = ["other", …]` after a heading.
fn lines<'t>(text: &'t str, heading: &str) -> Vec<(&'t str, BTreeSet<String>)> {
    let lines = text.lines().skip_while(|line| *line != heading).skip(1);
    let section = lines.take_while(|line| !line.starts_with('['));
    let rows = section.filter_map(|line| line.split_once(" = "));
    rows.map(|(name, others)| (name, quoted(others, '"')))
        .collect()
}

/// Returns the modules that each Rust module of the crate or folder may use.
pub(crate) fn modules(folder: &str) -> BTreeMap<String, Row> {
    let text = read("architecture.toml");
    let heading = heading(folder);
    let rows = lines(&text, &heading);
    assert!(!rows.is_empty(), "architecture.toml has no `{heading}`");
    let mut modules = BTreeMap::new();
    for (number, (name, may_use)) in rows.into_iter().enumerate() {
        let row = Row {
            number,
            may_use,
            known_cycles: BTreeSet::new(),
        };
        let before = modules.insert(name.to_owned(), row);
        assert!(before.is_none(), "`{heading}`: two rows for `{name}`");
    }
    for (name, others) in lines(&text, &format!("[\"{folder}\".still_uses]")) {
        let row: Option<&mut Row> = modules.get_mut(name);
        row.unwrap_or_else(|| panic!("`{heading}` has no `{name}`"))
            .known_cycles = others;
    }
    modules
}
