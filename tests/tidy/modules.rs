//! Within a crate, a Rust module only uses modules below it, as listed in architecture.toml.

use std::collections::{BTreeMap, BTreeSet};

use crate::all_sources;
use crate::architecture::{self, Row};
use crate::paths::{self, File, Path};

/// The crates' folders.
pub(crate) const CRATES: [&str; 14] = [
    "contract",
    "grammar",
    "specs",
    "codegen",
    "bridge",
    "bridge/axum",
    "bridge/macros",
    "bridge/metrics",
    "bindings",
    "cli",
    "xtask",
    "fuzz",
    "peers",
    "peers/redis_shapes",
];

/// The name for items of `lib.rs` or `main.rs` themselves. The root of a crate uses all modules.
const ROOT: &str = "lib.rs";

/// A file of a crate.
pub(crate) struct Source {
    pub(crate) path: String,
    /// The module's path from the root.
    pub(crate) module: Vec<String>,
    pub(crate) content: File,
}

/// A use of one module by another.
struct Edge {
    from: String,
    to: String,
    /// Path and line.
    location: String,
    path: String,
}

/// Returns the source files of a crate. Its binaries are separate crates, which only see the
/// library's public items.
pub(crate) fn files(folder: &str) -> Vec<Source> {
    let inside = |path: &str| {
        let inside = path.strip_prefix(folder)?.strip_prefix("/src/")?;
        let parts = inside.strip_suffix(".rs")?.split('/');
        let mut module: Vec<_> = parts.map(str::to_owned).collect();
        let is_root = module == ["lib"] || module == ["main"];
        if is_root || module.last().is_some_and(|last| last == "mod") {
            module.pop();
        }
        Some(module).filter(|module| module.first().is_none_or(|first| first != "bin"))
    };
    let files = all_sources().into_iter().filter_map(|(path, text)| {
        let module = inside(&path)?;
        let content = paths::read(&module, &text);
        Some(Source {
            path,
            module,
            content,
        })
    });
    files.collect()
}

/// Returns the modules in a crate's root, and the modules that define the names which the root
/// imports.
fn root_of(files: &[Source]) -> (BTreeSet<String>, BTreeMap<String, BTreeSet<String>>) {
    let root = files.iter().find(|file| file.module.is_empty());
    let content = &root.expect("a crate has a root").content;
    let direct = content.modules.iter().filter(|path| path.len() == 1);
    let modules: BTreeSet<String> = direct.map(|path| path[0].clone()).collect();
    let mut names: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let own = content.paths.iter().filter(|path| path.from.is_empty());
    for path in own {
        if let [first, .., last] = path.to.as_slice()
            && modules.contains(first)
        {
            names.entry(last.clone()).or_default().insert(first.clone());
        }
    }
    (modules, names)
}

/// Returns the crate's modules, and the uses between them.
fn edges(folder: &str) -> (BTreeSet<String>, Vec<Edge>) {
    let files = files(folder);
    let (modules, names) = root_of(&files);
    let tests: BTreeSet<_> = files.iter().flat_map(|file| &file.content.tests).collect();
    let is_test = |file: &&Source| tests.iter().any(|test| file.module.starts_with(test));
    let targets = |path: &Path| match path.to.first() {
        None => BTreeSet::new(),
        Some(first) if modules.contains(first) => BTreeSet::from([first.clone()]),
        Some(first) => {
            // A name that the root does not list comes from a `pub use module::*`, if there is one.
            let found = names.get(first).or_else(|| names.get("*"));
            let lib = || BTreeSet::from([ROOT.to_owned()]);
            found.cloned().unwrap_or_else(lib)
        }
    };
    let mut edges = Vec::new();
    for file in files.iter().filter(|file| !is_test(file)) {
        for path in &file.content.paths {
            // The root uses all modules.
            let Some(from) = path.from.first() else {
                continue;
            };
            edges.extend(targets(path).into_iter().map(|to| Edge {
                from: from.clone(),
                to,
                location: format!("{}:{}", file.path, path.line),
                path: path.to.join("::"),
            }));
        }
    }
    edges.retain(|edge| edge.from != edge.to);
    (modules, edges)
}

