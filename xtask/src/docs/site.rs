//! Checks the links of the finished site.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Component, Path, PathBuf};

use super::{files, read};
use crate::step::Outcome;

/// A page with all others in it, whose links are those of the others.
const PRINTED: &str = "print.html";

/// Returns the number of links between pages. All of them lead to a file and a heading.
pub(super) fn check(site: &Path) -> Outcome<usize> {
    let mut problems = BTreeSet::new();
    let mut count = 0;
    for file in files(site)? {
        let is_html = file
            .extension()
            .is_some_and(|extension| extension == "html");
        if !is_html || file.ends_with(PRINTED) || file.ends_with("404.html") {
            continue;
        }
        let text = read(&file)?;
        for target in targets(&text) {
            count += 1;
            if let Some(problem) = problem(&file, &text, &target) {
                let name = file.strip_prefix(site).unwrap_or(&file);
                problems.insert(format!("{}: {target}: {problem}", name.display()));
            }
        }
    }
    if problems.is_empty() {
        Ok(count)
    } else {
        Err(problems.into_iter().collect::<Vec<_>>().join("\n"))
    }
}

/// The values of `href` and `src` that lead to other files of the site, or to a heading.
fn targets(text: &str) -> Vec<String> {
    let starts = ["href=\"", "src=\""].into_iter();
    let rests = starts.flat_map(|start| text.split(start).skip(1));
    let values = rests.filter_map(|rest| Some(rest.split_once('"')?.0));
    let is_own = |value: &&str| {
        !["://", "mailto:", "javascript:", "data:"]
            .iter()
            .any(|other| value.contains(other))
    };
    let values = values.filter(is_own).filter(|value| !value.is_empty());
    values.map(|value| value.replace("&amp;", "&")).collect()
}

fn problem(file: &Path, text: &str, target: &str) -> Option<&'static str> {
    let (path, heading) = target.split_once('#').unwrap_or((target, ""));
    let other = match path {
        "" => None,
        path => Some(plain(&file.parent()?.join(path))),
    };
    if other.as_ref().is_some_and(|other| !other.exists()) {
        return Some("there is no such file");
    }
    if heading.is_empty() {
        return None;
    }
    let id = format!("id=\"{heading}\"");
    let has_heading = match other {
        Some(other) => fs::read_to_string(other).is_ok_and(|text| text.contains(&id)),
        None => text.contains(&id),
    };
    (!has_heading).then_some("there is no such heading")
}

fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for component in path.components() {
        match component {
            Component::ParentDir => drop(plain.pop()),
            other => plain.push(other),
        }
    }
    plain
}
