//! `cargo otp test`: tests without a VM, and tests that run on a real one.

use crate::support::{Said, Scratch, cargo_otp, on_path, said, target};

/// A server, and tests of every kind.
const COUNTER: &str = include_str!("testing/counter.rs.in");

const ROOT: &str = r#"//! The root supervisor.
use otp_bridge::atoms::ok;
use otp_bridge::supervisor::prelude::*;

use crate::counter::Counter;

/// Starts the counter.
pub struct Stroot;

#[supervisor]
impl Supervisor for Stroot {
    type Args = Vec<String>;

    fn init(arguments: Vec<String>) -> Result<impl InitReturn> {
        let start = arguments.first().map_or(Ok(0), |text| text.parse());
        let Ok(start) = start else {
            return Err(Exit::new("the argument is a number"));
        };
        let counter = ChildSpec::of::<Counter>(start).registered(&Server::<Counter>::registered());
        Ok((ok, (SupFlags::one_for_one(), vec![counter])))
    }
}
"#;

/// A test beside the library that uses a thread-local variable. Such a variable needs code that is
/// compiled for a library.
const BESIDE: &str = r#"
use otp_bridge::{Cx, Result};
use otp_bridge_novm as _;
use tried::counter::{Add, COUNTER};

thread_local! {
    static SEEN: std::cell::Cell<u64> = const { std::cell::Cell::new(0) };
}

#[otp_bridge::test]
async fn passes_beside_the_library(cx: &Cx<'_>) -> Result<()> {
    let count = cx.call(&COUNTER, Add(5)).await?;
    SEEN.set(count);
    assert_eq!(SEEN.get(), 5);
    Ok(())
}
"#;

/// An application with these tests.
fn application(name: &str) -> Scratch {
    let scratch = Scratch::with_application_named(name);
    scratch
        .cargo_otp(name, &["add", "counter", "gen_server"])
        .succeeded();
    scratch.write(&format!("{name}/src/counter.rs"), COUNTER);
    scratch.write(&format!("{name}/src/stroot.rs"), ROOT);
    let manifest = scratch.read(&format!("{name}/Cargo.toml"));
    let manifest = manifest
        .replace(
            "[dev-dependencies]\n",
            "[dev-dependencies]\ninsta = \"1\"\n",
        )
        .replace("[lints.rust]", "[features]\nmore = []\n\n[lints.rust]");
    scratch.write(&format!("{name}/Cargo.toml"), &manifest);
    scratch
}

fn test(scratch: &Scratch, folder: &str, arguments: &[&str]) -> Said {
    test_with_backtraces("0", scratch, folder, arguments)
}

fn test_with_backtraces(which: &str, scratch: &Scratch, folder: &str, arguments: &[&str]) -> Said {
    let mut command = cargo_otp(&scratch.path(folder), arguments);
    command
        .env("RUST_BACKTRACE", which)
        .env("INSTA_UPDATE", "no");
    said(command)
}

/// The harness's output about a test that has failed.
fn shown(said: &Said, name: &str) -> String {
    let head = format!("---- counter::tests::{name} stdout ----\n");
    let shown = said
        .out
        .split(&head)
        .nth(1)
        .unwrap_or_else(|| panic!("{name}: {}", said.out));
    let end = shown
        .find("\n---- ")
        .or_else(|| shown.find("\nfailures:\n"));
    shown[..end.unwrap_or(shown.len())].to_owned()
}

/// The panic is reported once, with its callers in the application.
fn a_backtrace_has_the_users_frames(scratch: &Scratch) {
    let arguments = ["test", "fails_by_a_panic"];
    let said = test_with_backtraces("1", scratch, "tried", &arguments);
    said.failed(&[]);
    let shown = shown(&said, "fails_by_a_panic");
    assert_eq!(shown.matches("right: Ok(2)").count(), 1, "{shown}");
    let (_, frames) = shown
        .split_once("\nstack backtrace:\n")
        .unwrap_or_else(|| panic!("no stack: {shown}"));
    let names = frames
        .lines()
        .filter_map(|line| line.trim().split_once(": "));
    for (_, name) in names.filter(|(number, _)| number.parse::<u32>().is_ok()) {
        let name = name.trim_start_matches('<');
        assert!(name.starts_with("tried::"), "{name}: {shown}");
    }
    assert!(frames.contains("fails_by_a_panic"), "{shown}");
    // Without debug information, there are no lines.
    if std::env::var("CARGO_PROFILE_DEV_DEBUG").as_deref() != Ok("0") {
        assert!(frames.contains("at ./src/counter.rs:"), "{shown}");
    }
}

