//! `cargo xtask test`: the whole check.

use std::fs;
use std::path::PathBuf;
use std::time::Instant;

use crate::codegen;
use crate::coverage;
use crate::erlang;
use crate::linear;
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
        ("steps of reading", &|| linear::task(&[])),
        ("modules of Elixir", &coverage::elixir),
        ("applications", &applications),
        ("fuzz targets", &fuzz_targets),
        ("peers", &peers),
    ])
}

fn format() -> Outcome {
    run(&mut cargo(root(), &["fmt", "--all", "--check"]))
}

/// The features of bridge that not every application has.
const BRIDGE: &str = "otp-bridge/coverage,otp-bridge/json,otp-bridge/log,otp-bridge/nifs,otp-bridge/serde,otp-bridge/tokio,otp-bridge/tracing";

/// Lints of everything, then of all bindings of functions.
fn lints() -> Outcome {
    run(&mut cargo(
        root(),
        &[
            "clippy",
            "--workspace",
            "--all-targets",
            "--features",
            BRIDGE,
            "--",
            "-D",
            "warnings",
        ],
    ))?;
    let bindings = ["clippy", "--package", "otp-bindings", "--features", "all"];
    run(&mut cargo(
        root(),
        &[&bindings[..], &["--", "-D", "warnings"]].concat(),
    ))?;
    // Each module compiles without the features of others.
    for module in otp_codegen::BINDINGS {
        let alone = [
            "check",
            "--quiet",
            "--package",
            "otp-bindings",
            "--features",
        ];
        run(&mut cargo(root(), &[&alone[..], &[module]].concat()))?;
    }
    Ok(())
}

/// The documentation of what is published. The bindings' modules are left out: they are generated,
/// and their documentation takes longer than all other.
fn documentation() -> Outcome {
    let features = ["doc", "--no-deps", "--features", BRIDGE];
    let libraries = [
        "otp-bridge",
        "otp-bridge-macros",
        "otp-bindings",
        "otp-bridge-novm",
        "otp-cli",
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

/// Tests everything as applications use it, then bridge with its features.
fn tests() -> Outcome {
    run(&mut cargo(root(), &["test", "--workspace"]))?;
    let bridge = ["test", "--package", "otp-bridge", "--features"];
    run(&mut cargo(root(), &[&bridge[..], &[BRIDGE]].concat()))?;
    // The examples of all modules are documentation.
    let bindings = ["test", "--package", "otp-bindings", "--features", "all"];
    run(&mut cargo(root(), &bindings))
}

/// Each application is a separate crate outside the workspace. The tests run those of `tests/apps`.
fn applications() -> Outcome {
    let lints: [&[&str]; 2] = [
        &["fmt", "--check"],
        &["clippy", "--all-targets", "--", "-D", "warnings"],
    ];
    for (parent, also) in [("examples", Some(&["test"][..])), ("tests/apps", None)] {
        for folder in crate_folders(parent)? {
            for arguments in lints.into_iter().chain(also) {
                let mut cargo = cargo(&folder, arguments);
                cargo.env("CARGO_TARGET_DIR", step::applications_target());
                // For their tests on a VM.
                cargo.env("CARGO_OTP", step::target().join("debug/cargo-otp"));
                run(&mut cargo)?;
            }
        }
    }
    Ok(())
}

/// The fuzz targets compile and what they share works. `cargo xtask fuzz` runs them.
fn fuzz_targets() -> Outcome {
    for arguments in [
        &["fmt", "--check"][..],
        &["clippy", "--all-targets", "--", "-D", "warnings"],
        &["test", "--lib"],
    ] {
        let mut cargo = cargo(&root().join("fuzz"), arguments);
        run(cargo.env("CARGO_TARGET_DIR", step::applications_target()))?;
    }
    Ok(())
}

/// The programs with other frameworks compile. `cargo xtask bench` runs them.
fn peers() -> Outcome {
    for arguments in [
        &["fmt", "--check"][..],
        &["clippy", "--all-targets", "--", "-D", "warnings"],
    ] {
        let mut cargo = cargo(&root().join("peers"), arguments);
        run(cargo.env("CARGO_TARGET_DIR", step::applications_target()))?;
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
