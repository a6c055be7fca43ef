//! Lints code while cargo builds it. Clippy's compiler is rustc with more lints, and its output can
//! run. So one compiler reads the crates with tests once. Their dependencies are built, without an
//! additional check.

use std::env;
use std::path::PathBuf;
use std::process::Command;

use crate::step::{Outcome, host, run};

/// The variable that names the compiler for the packages of a cargo workspace.
const WRAPPER: &str = "RUSTC_WORKSPACE_WRAPPER";
/// The variable with the arguments of Clippy's compiler. [`END`] follows each argument, as in
/// `cargo clippy`.
const ARGUMENTS: &str = "CLIPPY_ARGS";
const END: &str = "__CLIPPY_HACKERY__";
/// A prefix of both names. Tests set variables with this prefix for their cargo if it builds
/// applications of this repository (`tests/src/application.rs`). So each of these applications is
/// compiled once, with its lints.
const OF_TESTS: &str = "OTP_TESTS_";

/// Runs a cargo command that builds, and so lints, the packages of its workspace. A warning is an
/// error.
pub(crate) fn while_building(cargo: &mut Command) -> Outcome {
    let host = host()?.to_uppercase().replace('-', "_");
    let runner = format!("CARGO_TARGET_{host}_RUNNER");
    // Tests start builds of their own. These builds have to match a user's builds.
    let forgets = format!("env -u {WRAPPER} -u {ARGUMENTS} -u {runner}");
    run(linted(cargo).env(&runner, forgets))
}

/// Runs a cargo command that tests an application and builds only this application, with lints.
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

/// Returns the path of Clippy's compiler. It is in cargo's folder.
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

    /// Builds a program and returns the output of the build.
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
