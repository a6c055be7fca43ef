//! Lints while something is built. Clippy's compiler is rustc with more lints, and what it compiles
//! runs. So crates whose tests run anyway are read by one compiler, once, and their dependencies
//! are built and not also checked.

use std::env;
use std::path::PathBuf;
use std::process::Command;

use crate::step::{Outcome, host, run};

/// How cargo is told of a compiler for the packages of its workspace.
const WRAPPER: &str = "RUSTC_WORKSPACE_WRAPPER";
/// How Clippy's compiler is told arguments, with [`END`] after each; `cargo clippy` does the same.
const ARGUMENTS: &str = "CLIPPY_ARGS";
const END: &str = "__CLIPPY_HACKERY__";
/// Before both names: what tests give their cargo if it builds applications of this repository
/// (`tests/src/application.rs`). So each of these is compiled once, with its lints.
const OF_TESTS: &str = "OTP_TESTS_";

/// Runs a cargo that builds, and so lints, the packages of its workspace. What it warns of is an
/// error.
pub(crate) fn while_building(cargo: &mut Command) -> Outcome {
    let host = host()?.to_uppercase().replace('-', "_");
    let runner = format!("CARGO_TARGET_{host}_RUNNER");
    // Tests start builds of their own, which are to be those of a user.
    let forgets = format!("env -u {WRAPPER} -u {ARGUMENTS} -u {runner}");
    run(linted(cargo).env(&runner, forgets))
}

/// The same for the tests of an application, which build just that application.
pub(crate) fn while_testing(cargo: &mut Command) -> Outcome {
    run(linted(cargo))
}

fn linted(command: &mut Command) -> &mut Command {
    let arguments = ["-D", END, "warnings", END].concat();
    for prefix in ["", OF_TESTS] {
        command
            .env(format!("{prefix}{WRAPPER}"), compiler())
            .env(format!("{prefix}{ARGUMENTS}"), &arguments);
    }
    command
}

/// Clippy's compiler, which is beside cargo.
fn compiler() -> PathBuf {
    let name = "clippy-driver";
    let beside = env::var_os("CARGO").map(|cargo| PathBuf::from(cargo).with_file_name(name));
    beside
        .filter(|compiler| compiler.is_file())
        .unwrap_or_else(|| name.into())
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::process::Output;

    use super::*;

    /// What becomes of a program that is built.
    fn built(name: &str, main: &str) -> Output {
        let folder = env::temp_dir().join(format!("xtask-lints-{name}-{}", std::process::id()));
        fs::create_dir_all(folder.join("src")).expect("a folder");
        let manifest = format!(
            "[package]\nname = \"{name}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n[workspace]\n"
        );
        fs::write(folder.join("Cargo.toml"), manifest).expect("a manifest");
        fs::write(folder.join("src/main.rs"), main).expect("a program");
        let mut cargo = crate::step::cargo(&folder, &["run", "--quiet", "--offline"]);
        let output = linted(cargo.env("CARGO_TARGET_DIR", folder.join("target"))).output();
        fs::remove_dir_all(&folder).expect("it is there");
        output.expect("cargo runs")
    }

    #[test]
    fn what_is_built_is_read_with_clippys_lints() {
        let wrong = "fn main() {\n    let all = [1];\n    assert!(all.len() == 0);\n}\n";
        let refused = built("wrong", wrong);
        let said = String::from_utf8_lossy(&refused.stderr);
        assert!(!refused.status.success(), "it was built");
        assert!(
            said.contains("clippy::len-zero") || said.contains("clippy::len_zero"),
            "{said}"
        );
        let right = built("right", "fn main() {\n    assert!([1].contains(&1));\n}\n");
        assert!(right.status.success(), "{right:?}");
    }
}
