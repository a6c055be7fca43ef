//! Rust modules inside a folder: layers between the folders of the run time, and no large cycles of
//! files anywhere.

use std::collections::{BTreeMap, BTreeSet};

use crate::architecture;
use crate::modules::{CRATES, Source, files};

/// Folders whose subfolders have a table: the crate, and the Rust module.
const LAYERED: [(&str, &str); 2] = [("bridge", "runtime"), ("bridge", "tasks")];

/// The Rust modules of `bridge` that keep unsafe code in `raw/`.
const LAYERED_UNSAFE: [&str; 2] = ["runtime", "tasks"];

/// Maximum number of files in a cycle.
const MOST: usize = 3;

/// The Rust modules of a crate that are files.
struct Modules<'s> {
    sources: &'s [Source],
    by_module: BTreeMap<&'s [String], &'s Source>,
    /// The imported names of each module, with their paths.
    imports: BTreeMap<&'s [String], BTreeMap<&'s str, &'s [String]>>,
}

impl<'s> Modules<'s> {
    fn of(sources: &'s [Source]) -> Self {
        let by_module = sources
            .iter()
            .map(|it| (it.module.as_slice(), it))
            .collect();
        let mut imports: BTreeMap<_, BTreeMap<_, _>> = BTreeMap::new();
        for path in sources.iter().flat_map(|it| &it.content.paths) {
            if let Some(last) = path.to.last().filter(|_| path.is_reexport) {
                let names = imports.entry(path.from.as_slice()).or_default();
                names.insert(last.as_str(), path.to.as_slice());
            }
        }
        Modules {
            sources,
            by_module,
            imports,
        }
    }

    /// Returns the Rust module that contains the target of a path.
    fn resolved(&self, to: &[String]) -> Option<&'s Source> {
        let mut to = to.to_vec();
        // A name may be re-exported several times.
        for _ in 0..8 {
            let length = (0..=to.len())
                .rev()
                .find(|it| self.by_module.contains_key(&to[..*it]))?;
            let (module, rest) = to.split_at(length);
            let given_on = rest.first().and_then(|name| {
                let names = self.imports.get(module)?;
                names
                    .get(name.as_str())
                    .filter(|path| **path != to.as_slice())
            });
            match given_on {
                Some(path) => to = [path, &rest[1..]].concat(),
                None => return self.by_module.get(module).copied(),
            }
        }
        None
    }

    /// Returns each use of one file by another, without tests: the two files, and the location and
    /// path of the use.
    fn uses(&self) -> Vec<(&'s Source, &'s Source, String)> {
        let tests: BTreeSet<_> = self
            .sources
            .iter()
            .flat_map(|it| &it.content.tests)
            .collect();
        let is_test = |it: &Source| tests.iter().any(|test| it.module.starts_with(test));
        let mut uses = Vec::new();
        for from in self.sources.iter().filter(|it| !is_test(it)) {
            for path in from.content.paths.iter().filter(|it| !it.is_reexport) {
                let to = self.resolved(&path.to);
                if let Some(to) = to.filter(|to| to.path != from.path && !is_test(to)) {
                    let text = format!("{}:{}: `{}`", from.path, path.line, path.to.join("::"));
                    uses.push((from, to, text));
                }
            }
        }
        uses
    }
}

/// Returns the part of a module's path inside another one.
fn part<'m>(module: &'m [String], of: &str) -> Option<&'m str> {
    match module {
        [first, part, ..] if first == of => Some(part),
        _ => None,
    }
}

#[test]
fn folders_use_each_other_only_along_the_tables() {
    let mut wrong = Vec::new();
    for (folder, module) in LAYERED {
        let sources = files(folder);
        let modules = Modules::of(&sources);
        let path = format!("{folder}/src/{module}");
        let heading = architecture::heading(&path);
        let table = architecture::modules(&path);
        let tests: BTreeSet<_> = sources.iter().flat_map(|it| &it.content.tests).collect();
        let parts = sources
            .iter()
            .filter(|it| !tests.iter().any(|test| it.module.starts_with(test)));
        let parts: BTreeSet<_> = parts.filter_map(|it| part(&it.module, module)).collect();
        let listed: BTreeSet<_> = table.keys().map(String::as_str).collect();
        assert_eq!(
            listed, parts,
            "the rows of `{heading}` are its folders and files"
        );
        for (name, row) in &table {
            for to in &row.may_use {
                let is_below = table.get(to).is_some_and(|other| other.number < row.number);
                assert!(
                    is_below,
                    "`{heading}`: `{to}` has no row above `{name}`, which may use it"
                );
            }
        }
        let mut used = BTreeSet::new();
        for (from, to, text) in modules.uses() {
            let (Some(from), Some(to)) = (part(&from.module, module), part(&to.module, module))
            else {
                continue;
            };
            used.insert((from, to));
            if from != to && !table[from].may_use.contains(to) {
                wrong.push(format!("{text}: `{from}` must not use `{to}`: `{heading}`"));
            }
        }
        for (name, row) in &table {
            let unused = row
                .may_use
                .iter()
                .filter(|to| !used.contains(&(name.as_str(), to.as_str())));
            wrong.extend(unused.map(|to| format!("`{heading}`: `{name}` does not use `{to}`")));
        }
    }
    assert!(
        wrong.is_empty(),
        "architecture.toml forbids:\n{}",
        wrong.join("\n")
    );
}