#[test]
fn each_test_runs_in_a_process_of_its_own_and_fails_alone() {
    let scratch = application("tried");
    scratch.write("tried/tests/beside.rs", BESIDE);
    let said = test(&scratch, "tried", &["test"]);
    said.failed(&["E1012", "`--lib`"]);
    let out = &said.out;
    let lines = |end: &str| out.lines().filter(|line| line.ends_with(end)).count();
    assert_eq!(lines("... ok"), 10, "{out}");
    assert_eq!(lines("... FAILED"), 9, "{out}");
    assert!(!out.contains("clauses that have run"), "{out}");
    assert!(out.contains("passes_never ... ignored, later"), "{out}");
    assert!(!out.contains("nobody sees this"), "{out}");

    for (name, texts) in [
        (
            "fails_by_a_panic",
            &[
                "printed before the panic\n",
                "panicked at src/counter.rs:",
                "left: Ok(1)\n right: Ok(2)",
            ][..],
        ),
        (
            "fails_by_a_snapshot",
            &["-{count,4}", "+{count,3}", "snapshot assertion for"],
        ),
        (
            "fails_by_an_exit",
            &["exit: {noproc,{gen_server,call,[counter,{add,1},5000]}}\n  at src/counter.rs:"],
        ),
        (
            "fails_by_an_error",
            &["Error: ParseIntError { kind: InvalidDigit }\n  at src/counter.rs:"],
        ),
        (
            "fails_by_a_signal",
            &["was ended by an exit signal: killed"],
        ),
        (
            "fails_by_its_limit",
            &[
                "was not over after 200 ms",
                "waiting, with 1 message in its mailbox\n  unread",
            ],
        ),
        (
            "fails_at_the_start",
            &[
                "the application did not start: stroot:init/1 (src/stroot.rs:",
                "the argument is a number",
            ],
        ),
        (
            "fails_in_a_wrong_environment",
            &[
                "the application did not start: ",
                "port: expected undefined | 0..65535, got <<\"http\">>",
            ],
        ),
        (
            "fails_with_the_vm",
            &["the Erlang VM has ended while the test ran (exit status: 3)"],
        ),
    ] {
        let shown = shown(&said, name);
        for text in texts {
            assert!(shown.contains(text), "{name} without {text:?}: {shown}");
        }
    }

    a_backtrace_has_the_users_frames(&scratch);

    // The following runs use the same build. With one thread, no test prints between a line's name
    // and its `ok`.
    let uncaptured = ["--nocapture", "--test-threads=1"];
    let said = test(
        &scratch,
        "tried",
        &[&["test", "passes", "-F", "more", "--"][..], &uncaptured].concat(),
    );
    said.succeeded();
    assert!(said.out.contains("nobody sees this\n"), "{}", said.out);
    assert!(
        said.out.contains("passes_with_a_feature ... ok"),
        "{}",
        said.out
    );
    assert!(
        said.out.contains("passes_beside_the_library ... ok"),
        "{}",
        said.out
    );
    let said = test(
        &scratch,
        "tried",
        &["test", "--list", "--filter", "passes_alone"],
    );
    said.succeeded();
    assert!(
        said.out.contains("counter::tests::passes_alone: test\n"),
        "{}",
        said.out
    );
    assert!(!said.out.contains("without_a_vm"), "{}", said.out);

    // Each argument of the VM is a line in the file for the tests that start it.
    let erl = format!("#!/bin/sh\nexec '{}' \"$@\"\n", on_path("erl").display());
    scratch.script("two\nlines/erl", &erl);
    let path = std::env::var("PATH").expect("PATH");
    let mut command = cargo_otp(&scratch.path("tried"), &["test", "passes_alone"]);
    command.env(
        "PATH",
        format!("{}:{path}", scratch.path("two\nlines").display()),
    );
    let said = self::said(command);
    said.failed(&["error[E1013]: cannot run tests in a folder whose path contains a line break"]);
}

