//! `cargo xtask sanitize`: runs the run time's tests with the compiler's memory checks.
//!
//! The checks are unstable in Rust, so the stable compiler gets an option that allows unstable
//! features. The compiler contains the run time of the checks.

mod live;

use std::path::PathBuf;
use std::process::Command;

use crate::step::{self, Outcome, cargo, heading, root, run, say};

pub(crate) const USAGE: &str = "\
Usage: cargo xtask sanitize [--live]

Builds bridge with AddressSanitizer, which checks each access to memory, and runs the tests of bridge that need no VM. If a program
uses memory after it was freed or beyond its end, the sanitizer stops it and prints both stacks. First, the command runs programs
with such mistakes, to check that the sanitizer finds them.

--live   Also run applications of the live tests, in a VM that uses the allocator of the sanitizer

Exits with 1 if the sanitizer has found an error. Works only on Linux with x86-64.
";

/// The platform on which the compiler's checks are known to work.
const HOST: &str = "x86_64-unknown-linux-gnu";
const FLAG: &str = "-Zsanitizer=address";
/// The features with code that manages memory.
const FEATURES: &str =
    "otp-bridge/json,otp-bridge/nifs,otp-bridge/serde,otp-bridge/log,otp-bridge/tokio";
/// The expected reports of programs with these mistakes. The programs run only here:
/// `bridge/tests/mistakes.rs`.
const MISTAKES: [(&str, &str); 2] = [
    ("use_after_free", "heap-use-after-free"),
    ("beyond_the_end", "heap-buffer-overflow"),
];
pub(crate) fn task(arguments: &[&str]) -> Outcome {
    let is_live = match arguments {
        [] => false,
        ["--live"] => true,
        _ => return Err(USAGE.to_owned()),
    };
    if !cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        return Err("the checks of memory are known to work on Linux with x86-64 only".to_owned());
    }
    if is_live {
        return live::task();
    }
    heading("Mistakes are found");
    for (mistake, found) in MISTAKES {
        finds(mistake, found)?;
    }
    heading("What runs without a VM");
    let tests = ["test", "--package", "otp-bridge", "--lib", "--tests"];
    run(&mut checked(
        &[&tests[..], &["--features", FEATURES]].concat(),
    ))
}

fn target() -> PathBuf {
    step::target().join("sanitize")
}

/// Returns a cargo command that builds with checks. With an explicit target, programs that run
/// during the build have no checks.
fn checked(arguments: &[&str]) -> Command {
    let (command, rest) = arguments.split_at(1);
    let mut cargo = cargo(root(), &[command, &["--target", HOST], rest].concat());
    with_checks(&mut cargo, FLAG);
    cargo
}

fn with_checks(cargo: &mut Command, flags: &str) {
    cargo
        .env("CARGO_TARGET_DIR", target())
        .env("RUSTC_BOOTSTRAP", "1")
        .env("RUSTFLAGS", flags)
        // Memory of the VM, of its allocators and of a test's threads at the end is not a leak of
        // otp-rs.
        .env(
            "ASAN_OPTIONS",
            "detect_leaks=0:detect_stack_use_after_return=0",
        )
        // Stack traces have line numbers.
        .env("CARGO_PROFILE_DEV_DEBUG", "line-tables-only");
}

/// Runs a program with a mistake. The mistake has to end the program.
fn finds(mistake: &str, found: &str) -> Outcome {
    let program = ["test", "--package", "otp-bridge", "--test", "mistakes"];
    let mut command = checked(
        &[
            &program[..],
            &["--features", FEATURES, "--quiet", "--", mistake],
        ]
        .concat(),
    );
    let output = command
        .output()
        .map_err(|error| format!("cannot run cargo: {error}"))?;
    let said = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() && said.contains(found) {
        say(&format!("{mistake}: {found}\n"));
        Ok(())
    } else {
        Err(format!(
            "`{mistake}` was not found: {}\n{said}",
            output.status
        ))
    }
}