#[test]
fn no_more_than_three_files_of_a_folder_use_each_other_in_a_circle() {
    let mut wrong = Vec::new();
    for folder in CRATES {
        let mut sources = files(folder);
        sources.retain(|it| !it.path.contains("/generated/"));
        let mut edges: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for (from, to, _) in Modules::of(&sources).uses() {
            if directory(&from.path) == directory(&to.path) {
                edges.entry(&from.path).or_default().insert(&to.path);
            }
        }
        let circles = circles(&edges).into_iter();
        for circle in circles.filter(|circle| circle.len() > MOST) {
            wrong.push(format!("{}: {}", circle.len(), circle.join(" ")));
        }
    }
    assert!(wrong.is_empty(), "circles of files:\n{}", wrong.join("\n"));
}

/// Files of `runtime` and `tasks` outside of their `raw/` that still have `unsafe`. This list only
/// becomes shorter.
const UNSAFE: [&str; 19] = [
    "bridge/src/runtime/awaiting/operation.rs",
    "bridge/src/runtime/entry/application.rs",
    "bridge/src/runtime/entry/mod.rs",
    "bridge/src/runtime/entry/natives.rs",
    "bridge/src/runtime/entry/resume.rs",
    "bridge/src/runtime/exchange/step.rs",
    "bridge/src/runtime/harness/running.rs",
    "bridge/src/runtime/harness/running/begin.rs",
    "bridge/src/runtime/harness/running/leaving.rs",
    "bridge/src/runtime/harness/spawned.rs",
    "bridge/src/runtime/invocation/mod.rs",
    "bridge/src/runtime/invocation/vm.rs",
    "bridge/src/tasks/executor/closing.rs",
    "bridge/src/tasks/executor/local.rs",
    "bridge/src/tasks/executor/mod.rs",
    "bridge/src/tasks/sharing/channel.rs",
    "bridge/src/tasks/sharing/handle.rs",
    "bridge/src/tasks/sharing/local_cell.rs",
    "bridge/src/tasks/tests.rs",
];

#[test]
fn what_is_unsafe_is_in_a_folder_of_its_own() {
    let sources = files("bridge");
    let is_layered = |it: &&Source| {
        let parent = it.module.first().map(String::as_str);
        LAYERED_UNSAFE.contains(&parent.unwrap_or_default()) && !it.path.contains("/raw/")
    };
    let texts = crate::all_sources();
    let has_unsafe = |it: &&Source| {
        let text = texts.iter().find(|(path, _)| *path == it.path);
        text.is_some_and(|(_, text)| text.contains("allow(unsafe_code)"))
    };
    let found = sources.iter().filter(is_layered).filter(has_unsafe);
    let found: Vec<_> = found.map(|it| it.path.as_str()).collect();
    assert_eq!(
        found, UNSAFE,
        "`unsafe` of `runtime` and `tasks` is in their `raw/`"
    );
}

fn directory(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(directory, _)| directory)
}

/// Returns the groups of files in which each file uses all others, directly or indirectly.
fn circles<'f>(edges: &BTreeMap<&'f str, BTreeSet<&'f str>>) -> Vec<Vec<&'f str>> {
    let reached = |from: &'f str| {
        let (mut reached, mut waiting) = (BTreeSet::new(), vec![from]);
        while let Some(next) = waiting.pop() {
            let uses = edges.get(next).into_iter().flatten();
            waiting.extend(uses.filter(|to| reached.insert(**to)));
        }
        reached
    };
    let all: BTreeMap<&str, BTreeSet<&str>> =
        edges.keys().map(|file| (*file, reached(file))).collect();
    let mut circles = BTreeSet::new();
    for (file, reached) in &all {
        let back = |to: &&&str| all.get(**to).is_some_and(|it| it.contains(file));
        let circle: Vec<&str> = reached.iter().filter(back).copied().collect();
        if circle.len() > 1 {
            circles.insert(circle);
        }
    }
    circles.into_iter().collect()
}

#[test]
fn circles_are_found() {
    let edges = [
        ("a", "b"),
        ("b", "c"),
        ("c", "a"),
        ("c", "d"),
        ("d", "e"),
        ("e", "d"),
        ("f", "a"),
    ];
    let mut map: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (from, to) in edges {
        map.entry(from).or_default().insert(to);
    }
    assert_eq!(circles(&map), [vec!["a", "b", "c"], vec!["d", "e"]]);
}