#[test]
fn clauses_that_have_not_run_are_named() {
    let scratch = application("covered");
    let covered = |filter: &str, report: &str| {
        let said = test(&scratch, "covered", &["test", "--coverage", filter]);
        said.succeeded();
        let (_, counted) = said
            .out
            .split_once("\nclauses that have run:\n")
            .unwrap_or_default();
        assert_eq!(counted, report, "{}", said.out);
    };
    let line = |part: &str| {
        COUNTER
            .lines()
            .position(|line| line.contains(part))
            .map_or(0, |line| line + 1)
    };
    let (stop, probed, probe) = (line("_: Stop)"), line("_: Add)"), line("(ok, Probe)") - 1);
    let root = ROOT
        .lines()
        .position(|line| line.contains("fn init("))
        .map_or(0, |line| line + 1);
    // On the VM.
    covered(
        "passes_calls",
        &format!(
            "  counter: 2 of 3 clauses\n    not run: handle_cast/2 of Stop, src/counter.rs:{stop}\n  \
             probe: 2 of 2 clauses\n  stroot: 1 of 1 clause\n  in all: 5 of 6 clauses\n"
        ),
    );
    // Without a VM.
    covered(
        "without_a_vm",
        &format!(
            "  counter: 2 of 3 clauses\n    not run: handle_cast/2 of Stop, src/counter.rs:{stop}\n  \
             probe: 0 of 2 clauses\n    not run: init/1, src/counter.rs:{probe}\n    \
             not run: handle_call/3 of Add, src/counter.rs:{probed}\n  stroot: 0 of 1 clause\n    \
             not run: init/1, src/stroot.rs:{root}\n  in all: 2 of 6 clauses\n"
        ),
    );
    // No test.
    let said = test(&scratch, "covered", &["test", "--coverage", "no_such_test"]);
    said.succeeded();
    assert!(
        said.out.ends_with("  in all: 0 of 6 clauses\n"),
        "{}",
        said.out
    );
}

#[test]
fn cargo_alone_has_the_vm_prepared() {
    let scratch = application("tried_by_cargo");
    let mut cargo = std::process::Command::new(env!("CARGO"));
    cargo
        .args(["test", "--lib", "passes_calls"])
        .current_dir(scratch.path("tried_by_cargo"))
        .env("CARGO_TARGET_DIR", target())
        .env("CARGO_OTP", env!("CARGO_BIN_EXE_cargo-otp"));
    let said = said(cargo);
    said.succeeded();
    assert!(said.out.contains("passes_calls ... ok"), "{}", said.out);

    // A library that the VM cannot load is reported by the test, and by `cargo otp test` if there
    // is no such test.
    let config = scratch.read("tried_by_cargo/otp.toml");
    scratch.write(
        "tried_by_cargo/otp.toml",
        &config.replace("\"stroot\"", "\"lost\""),
    );
    let said = test(&scratch, "tried_by_cargo", &["test"]);
    said.failed(&[
        "E0920",
        "`lost`: otp.toml:3 says",
        "its supervisors are `stroot`",
    ]);
    assert!(!said.out.contains("running"), "{}", said.out);
}

#[test]
fn a_test_that_does_not_compile_is_told_once() {
    let scratch = application("tried_in_vain");
    let counter = COUNTER.replace(
        "async fn passes_alone(cx: &Cx<'_>)",
        "async fn passes_alone(cx: u64)",
    );
    assert_ne!(counter, COUNTER);
    scratch.write("tried_in_vain/src/counter.rs", &counter);
    let said = test(&scratch, "tried_in_vain", &["test"]);
    said.failed(&["src/counter.rs:", "mismatched types"]);
    assert_eq!(
        said.err.matches("could not compile").count(),
        1,
        "{}",
        said.err
    );
}
