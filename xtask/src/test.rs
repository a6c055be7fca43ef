//! `cargo xtask test`: the whole check.

use std::fs;
use std::path::PathBuf;
use std::time::Instant;

use crate::codegen;
use crate::erlang;
use crate::step::{self, Outcome, cargo, heading, root, run};

fn all(steps: &[(&str, &dyn Fn() -> Outcome)]) -> Outcome {
    let start = Instant::now();
    for (number, (name, step)) in steps.iter().enumerate() {
        heading(&format!("{}/{} {name}", number + 1, steps.len()));
        let begun = Instant::now();
        step()?;
        step::say(&format!("-- {name}: {:.0?}\n", begun.elapsed()));
    }
    step::say(&format!("\nAll passed in {:.0?}.\n", start.elapsed()));
    Ok(())
}

pub(crate) fn task() -> Outcome {
    all(&[
        ("Erlang", &erlang::to_test),
        ("format", &format),
        ("lints", &lints),
        ("documentation", &documentation),
        ("generated code", &codegen::check),
        ("tests", &tests),
        ("applications", &applications),
    ])
}

fn format() -> Outcome {
    run(&mut cargo(root(), &["fmt", "--all", "--check"]))
}

/// Everything, then bridge with the bindings of functions.
fn lints() -> Outcome {
    run(&mut cargo(
        root(),
        &[
            "clippy",
            "--workspace",
            "--all-targets",
            "--features",
            "otp-bridge/json",
            "--",
            "-D",
            "warnings",
        ],
    ))?;
    let bindings = ["clippy", "--package", "otp-bridge", "--features", "otp"];
    run(&mut cargo(
        root(),
        &[&bindings[..], &["--", "-D", "warnings"]].concat(),
    ))
}

/// The documentation of the libraries; that of OTP's bindings is generated, and takes longer than all
/// else.
fn documentation() -> Outcome {
    let features = ["doc", "--no-deps", "--features", "otp-bridge/json"];
    let libraries = [
        "otp-bridge",
        "otp-bridge-macros",
        "otp-codegen",
        "otp-contract",
        "otp-specs",
    ];
    let packages: Vec<&str> = libraries
        .iter()
        .flat_map(|library| ["--package", library])
        .collect();
    let mut cargo = cargo(root(), &[&features[..], &packages].concat());
    run(cargo.env("RUSTDOCFLAGS", "-D warnings"))
}

/// Everything as applications use it, then what bridge does with its features on.
fn tests() -> Outcome {
    run(&mut cargo(root(), &["test", "--workspace"]))?;
    let bridge = ["test", "--package", "otp-bridge", "--features"];
    run(&mut cargo(root(), &[&bridge[..], &["json"]].concat()))?;
    // The bindings of functions are called by an application of the tests; here is their example.
    let example = ["otp", "--doc", "otp"];
    run(&mut cargo(root(), &[&bridge[..], &example].concat()))
}

/// Each application is a crate of its own, outside the workspace. Those of the tests are run by
/// the tests.
fn applications() -> Outcome {
    let lints: [&[&str]; 2] = [
        &["fmt", "--check"],
        &["clippy", "--all-targets", "--", "-D", "warnings"],
    ];
    for (parent, also) in [("examples", Some(&["test"][..])), ("tests/apps", None)] {
        for folder in crate_folders(parent)? {
            for arguments in lints.into_iter().chain(also) {
                let mut cargo = cargo(&folder, arguments);
                run(cargo.env("CARGO_TARGET_DIR", step::applications_target()))?;
            }
        }
    }
    Ok(())
}

fn crate_folders(parent: &str) -> Outcome<Vec<PathBuf>> {
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
