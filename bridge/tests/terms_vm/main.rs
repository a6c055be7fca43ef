//! Terms of the running VM: read and written again, and their bytes, text and order.

use std::path::{Path, PathBuf};
use std::process::Command;

use otp_bridge_novm as _;

fn run(command: &mut Command) -> String {
    let output = command.output().expect("the command is installed");
    let text =
        [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
    assert!(
        output.status.success(),
        "{command:?} failed:\n{}\n{}",
        text[0],
        text[1]
    );
    text[0].clone()
}

/// Builds the library of `probe.rs`. Cargo may have been asked to test other targets.
fn probe() -> PathBuf {
    run(Command::new(env!("CARGO"))
        .args([
            "build",
            "--quiet",
            "--offline",
            "--example",
            "terms_vm_probe",
        ])
        .current_dir(env!("CARGO_MANIFEST_DIR")));
    // This program is in `<target>/<profile>/deps`.
    let own = std::env::current_exe().expect("the program has a path");
    let profile = own.ancestors().nth(2).expect("a folder of the profile");
    profile
        .with_file_name("debug")
        .join("examples/libterms_vm_probe")
}

#[test]
fn terms_come_back_from_rust_as_they_were() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/terms_vm/terms_vm.erl");
    run(Command::new("erlc").arg("-o").arg(folder).arg(source));
    let call = format!("terms_vm:main({:?}), halt().", probe());
    let output = run(Command::new("erl")
        .args(["-noshell", "+pc", "unicode", "-pa"])
        .arg(folder)
        .args(["-eval", &call])
        .env("LC_ALL", "C.UTF-8"));
    assert_eq!(output, "done 74\n");
}
