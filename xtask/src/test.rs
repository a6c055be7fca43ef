//! `cargo xtask test`: the whole check.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::Instant;

use crate::alone;
use crate::applications::{self, Application, groups, selecting};
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
use crate::test_files::TestFiles;
use crate::times;

/// A step's name and its function.
type Step = (&'static str, fn() -> Outcome);

/// Steps that all others depend on.
const FIRST: &[Step] = &[
    ("Erlang", erlang::to_test),
    ("format", format),
    ("dependencies", cargo_tools::deny_if_installed),
];

/// Steps that build in the workspace's target folder, except the tests that start whole
/// applications.
const WORKSPACE: &[Step] = &[
    ("generated code", codegen::check),
    ("builds of tests", builds_of_tests),
    ("documentation", documentation),
    ("bindings alone", alone::check),
    ("peers", peers),
];

/// Steps that build in the target folder of the applications.
const APPLICATIONS: &[Step] = &[
    ("applications", applications),
    ("steps of reading", || linear::task(&[])),
];

/// Steps that need no application. They start when the workspace's builds are done.
const OF_CRATES: &[Step] = &[
    ("tests of crates", tests_of_crates),
    ("pairs without json", pairs::without_json),
    ("modules that compile", modules_that_compile),
];

/// Steps that start applications. These steps wait for VMs, disks and clocks, so several run at the
/// same time, the longest first. Some have time limits, so there are no large builds at this time.
/// Two steps that start the same application are in one group.
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

/// An example with many tests, which run as a separate group.
const REDIS: &str = "redis";

/// Steps that run only by name. The whole check already runs the same lints while it builds.
const BY_NAME: &[Step] = &[("lints", lints)];

/// Runs all steps, or the steps with these names.
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

/// Returns a command that runs some of the steps with this program.
fn another(steps: &[Step]) -> Outcome<Command> {
    let program = env::current_exe().map_err(|error| format!("this program: {error}"))?;
    let mut command = Command::new(program);
    command.arg("test").args(names(steps));
    Ok(command)
}

/// Uses the generator that the tests use. A separate build, or a build without the tests' lints,
/// would compile the generator again, and replace the program while other tests run it.
fn modules_that_compile() -> Outcome {
    lints::while_building(&mut testing(&["--test", "it", "--no-run"]))?;
    corpus::sample()
}

/// Starts these steps in parallel to others, because a large crate keeps only one core busy.
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

/// Features of bridge that only some applications use.
const BRIDGE: &str = "otp-bridge/calls,otp-bridge/coverage,otp-bridge/json,otp-bridge/log,otp-bridge/net,otp-bridge/nifs,otp-bridge/serde,otp-bridge/serde_rustler,otp-bridge/telemetry,otp-bridge/text,otp-bridge/tokio,otp-bridge/tracing";

/// Returns the features with which all tests of the workspace are built. With one selection of
/// packages and features, cargo compiles each crate once. Other combinations have steps of their
/// own: `cargo otp` builds the applications with their features alone, "bindings alone" each module
/// of the bindings, and "pairs without json" the smallest run time.
fn everything() -> String {
    format!("{BRIDGE},otp-bindings/all,otp-fuzz/targets,otp-tests/json")
}

/// Returns a cargo command that tests the workspace.
fn testing(more: &[&str]) -> Command {
    let features = everything();
    let words = ["test", "--workspace", "--features", &features];
    cargo(root(), &[&words[..], more].concat())
}

/// Builds all tests before any of them runs, and the fuzz targets because they have a test. With
/// `--all-targets`, cargo would also build tests of the bindings' library, which link only in an
/// application.
fn builds_of_tests() -> Outcome {
    lints::while_building(&mut testing(&["--no-run"]))?;
    lints::while_building(&mut testing(&["--no-run", "--bench", "otp"]))
}

/// Lints the workspace when no build has done so.
fn lints() -> Outcome {
    let features = everything();
    let clippy = ["clippy", "--workspace", "--all-targets", "--features"];
    let all = [&clippy[..], &[&features, "--", "-D", "warnings"]].concat();
    run(&mut cargo(root(), &all))
}

/// Builds the documentation of the published crates. The bindings' modules are left out: they are
/// generated, and their documentation takes longer than the rest. otp-tests has the features that
/// the macros are already compiled with.
fn documentation() -> Outcome {
    let features = ["doc", "--no-deps", "--features", BRIDGE];
    let libraries = [
        "otp-bridge",
        "otp-bridge-macros",
        "otp-bindings",
        "otp-bridge-axum",
        "otp-bridge-metrics",
        "otp-bridge-novm",
        "otp-cli",
        "otp-codegen",
        "otp-contract",
        "otp-erlang",
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

/// These tests finish last. Many wait for a VM or for another test's cargo, so more of them run at
/// a time than there are cores. Their many builds use a separate target folder.
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

/// Selecting all libraries would select that of the bindings, too, which has no tests.
fn tests_of_crates() -> Outcome {
    let units = ["--exclude", "otp-bindings", "--lib", "--bin", "xtask"];
    run_tests(&units.map(str::to_owned))?;
    run_tests(&TestFiles::read()?.of_crates())?;
    run_tests(&["--doc".to_owned()])
}

fn tests_of_minutes() -> Outcome {
    run_tests(&TestFiles::read()?.of_minutes())
}

/// Runs the tests of these targets, with as many at a time as there are cores.
fn run_tests(targets: &[String]) -> Outcome {
    lints::while_building(&mut tests(targets, &[]))
}

/// The packages are the same for all targets, and so are their features. One run reports all
/// failures. `more` contains further arguments for the test programs.
fn tests(targets: &[String], more: &[&str]) -> Command {
    let mut words: Vec<&str> = targets.iter().map(String::as_str).collect();
    words.extend(["--no-fail-fast", "--"]);
    words.extend(more);
    let mut cargo = testing(&words);
    with_vms(&mut cargo);
    cargo
}

/// Sets the environment of tests that start VMs.
fn with_vms(cargo: &mut Command) -> &mut Command {
    // Uses the program that was built with the tests. A separate build would have other features,
    // and compile it again.
    cargo.env("CARGO_OTP", cargo_otp());
    // There are more VMs than cores, so a VM that spins while it waits would slow down another one.
    cargo.env("ERL_AFLAGS", "+sbwt none +sbwtdcpu none +sbwtdio none")
}

/// Returns the path of `cargo otp` as the tests build it.
fn cargo_otp() -> PathBuf {
    target().join("debug/cargo-otp")
}

/// Builds the applications. Those of `tests/apps` contain no tests. The tests find all applications
/// compiled by the same compiler.
fn applications() -> Outcome {
    formatted(&applications::workspace())?;
    for packages in groups(&applications::below("tests/apps")?) {
        let build = [&["build", "--lib"], &selecting(&packages)[..]].concat();
        lints::while_building(&mut applications::in_workspace(&build))?;
    }
    for packages in groups(&applications::below("examples")?) {
        lints::while_building(&mut of_examples(&packages, &["--no-run"]))?;
    }
    Ok(())
}

fn tests_of_examples() -> Outcome {
    test_examples(|folder| !folder.ends_with(REDIS))
}

/// The tests of this example take as long as the tests of all other examples.
fn tests_of_redis() -> Outcome {
    test_examples(|folder| folder.ends_with(REDIS))
}

fn test_examples(is_wanted: impl Fn(&Path) -> bool) -> Outcome {
    let examples = applications::below("examples")?.into_iter();
    let wanted: Vec<Application> = examples.filter(|it| is_wanted(&it.folder)).collect();
    for packages in groups(&wanted) {
        lints::while_testing(with_vms(&mut of_examples(&packages, &[])))?;
    }
    Ok(())
}

fn tests_with_examples() -> Outcome {
    run_tests(&TestFiles::read()?.with_examples())
}

fn of_examples(packages: &[&str], more: &[&str]) -> Command {
    applications::in_workspace(&[&["test"], &selecting(packages)[..], more].concat())
}

/// Checks the packages of a workspace. With `--all`, cargo would also check the run time and all
/// bindings.
fn formatted(folder: &Path) -> Outcome {
    let members = step::members(folder)?;
    let members = members.iter().flat_map(|name| ["--package", name]);
    let words: Vec<&str> = ["fmt", "--check"].into_iter().chain(members).collect();
    run(&mut cargo(folder, &words))
}

/// Checks that the programs with other frameworks compile. `cargo xtask bench` runs these programs.
/// They share no code with applications, so they use the target folder of the workspace and do not
/// wait for the applications.
fn peers() -> Outcome {
    let folder = root().join("peers");
    let clippy = ["clippy", "--all-targets", "--", "-D", "warnings"];
    formatted(&folder)?;
    run(&mut cargo(&folder, &clippy))
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
        let steps = "Erlang, format, dependencies, long tests, tests of crates, pairs without json, \
                     modules that compile";
        assert!(problem.ends_with(&format!("no step `test`; there are {steps}")));
    }
}