#[test]
fn modules_use_each_other_only_along_the_tables() {
    let mut wrong = Vec::new();
    for folder in CRATES {
        let (modules, edges) = edges(folder);
        let table = architecture::modules(folder);
        let heading = architecture::heading(folder);
        let listed: BTreeSet<String> = table.keys().cloned().collect();
        let odd: Vec<_> = listed.symmetric_difference(&modules).collect();
        assert!(
            odd.is_empty(),
            "the rows of `{heading}` are not the crate's modules: see {odd:?}"
        );
        for Edge {
            from,
            to,
            location,
            path,
        } in edges
        {
            let row = &table[&from];
            if !row.may_use.contains(&to) && !row.known_cycles.contains(&to) {
                wrong.push(format!(
                    "{location}: `{from}` must not use `{to}`, as `{path}` does: `{heading}`"
                ));
            }
        }
    }
    let wrong = wrong.join("\n");
    assert!(wrong.is_empty(), "architecture.toml forbids:\n{wrong}");
}

/// A cycle that no longer exists must be removed from its table.
#[test]
fn known_cycles_are_still_there() {
    for folder in CRATES {
        let (_, edges) = edges(folder);
        let heading = architecture::heading(folder);
        for (from, row) in architecture::modules(folder) {
            for to in &row.known_cycles {
                let is_there = edges.iter().any(|edge| edge.from == from && edge.to == *to);
                assert!(
                    is_there,
                    "`{from}` does not use `{to}` any more: take it out of `{heading}`"
                );
            }
        }
    }
}

/// Also checks tables that are not enforced yet: no path of allowed uses leads back to its start.
#[test]
fn the_tables_begin_with_the_lowest() {
    for folder in CRATES {
        let heading = architecture::heading(folder);
        let table = architecture::modules(folder);
        for (module, row) in &table {
            for to in &row.may_use {
                let is_below = table.get(to).is_some_and(|other| other.number < row.number);
                assert!(
                    is_below,
                    "`{heading}`: `{to}` has no row above `{module}`, which may use it"
                );
            }
        }
    }
}

#[test]
fn what_the_tables_call_a_cycle_is_one() {
    for folder in CRATES {
        let heading = architecture::heading(folder);
        let table = architecture::modules(folder);
        for (module, row) in &table {
            // The root uses every module.
            for to in row.known_cycles.iter().filter(|to| *to != ROOT) {
                let leads_back = to == module || below(to, &table).contains(module);
                assert!(leads_back, "`{heading}`: `{module}` may simply use `{to}`");
            }
        }
    }
}

/// Returns all modules that a module may use, directly or indirectly.
fn below(module: &str, table: &BTreeMap<String, Row>) -> BTreeSet<String> {
    let mut below = BTreeSet::new();
    let mut waiting = vec![module.to_owned()];
    while let Some(next) = waiting.pop() {
        let uses = table
            .get(&next)
            .map(|row| row.may_use.clone())
            .unwrap_or_default();
        waiting.extend(uses.into_iter().filter(|to| below.insert(to.clone())));
    }
    below
}

/// Tests and applications are exempt: they arrange their modules as they like.
#[test]
fn every_crate_with_modules_has_a_table() {
    for (path, _) in all_sources() {
        let library = path.strip_suffix("/src/lib.rs");
        let Some(folder) = library.or(path.strip_suffix("/src/main.rs")) else {
            continue;
        };
        if folder.starts_with("tests") || folder.starts_with("examples/") {
            continue;
        }
        let (modules, _) = edges(folder);
        assert_eq!(
            modules.len() > 1,
            CRATES.contains(&folder),
            "{folder}: {modules:?}"
        );
    }
    for folder in CRATES {
        let read = files(folder)
            .iter()
            .any(|file| !file.content.paths.is_empty());
        assert!(read, "{folder}: no path was read");
    }
}
