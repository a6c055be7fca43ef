//! Code that users copy can be upgraded: a state is passed to another build as a term
//! (docs/upgrades.md), so it derives `Term`.

use std::collections::BTreeSet;
use std::process::Command;

use crate::root;

/// Behaviours with a state.
const BEHAVIOURS: [&str; 4] = [
    "GenServer for ",
    "GenStatem for ",
    "GenEvent for ",
    "SupervisorBridge for ",
];

/// Folders with states that users may copy.
const FOLDERS: [&str; 7] = [
    "docs/",
    "README.md",
    "examples/",
    "cli/errors/",
    "cli/templates/",
    "mix/",
    "bridge/README.md",
];

/// States that contain values which exist only in Rust, or that live no longer than a measurement:
/// the file, the type, and the reason.
const NOT_TERMS: &[(&str, &str, &str)] = &[
    (
        "examples/echonet_lite/src/controller.rs",
        "Controller",
        "sockets in Rust",
    ),
    (
        "examples/echonet_lite/src/node.rs",
        "Node",
        "sockets in Rust",
    ),
    (
        "examples/jungle/src/otp/compactor.rs",
        "Compactor",
        "an open database",
    ),
    (
        "examples/jungle/src/otp/database.rs",
        "Database",
        "an open database",
    ),
    (
        "examples/jungle/src/otp/replicas.rs",
        "Replicas",
        "open databases",
    ),
    (
        "examples/redis/src/cluster/member.rs",
        "Member",
        "the data set that all threads share",
    ),
    (
        "examples/redis/src/herald.rs",
        "Herald",
        "the data set that all threads share",
    ),
    (
        "examples/redis/src/replication/replicator.rs",
        "Replicator",
        "it has a client that repeats, which is memory of the library",
    ),
    (
        "examples/redis/src/reactor.rs",
        "Reactor",
        "sockets in Rust",
    ),
    (
        "examples/redis/src/replication/replicator.rs",
        "Replicator",
        "the data set that all threads share",
    ),
    ("examples/savina/src/bench.rs", "Bench", "a measurement"),
    (
        "examples/steiner/src/experiment.rs",
        "Experiment",
        "a measurement",
    ),
    (
        "examples/steiner/src/solver.rs",
        "Solver",
        "a counter that threads share",
    ),
    (
        "examples/thread_ring/src/aggregator.rs",
        "Aggregator",
        "a measurement",
    ),
];

/// Returns the texts from which users copy.
fn texts() -> Vec<(String, String)> {
    let output = Command::new("git")
        .args(["ls-files", "--"])
        .args(FOLDERS)
        .current_dir(root())
        .output()
        .expect("git runs");
    let listed = String::from_utf8(output.stdout).expect("UTF-8");
    let read = |path: &str| {
        let is_test = path.contains("/tests/");
        let text = std::fs::read_to_string(root().join(path)).ok();
        text.filter(|_| !is_test)
            .map(|text| (path.to_owned(), text))
    };
    listed.lines().filter_map(read).collect()
}

/// Includes the placeholders of templates, where a name is `@TYPE@`.
fn is_name(character: char) -> bool {
    character.is_alphanumeric() || "_@".contains(character)
}

/// Returns the types in `text` that implement a behaviour.
fn states(text: &str) -> BTreeSet<&str> {
    let implemented = text.lines().filter_map(|line| {
        let line = line.trim_start().strip_prefix("impl ")?;
        let of = BEHAVIOURS.iter().find_map(|name| line.split_once(name));
        let (_, of) = of.filter(|(path, _)| path.is_empty() || path.ends_with("::"))?;
        of.split(|character: char| !is_name(character)).next()
    });
    implemented.filter(|name| !name.is_empty()).collect()
}

/// Returns whether the type derives `Term` where it is defined, or `None` if it is not defined in
/// this text.
fn derives_term(text: &str, name: &str) -> Option<bool> {
    let lines: Vec<&str> = text.lines().map(str::trim_start).collect();
    let is_definition = |line: &&str| {
        let line = line
            .trim_start_matches("pub ")
            .trim_start_matches("pub(crate) ");
        let defined = line.strip_prefix("struct ").or(line.strip_prefix("enum "));
        let rest = defined.and_then(|line| line.strip_prefix(name));
        rest.is_some_and(|rest| !rest.starts_with(is_name))
    };
    let defined = lines
        .iter()
        .enumerate()
        .filter(|(_, line)| is_definition(line));
    let derives = |(number, _)| {
        let before = lines[..number].iter().rev();
        let mut above = before.take_while(|line| line.starts_with("#[") || line.starts_with("///"));
        above.any(|line| line.starts_with("#[derive(") && line.contains("Term"))
    };
    let all: Vec<bool> = defined.map(derives).collect();
    (!all.is_empty()).then(|| all.into_iter().all(|derives| derives))
}

#[test]
fn every_state_that_users_copy_can_be_upgraded() {
    let (mut found, mut refused, mut wrong) = (0, BTreeSet::new(), Vec::new());
    for (path, text) in texts() {
        for state in states(&text) {
            let has_reason = NOT_TERMS
                .iter()
                .any(|(file, name, _)| (*file, *name) == (&path, state));
            match derives_term(&text, state) {
                Some(true) => found += 1,
                Some(false) if has_reason => _ = refused.insert((path.clone(), state.to_owned())),
                Some(false) => wrong.push(format!("{path}: `{state}` does not derive `Term`")),
                None if path.ends_with(".rs") => wrong.push(format!("{path}: where is `{state}`?")),
                None => {}
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(found > 50, "only {found} states are found");
    for (path, state, _) in NOT_TERMS {
        let known = refused.contains(&((*path).to_owned(), (*state).to_owned()));
        assert!(
            known,
            "{path}: `{state}` is a term by now: take it off the list"
        );
    }
}

#[test]
fn states_are_found_with_their_derives() {
    let text = "#[derive(Debug)]\npub struct Wrong {\n}\n/// Right.\n#[derive(Term)]\nstruct Right;\n\
                impl GenServer for Wrong {\nimpl gen_statem::GenStatem for Right {\nimpl GenServer for Away {\n";
    assert_eq!(states(text), BTreeSet::from(["Away", "Right", "Wrong"]));
    assert_eq!(derives_term(text, "Wrong"), Some(false));
    assert_eq!(derives_term(text, "Right"), Some(true));
    assert_eq!(derives_term(text, "Away"), None);
}
