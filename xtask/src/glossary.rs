//! Checks that `docs/glossary.md` lists each public name of `otp_bridge`'s root exactly once.

use std::collections::BTreeSet;
use std::fs;

use crate::size::root_names;
use crate::step::{Outcome, root};

const PAGE: &str = "docs/glossary.md";
const HEADING: &str = "## Public names of `otp_bridge`";

/// Compares the table with the code.
pub(crate) fn check() -> Outcome {
    let text = fs::read_to_string(root().join(PAGE)).map_err(|error| format!("{PAGE}: {error}"))?;
    compare(&names(&text), &root_names()?)
}

/// Returns the names of the table's rows.
fn names(page: &str) -> Vec<String> {
    let after = page.lines().skip_while(|line| *line != HEADING).skip(1);
    let section = after.take_while(|line| !line.starts_with("## "));
    let rows = section.filter(|line| line.starts_with("| `"));
    let cells = rows.filter_map(|row| row.split('|').nth(1));
    let names = cells.flat_map(|cell| cell.split('`').skip(1).step_by(2));
    names.map(str::to_owned).collect()
}

fn compare(listed: &[String], public: &BTreeSet<String>) -> Outcome {
    let mut wrong = Vec::new();
    for name in public {
        match listed.iter().filter(|it| *it == name).count() {
            0 => wrong.push(format!("`{name}` is missing")),
            1 => {}
            _ => wrong.push(format!("`{name}` stands there more than once")),
        }
    }
    let gone = listed.iter().filter(|name| !public.contains(*name));
    wrong.extend(gone.map(|name| format!("`{name}` is not a public name")));
    if wrong.is_empty() {
        return Ok(());
    }
    Err(format!("{PAGE}, {HEADING}: {}", wrong.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_glossary_has_all_names_of_the_root() {
        assert_eq!(check(), Ok(()));
    }

    #[test]
    fn a_name_stands_there_once() {
        let page = format!(
            "# Glossary\n{HEADING}\n| name | |\n| `a`, `b` | `c` |\n| `b` | |\n## Not used\n| `d` | |\n"
        );
        let public = ["a", "b", "c"].map(str::to_owned).into();
        let error = compare(&names(&page), &public).expect_err("three mistakes");
        assert!(error.contains("`b` stands there more than once"), "{error}");
        assert!(error.contains("`c` is missing"), "{error}");
        let error = compare(&names(&page), &BTreeSet::new()).expect_err("no name is public");
        assert!(error.contains("`a` is not a public name"), "{error}");
    }
}
