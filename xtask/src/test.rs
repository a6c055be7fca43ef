//! `cargo xtask test`: the whole check.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::Instant;

use crate::alone;
use crate::cargo_tools;
use crate::codegen;
use crate::corpus;
use crate::erlang;
use crate::linear;
use crate::lints;
use crate::pairs;
use crate::second_target;
use crate::sides::{self, Side};
use crate::step::{self, Outcome, applications_target, cargo, heading, root, run, target};
use crate::test_files::{LIBRARIES, MACROS, TestFiles};
use crate::times;

/// A step's name and what it does.
type Step = (&'static str, fn() -> Outcome);

/// What everything else needs.
const FIRST: &[Step] = &[
    ("Erlang", erlang::to_test),
    ("format", format),
    ("dependencies", cargo_tools::deny_if_installed),
];

/// What is built in the workspace's target folder, apart from the tests that start whole
/// applications.
const WORKSPACE: &[Step] = &[
    ("generated code", codegen::check),
    ("libraries", libraries),
    ("documentation", documentation),
    ("builds of tests", builds_of_tests),
    ("bindings alone", alone::check),
    ("peers", peers),
];

/// What is built in the target folder of the applications.
const APPLICATIONS: &[Step] = &[
    ("applications", applications),
    ("steps of reading", || linear::task(&[])),
];

/// These need no application, and begin when what the workspace needs is built.
const OF_CRATES: &[Step] = &[
    ("tests of crates", tests_of_crates),
    ("pairs with json", pairs::with_json),
    ("modules that compile", modules_that_compile),
    ("schemas", schemas),
];

/// What starts applications. These wait for VMs, disks and clocks, so several run at the same time,
/// the longest first. Some have time limits, so nothing large is built meanwhile. Two that start
/// the same application are on one side.
const SIDES: &[&[Step]] = &[
    &[("long tests", long_tests)],
    &[("tests of applications", tests_of_applications)],
    &[
        ("tests of examples", tests_of_examples),
        ("tests with examples", tests_with_examples),
    ],
    &[("tests of redis", tests_of_redis)],
    &[("tests of minutes", tests_of_minutes)],
    &[("tests of the guide", tests_of_guide)],
];

/// The example whose tests are a side of their own.
const REDIS: &str = "redis";

/// For those who wait for it: the check itself reads everything with the same lints while it is
/// built.
const BY_NAME: &[Step] = &[("lints", lints)];

/// All steps, or those with these names.
pub(crate) fn task(wanted: &[&str]) -> Outcome {
    if wanted.is_empty() {
        return everything_in_order();
    }
    let tests = SIDES.concat();
    let all = [FIRST, WORKSPACE, APPLICATIONS, OF_CRATES, &tests, BY_NAME].concat();
    steps(&named(&all, wanted)?)
}

fn everything_in_order() -> Outcome {
    let start = Instant::now();
    times::begin();
    steps(FIRST)?;
    let applications = side(APPLICATIONS)?;
    let built = steps(WORKSPACE).and_then(|()| side(OF_CRATES));
    let applications = applications.end();
    let crates = built?;
    let tests = applications.and_then(|()| {
        let sides = SIDES.iter().map(|steps| || side(steps)?.end());
        sides::at_once(2 * cores() + 1, sides)
    });
    crates.end().and(tests)?;
    step::say(&times::report());
    step::say(&format!("\nAll passed in {:.0?}.\n", start.elapsed()));
    Ok(())
}

fn named(all: &[Step], wanted: &[&str]) -> Outcome<Vec<Step>> {
    let known = |name: &&str| {
        let step = all.iter().find(|(known, _)| known == name);
        step.copied().ok_or_else(|| {
            let known = names(all).join(", ");
            format!("there is no step `{name}`; there are {known}")
        })
    };
    wanted.iter().map(known).collect()
}

fn steps(steps: &[Step]) -> Outcome {
    for (name, step) in steps {
        heading(name);
        let took = times::of(times::TimedKind::Step, name, step)?;
        step::say(&format!("-- {name}: {took}\n"));
    }
    Ok(())
}

/// This program, for some of the steps.
fn another(steps: &[Step]) -> Outcome<Command> {
    let program = env::current_exe().map_err(|error| format!("this program: {error}"))?;
    let mut command = Command::new(program);
    command.arg("test").args(names(steps));
    Ok(command)
}

/// The generator is that of the tests. Built alone, or without their lints, it would be compiled
/// once more, and replace the program that other tests are running.
fn modules_that_compile() -> Outcome {
    let its_tests = ["--test", "it", "--no-run"];
    lints::while_building(&mut in_workspace(&of_others(&its_tests)))?;
    corpus::sample()
}

/// Begins these steps beside others: a large crate keeps only one core busy.
fn side(steps: &[Step]) -> Outcome<Side> {
    let names = names(steps);
    step::say(&format!("\nBegun, and shown later: {}\n", names.join(", ")));
    let file = target().join(format!("beside_{}.txt", names[0].replace(' ', "_")));
    Side::start(another(steps)?, file)
}

fn names(steps: &[Step]) -> Vec<&'static str> {
    steps.iter().map(|(name, _)| *name).collect()
}

