//! Two nodes keep one ledger through kills, network splits, slow disks and upgrades: one round of
//! `cargo xtask chaos`.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use otp_bridge_novm as _;
use otp_tests::application::{build_with, pairs, root, text};

/// Runs a program that has to succeed. Returns its output.
fn run(command: &mut Command) -> String {
    let output = command.output().expect("the program is there");
    let printed = text(&output.stdout);
    let complained = text(&output.stderr);
    assert!(output.status.success(), "{printed}\n{complained}");
    printed
}

#[test]
fn both_nodes_have_what_was_acknowledged_and_nothing_else() {
    let folder = tempfile::tempdir().expect("there is room for the builds");
    for build in ["1", "2"] {
        let ebin = build_with("tests/apps/ledger", &[("LEDGER_BUILD", build)]);
        let built = ebin.parent().expect("it is in the application's folder");
        // Copy the build, because the next one replaces it.
        let copy = folder.path().join(build);
        run(Command::new("cp").arg("-rL").arg(built).arg(copy));
    }
    let library = folder.path().join("slow_sync.so");
    run(Command::new("cc")
        .args(["-shared", "-fPIC", "-o"])
        .arg(&library)
        .arg(live("slow_sync.c")));
    let nodes = folder.path().join("nodes");
    fs::create_dir(&nodes).expect("it is made");
    let printed = run(Command::new("escript")
        .arg(live("ledger.escript"))
        .args([folder.path(), &nodes, &library])
        .arg("0"));
    let observed = pairs(&printed);
    assert_eq!(observed["wrong"], "[]");
    assert_eq!(observed["rounds"], "1");
    let acknowledged: u64 = observed["acknowledged"].parse().expect("a number");
    assert!(acknowledged > 0, "{printed}");
}

fn live(name: &str) -> PathBuf {
    root().join("tests/live").join(name)
}
