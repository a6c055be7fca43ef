//! Applications on the real Erlang VM.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use otp_bridge_novm as _;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Runs `cargo otp …` as it stands in this checkout, in the example's folder.
fn cargo_otp(example: &str, arguments: &[&str]) -> Output {
    let manifest = root().join("Cargo.toml");
    Command::new(env!("CARGO"))
        .args([
            "run",
            "--quiet",
            "--package",
            "otp-cli",
            "--bin",
            "cargo-otp",
            "--manifest-path",
        ])
        .arg(manifest)
        .args(["--", "otp"])
        .args(arguments)
        .current_dir(root().join("examples").join(example))
        .env_remove("CARGO_TARGET_DIR")
        .output()
        .expect("cargo runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Builds the example and runs an escript on it, which prints `key=value` lines.
fn observe(example: &str, script: &str) -> BTreeMap<String, String> {
    let built = cargo_otp(example, &["build"]);
    assert!(built.status.success(), "{}", text(&built.stderr));
    let ebin = root().join(format!("examples/target/otp/debug/{example}/ebin"));
    let script = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("live")
        .join(script);
    let output = Command::new("escript")
        .arg(script)
        .arg(ebin)
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
fn a_panic_ends_its_process_and_the_supervisor_restarts_it() {
    let said = observe("thread_ring", "ring.escript");
    let reason = &said["reason"];
    assert!(reason.starts_with("{panic,#{"), "{reason}");
    for part in [
        "src/member.rs",
        "line =>",
        "a token of 99999999999 hops after one of",
    ] {
        assert!(reason.contains(part), "{part} in {reason}");
    }
    assert_eq!(said["restarted"], "true");
    assert_eq!(said["others_alive"], "true");
    for report in ["crash_report", "server_report", "supervisor_report"] {
        assert!(
            said[report].contains("src/member.rs"),
            "{report}: {}",
            said[report]
        );
    }
    assert!(
        said["server_report"].contains("moved into the callback"),
        "{}",
        said["server_report"]
    );
    assert!(
        said["shown_state"].contains("Member { next: Server(chain_4)"),
        "{}",
        said["shown_state"]
    );
}

#[test]
fn a_ring_runs_to_its_end_by_itself() {
    let ran = cargo_otp("thread_ring", &["run", "--", "20", "2000"]);
    let printed = text(&ran.stdout);
    assert!(ran.status.success(), "{printed}\n{}", text(&ran.stderr));
    assert!(printed.contains("20 members, 2000 hops: "), "{printed}");
}

#[test]
fn a_root_that_cannot_start_fails_the_run_and_says_why() {
    let ran = cargo_otp("thread_ring", &["run", "--", "twenty"]);
    assert_eq!(ran.status.code(), Some(1));
    let complained = text(&ran.stderr);
    assert!(
        complained.contains("usage: cargo otp run -- P N"),
        "{complained}"
    );
    assert!(complained.contains("twenty"), "{complained}");
}