fn format() -> Outcome {
    run(&mut cargo(root(), &["fmt", "--all", "--check"]))
}

/// The expectations, whose types also write JSON.
fn schemas() -> Outcome {
    let package = ["test", "--package", "otp-tests", "--features", "json"];
    let test = ["--test", "expectations", "schemas"];
    lints::while_building(&mut cargo(root(), &[package.as_slice(), &test].concat()))
}

/// The features of bridge that not every application has.
const BRIDGE: &str = "otp-bridge/coverage,otp-bridge/json,otp-bridge/log,otp-bridge/net,otp-bridge/nifs,otp-bridge/serde,otp-bridge/serde_rustler,otp-bridge/text,otp-bridge/tokio,otp-bridge/tracing";

/// These, all bindings and the fuzz targets. The libraries are tested with all of this and nothing
/// else is, so that they are compiled once with it, which takes long. What an application has that
/// names no features is compiled for the tests that cross crates, and for the applications.
fn everything() -> String {
    format!("{BRIDGE},otp-bindings/all,otp-fuzz/targets")
}

/// Everything else, with the run time as most applications use it. The macros are among it once
/// more: their tests have features of crates that most others need, too.
fn of_others(more: &[&str]) -> Vec<String> {
    let libraries = LIBRARIES.iter().filter(|name| **name != MACROS);
    let others = libraries.flat_map(|library| ["--exclude", library]);
    let words = ["test", "--workspace"].into_iter().chain(others);
    words
        .chain(more.iter().copied())
        .map(str::to_owned)
        .collect()
}

fn in_workspace(words: &[String]) -> Command {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    cargo(root(), &words)
}

/// The tests of the run time, and the examples of all bindings, which are documentation. The fuzz
/// targets are built, because they have a test; `cargo xtask fuzz` runs them.
fn libraries() -> Outcome {
    let features = everything();
    let packages = LIBRARIES.iter().flat_map(|library| ["--package", library]);
    let packages: Vec<&str> = packages.collect();
    let test = [&["test", "--features", &features], &packages[..]].concat();
    lints::while_building(&mut cargo(root(), &test))
}

/// Everything else is built before anything of it runs.
fn builds_of_tests() -> Outcome {
    lints::while_building(&mut in_workspace(&of_others(&[
        "--all-targets",
        "--no-run",
    ])))
}

/// The lints of the workspace, where nothing else is built.
fn lints() -> Outcome {
    let features = everything();
    let clippy = ["clippy", "--workspace", "--all-targets", "--features"];
    let all = [&clippy[..], &[&features, "--", "-D", "warnings"]].concat();
    run(&mut cargo(root(), &all))
}

/// The documentation of what is published. The bindings' modules are left out: they are generated,
/// and their documentation takes longer than all other. otp-tests has the features with which the
/// macros are compiled already.
fn documentation() -> Outcome {
    let features = ["doc", "--no-deps", "--features", BRIDGE];
    let libraries = [
        "otp-bridge",
        MACROS,
        "otp-bindings",
        "otp-bridge-axum",
        "otp-bridge-novm",
        "otp-cli",
        "otp-codegen",
        "otp-contract",
        "otp-grammar",
        "otp-specs",
        "otp-tests",
    ];
    let packages: Vec<&str> = libraries
        .iter()
        .flat_map(|library| ["--package", library])
        .collect();
    let mut cargo = cargo(root(), &[&features[..], &packages].concat());
    run(cargo.env("RUSTDOCFLAGS", "-D warnings"))
}

/// They end last, and many wait for a VM or for another test's cargo, so there are more of them at
/// a time than cores. They build much, in a target folder of their own.
fn long_tests() -> Outcome {
    let built = applications_target();
    let second = built.join("long_tests");
    second_target::make(&built, &second)?;
    let threads = format!("--test-threads={}", cores() + cores().div_ceil(2));
    let mut cargo = tests(&TestFiles::read()?.long(), &[&threads]);
    lints::while_building(cargo.env("OTP_TESTS_TARGET", second))
}

fn cores() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

fn tests_of_guide() -> Outcome {
    run_tests(&TestFiles::read()?.of_guide())
}

fn tests_of_applications() -> Outcome {
    run_tests(&TestFiles::read()?.of_applications())
}

