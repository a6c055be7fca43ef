//! OTP's functions by their bindings: called in the running VM, and refused by the compiler.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use otp_bridge_novm as _;

const APPLICATION: &str = "tests/apps/functions";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Cargo in the application's folder, whose target folder is that of the examples.
fn cargo(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO"))
        .args(arguments)
        .current_dir(root().join(APPLICATION))
        .env_remove("CARGO_TARGET_DIR")
        .output()
        .expect("cargo runs")
}

/// Builds the application by `cargo otp` as it stands in this checkout, and runs the escript on
/// it, which prints `key=value` lines.
fn observe() -> BTreeMap<String, String> {
    let manifest = root().join("Cargo.toml");
    let manifest = manifest.to_str().expect("a path of text");
    let built = cargo(&[
        "run",
        "--quiet",
        "--package",
        "otp-cli",
        "--bin",
        "cargo-otp",
        "--manifest-path",
        manifest,
        "--",
        "otp",
        "build",
    ]);
    assert!(built.status.success(), "{}", text(&built.stderr));
    let output = Command::new("escript")
        .arg(root().join("tests/live/functions.escript"))
        .arg(root().join("examples/target/otp/debug/functions/ebin"))
        .output()
        .expect("escript runs");
    let printed = text(&output.stdout);
    assert!(
        output.status.success(),
        "{printed}\n{}",
        text(&output.stderr)
    );
    let pair = |line: &str| {
        line.split_once('=')
            .map(|(k, v)| (k.to_owned(), v.to_owned()))
    };
    printed.lines().filter_map(pair).collect()
}

#[test]
fn functions_are_called_in_the_process_and_answer_typed() {
    let said = observe();
    let expected = [
        ("ets_inserted", "{true,true,false}"),
        ("ets_found", r#"[{<<"two">>,2}]"#),
        (
            "ets_all",
            r#"[{<<"one">>,1},{<<"three">>,3},{<<"two">>,2}]"#,
        ),
        ("ets_size", "3"),
        ("ets_deleted", "true"),
        ("ets_gone", "badarg"),
        ("file_written", "{true,true}"),
        ("file_read", r#"<<"some text more">>"#),
        ("file_missing", "enoent"),
        ("file_known", "true"),
        ("file_listed", r#"["written"]"#),
        ("file_deleted", "true"),
        ("timer_sent", "true"),
        ("timer_cancelled", "true"),
        ("timer_slept", "ok"),
        ("timer_messages", "[{from_timer,7}]"),
        ("tcp_port", "true"),
        ("tcp_sent", "true"),
        ("tcp_received", r#"<<"over the wire">>"#),
        ("tcp_nothing", "timeout"),
        ("tcp_closed", "closed"),
        ("persistent_term_got", "[1,2,3]"),
        ("persistent_term_erased", "true"),
        ("persistent_term_default", "default"),
        ("persistent_term_absent", "badarg"),
        ("persistent_term_left", "none"),
        ("others_own", "true"),
        ("others_processes", "true"),
        ("others_flag", "{false,true}"),
        ("others_appended", "[1,2]"),
        ("others_random", "16"),
        ("others_logged", "ok"),
        ("others_levels", "gt"),
    ];
    for (key, value) in expected {
        assert_eq!(said.get(key).map(String::as_str), Some(value), "{key}");
    }
}

#[test]
fn a_wrong_argument_does_not_compile() {
    // Not `check`, for which bridge would be compiled once more.
    let checked = cargo(&[
        "build",
        "--quiet",
        "--example",
        "wrong_argument",
        "--features",
        "wrong",
        "--message-format=short",
    ]);
    assert!(!checked.status.success());
    let said = text(&checked.stderr);
    let errors: Vec<&str> = said
        .lines()
        .filter(|line| line.contains(": error["))
        .collect();
    let expected = [
        (":8:", "ets::Table: From<u8>"),
        (":13:", "expected `u16`, found `u32`"),
        (":18:", "expected `u64`, found `Timeout`"),
        (":26:", "NewOptionsOption: From<once>"),
    ];
    for error in &errors {
        let known = expected.iter().any(|(line, _)| error.contains(line));
        assert!(known, "{error}");
    }
    for (line, message) in expected {
        let found = errors
            .iter()
            .any(|error| error.contains(line) && squeezed(error).contains(message));
        assert!(found, "{message} in line {line}:\n{said}");
    }
}

/// Paths without the parts that say nothing here.
fn squeezed(error: &str) -> String {
    error
        .replace("otp_bridge::otp::", "")
        .replace("std::convert::", "")
        .replace("atoms::", "")
        .replace("ets::NewOptionsOption", "NewOptionsOption")
}
