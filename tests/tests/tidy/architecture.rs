//! The tables of ARCHITECTURE.md.

use std::collections::{BTreeMap, BTreeSet};

use crate::read;

/// What a Rust module may use, and what it uses although that makes a cycle.
#[derive(Debug, Default)]
pub(crate) struct Row {
    /// Its row in the table, counted from 0.
    pub(crate) number: usize,
    pub(crate) may_use: BTreeSet<String>,
    pub(crate) known_cycles: BTreeSet<String>,
}

/// The names in backquotes.
fn quoted(cell: &str) -> BTreeSet<String> {
    let words = cell.split('`').skip(1).step_by(2);
    words.map(str::to_owned).collect()
}

/// The rows of the first table after a heading, cell by cell.
fn rows<'t>(text: &'t str, heading: &str) -> Vec<Vec<&'t str>> {
    let mut lines = text.lines().skip_while(|line| *line != heading);
    assert!(lines.next().is_some(), "ARCHITECTURE.md has no `{heading}`");
    let section = lines.take_while(|line| !line.starts_with('#'));
    let rows = section.filter(|line| line.starts_with("| `"));
    rows.map(|row| row.trim_matches('|').split('|').collect())
        .collect()
}

/// Crate → crates it may depend on.
pub(crate) fn crates() -> BTreeMap<String, BTreeSet<String>> {
    let text = read("ARCHITECTURE.md");
    let rows = rows(&text, "# Architecture");
    let rows = rows.iter().filter(|cells| !cells[1].contains("anything"));
    rows.filter_map(|cells| Some((quoted(cells[0]).into_iter().next()?, quoted(cells[1]))))
        .collect()
}

/// The heading of the modules of the crate in that folder.
pub(crate) fn heading(folder: &str) -> String {
    format!("### Modules of `{folder}/`")
}

/// Rust module → what it may use, for the crate in this folder.
pub(crate) fn modules(folder: &str) -> BTreeMap<String, Row> {
    table(&heading(folder))
}

/// Name → what it may use, in the table after a heading.
pub(crate) fn table(heading: &str) -> BTreeMap<String, Row> {
    let text = read("ARCHITECTURE.md");
    let mut modules = BTreeMap::new();
    for (number, cells) in rows(&text, heading).into_iter().enumerate() {
        for name in quoted(cells[0]) {
            let row = Row {
                number,
                may_use: quoted(cells.get(1).unwrap_or(&"")),
                known_cycles: quoted(cells.get(2).unwrap_or(&"")),
            };
            let before = modules.insert(name.clone(), row);
            assert!(before.is_none(), "`{heading}`: two rows for `{name}`");
        }
    }
    modules
}