fn tests_of_crates() -> Outcome {
    let units = ["--lib".to_owned(), "--bins".to_owned()];
    run_tests(&[&units[..], &TestFiles::read()?.of_crates()].concat())?;
    run_tests(&["--doc".to_owned()])
}

fn tests_of_minutes() -> Outcome {
    run_tests(&TestFiles::read()?.of_minutes())
}

/// Runs tests of these targets, as many at a time as there are cores.
fn run_tests(targets: &[String]) -> Outcome {
    lints::while_building(&mut tests(targets, &[]))
}

/// Whatever the targets are, the packages are the same, and so their features. One run tells of all
/// that fail. The programs of the tests are given more words.
fn tests(targets: &[String], more: &[&str]) -> Command {
    let mut words: Vec<&str> = targets.iter().map(String::as_str).collect();
    words.extend(["--no-fail-fast", "--"]);
    words.extend(more);
    let mut cargo = in_workspace(&of_others(&words));
    with_vms(&mut cargo);
    cargo
}

/// For tests that start VMs.
fn with_vms(cargo: &mut Command) -> &mut Command {
    // Built with the tests. Built alone it would have other features, and be compiled once more.
    cargo.env("CARGO_OTP", cargo_otp());
    // There are more VMs than cores, so that one that spins while it waits keeps another from work.
    cargo.env("ERL_AFLAGS", "+sbwt none +sbwtdcpu none +sbwtdio none")
}

/// `cargo otp` as the tests build it.
fn cargo_otp() -> PathBuf {
    target().join("debug/cargo-otp")
}

/// Each application is a crate of its own outside the workspace. Those of `tests/apps` have no
/// tests inside. The tests find all of them built, by the same compiler.
fn applications() -> Outcome {
    for folder in crate_folders("tests/apps")? {
        formatted(&folder)?;
        lints::while_building(&mut of_application(&folder, &["build", "--lib"]))?;
    }
    for folder in crate_folders("examples")? {
        formatted(&folder)?;
        lints::while_building(&mut of_example(&folder, &["--no-run"]))?;
    }
    Ok(())
}

fn tests_of_examples() -> Outcome {
    let folders = crate_folders("examples")?;
    let mut others = folders.iter().filter(|folder| !folder.ends_with(REDIS));
    others.try_for_each(|folder| test_example(folder))
}

/// As many as those of all other examples.
fn tests_of_redis() -> Outcome {
    test_example(&root().join("examples").join(REDIS))
}

fn test_example(folder: &Path) -> Outcome {
    lints::while_testing(with_vms(&mut of_example(folder, &[])))
}

fn tests_with_examples() -> Outcome {
    run_tests(&TestFiles::read()?.with_examples())
}

fn of_example(folder: &Path, more: &[&str]) -> Command {
    of_application(folder, &[&["test", "--workspace"], more].concat())
}

/// With `--all` each would have the run time and all bindings formatted once more.
fn formatted(folder: &Path) -> Outcome {
    let members = step::members(folder)?;
    let members = members.iter().flat_map(|name| ["--package", name]);
    let words: Vec<&str> = ["fmt", "--check"].into_iter().chain(members).collect();
    run(&mut of_application(folder, &words))
}

/// The programs with other frameworks compile. `cargo xtask bench` runs them. They share nothing
/// with applications, and do not wait for these in the target folder of the workspace.
fn peers() -> Outcome {
    let folder = root().join("peers");
    let clippy = ["clippy", "--all-targets", "--", "-D", "warnings"];
    formatted(&folder)?;
    run(&mut cargo(&folder, &clippy))
}

/// cargo in the folder of a crate outside the workspace.
pub(crate) fn of_application(folder: &Path, arguments: &[&str]) -> Command {
    let mut cargo = cargo(folder, arguments);
    cargo.env("CARGO_TARGET_DIR", applications_target());
    cargo
}

pub(crate) fn crate_folders(parent: &str) -> Outcome<Vec<PathBuf>> {
    let folder = root().join(parent);
    let entries =
        fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut folders: Vec<PathBuf> = entries
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.join("Cargo.toml").is_file())
        .collect();
    folders.sort();
    Ok(folders)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_is_found_by_its_name() {
        let all = [FIRST, SIDES[0], OF_CRATES].concat();
        let found = named(&all, &["long tests", "format"]).unwrap();
        assert_eq!(names(&found), ["long tests", "format"]);
        let problem = named(&all, &["test"]).unwrap_err();
        let steps = "Erlang, format, dependencies, long tests, tests of crates, pairs with json, \
                     modules that compile, schemas";
        assert!(problem.ends_with(&format!("no step `test`; there are {steps}")));
    }
}
