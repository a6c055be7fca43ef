//! Published packages are complete, and have only allowed dependencies.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::{read, root};

/// Runs cargo without a network.
fn cargo(arguments: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO"));
    command.args(arguments).arg("--offline").current_dir(root());
    let output = command.output().expect("cargo runs");
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "cargo {arguments:?}: {complaint}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// Returns all packages in the workspace's build.
fn packages() -> Vec<Value> {
    let text = cargo(&["metadata", "--format-version", "1"]);
    let metadata: Value = serde_json::from_str(&text).expect("JSON");
    metadata["packages"].as_array().expect("packages").clone()
}

fn text<'v>(package: &'v Value, key: &str) -> &'v str {
    package[key].as_str().unwrap_or_default()
}

/// Returns the strings of a list in deny.toml.
fn allowed(key: &str) -> BTreeSet<String> {
    let text = read("deny.toml");
    let list = text.split_once(&format!("\n{key} = ["));
    let (_, list) = list.unwrap_or_else(|| panic!("deny.toml has no `{key}`"));
    let lines = list.lines().take_while(|line| !line.starts_with(']'));
    let strings = lines.filter_map(|line| line.split('"').nth(1));
    strings.map(str::to_owned).collect()
}

/// Returns whether allowed licences alone can fulfil a licence expression. `/` is an old notation
/// of `OR`.
fn is_allowed(expression: &str, allowed: &BTreeSet<String>) -> bool {
    let expression = expression.replace('/', " OR ");
    let expression = expression.trim();
    if let Some(parts) = split(expression, " OR ") {
        return parts.iter().any(|part| is_allowed(part, allowed));
    }
    if let Some(parts) = split(expression, " AND ") {
        return parts.iter().all(|part| is_allowed(part, allowed));
    }
    match expression
        .strip_prefix('(')
        .and_then(|rest| rest.strip_suffix(')'))
    {
        Some(inner) => is_allowed(inner, allowed),
        None => allowed.contains(expression),
    }
}

/// Splits an expression at operators outside parentheses. Returns `None` if there is no such
/// operator.
fn split(expression: &str, operator: &str) -> Option<Vec<String>> {
    let (mut parts, mut part, mut depth) = (Vec::new(), String::new(), 0);
    let mut rest = expression;
    while let Some(next) = rest.chars().next() {
        if depth == 0 && rest.starts_with(operator) {
            parts.push(std::mem::take(&mut part));
            rest = &rest[operator.len()..];
            continue;
        }
        depth += i32::from(next == '(') - i32::from(next == ')');
        part.push(next);
        rest = &rest[next.len_utf8()..];
    }
    parts.push(part);
    (parts.len() > 1).then_some(parts)
}

#[test]
fn dependencies_have_an_allowed_licence_and_source() {
    let licences = allowed("allow");
    let registry = "registry+https://github.com/rust-lang/crates.io-index";
    let mut used = BTreeSet::new();
    for package in packages() {
        let (name, licence) = (text(&package, "name"), text(&package, "license"));
        assert!(
            is_allowed(licence, &licences),
            "{name} has the licence `{licence}`, which deny.toml does not allow"
        );
        let source = package["source"].as_str();
        assert!(
            source.is_none_or(|source| source == registry),
            "{name} does not come from crates.io"
        );
        used.extend(
            licences
                .iter()
                .filter(|one| licence.contains(*one))
                .cloned(),
        );
    }
    let unused: Vec<_> = licences.difference(&used).collect();
    assert!(unused.is_empty(), "deny.toml: no dependency has {unused:?}");
}

/// Returns the paths in `include_str!("…")` of a source file.
fn included(source: &str) -> impl Iterator<Item = &str> {
    let calls = source.split("include_str!(").skip(1);
    calls.filter_map(|call| call.strip_prefix('"')?.split('"').next())
}

/// Returns `path` without `..`.
fn plain(path: &Path) -> String {
    let mut parts: Vec<String> = Vec::new();
    for part in path.components() {
        match part.as_os_str().to_str() {
            Some("..") => drop(parts.pop()),
            part => parts.extend(part.map(str::to_owned)),
        }
    }
    parts.join("/")
}

#[test]
fn published_crates_are_whole() {
    let packages = packages();
    let ours = packages
        .iter()
        .filter(|package| package["source"].is_null());
    // `publish = false` is an empty list of registries.
    let published = ours.filter(|package| package["publish"].is_null());
    let mut number = 0;
    for package in published {
        number += 1;
        let name = text(package, "name");
        for key in ["description", "license", "readme", "rust_version"] {
            assert!(!text(package, key).is_empty(), "{name} has no `{key}`");
        }
        for key in ["categories", "keywords"] {
            let words = package[key].as_array().map_or(0, Vec::len);
            assert!((1..=5).contains(&words), "{name} has {words} {key}");
        }
        let listed = cargo(&["package", "--list", "--allow-dirty", "--package", name]);
        let files: BTreeSet<&str> = listed.lines().collect();
        // Both licences require that their text is kept with the code.
        for file in ["README.md", "LICENSE-MIT", "LICENSE-APACHE"] {
            assert!(files.contains(file), "{name} has no {file}");
        }
        let manifest = Path::new(text(package, "manifest_path"));
        let folder = manifest.parent().expect("a manifest is in a folder");
        for file in files.iter().filter(|file| file.ends_with(".rs")) {
            let Ok(source) = std::fs::read_to_string(folder.join(file)) else {
                continue;
            };
            for path in included(&source) {
                let beside = Path::new(file).parent().unwrap_or(Path::new(""));
                let path = plain(&beside.join(path));
                assert!(
                    files.contains(path.as_str()),
                    "{name}: {file} includes {path}, which is not in the package"
                );
            }
        }
    }
    assert!(number >= 7, "only {number} crates are published");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_are_judged_by_their_operators() {
        let allowed = BTreeSet::from(["MIT".to_owned(), "Unicode-3.0".to_owned()]);
        for good in [
            "MIT",
            "GPL-3.0 OR MIT",
            "Unlicense/MIT",
            "(MIT OR X) AND Unicode-3.0",
        ] {
            assert!(is_allowed(good, &allowed), "{good}");
        }
        for bad in ["", "GPL-3.0", "MIT AND X", "(X OR MIT) AND Y", "MITX"] {
            assert!(!is_allowed(bad, &allowed), "{bad}");
        }
    }
}
