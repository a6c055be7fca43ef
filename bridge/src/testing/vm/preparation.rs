//! Starting the VM: `cargo otp` builds the library with its tests, and prints the command for the
//! VM.

use std::env;
use std::path::Path;
use std::process::Command;

use otp_contract::testing::{CARGO_OTP, FEATURES, PREPARED};

use super::Test;

/// Returns the command that boots the VM.
pub(super) fn command(test: &Test) -> Result<Command, String> {
    let lines = match prepared(test) {
        Some(lines) => lines,
        None => prepare(test)?,
    };
    let mut lines = lines.lines();
    let program = lines.next().filter(|program| !program.is_empty());
    let program = program.ok_or("`cargo otp test --prepare` has not printed how to start a VM")?;
    let mut command = Command::new(program);
    command.args(lines);
    Ok(command)
}

fn prepared(test: &Test) -> Option<String> {
    let folder = env::var_os(PREPARED).filter(|_| test.is_library)?;
    std::fs::read_to_string(Path::new(&folder).join(test.target)).ok()
}

/// Builds the library. The output of cargo is shown only if that fails.
fn prepare(test: &Test) -> Result<String, String> {
    let mut command = match env::var_os(CARGO_OTP) {
        Some(program) => Command::new(program),
        None => Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into())),
    };
    command.args(["otp", "test", "--prepare"]);
    if !test.is_library {
        command.args(["--test", test.target]);
    }
    if let Some(features) = env::var_os(FEATURES).filter(|features| !features.is_empty()) {
        command.arg("--features").arg(features);
    }
    if !cfg!(debug_assertions) {
        command.arg("--release");
    }
    let said = command.current_dir(test.folder).output();
    let said = said.map_err(|error| format!("cannot run `{command:?}`: {error}"))?;
    if said.status.success() {
        return String::from_utf8(said.stdout).map_err(|error| error.to_string());
    }
    let text = String::from_utf8_lossy(&said.stderr);
    let hint = if text.contains("no such command") {
        "\nthis test runs on an Erlang VM, which `cargo otp` boots: install that by `cargo install --path cli` in the \
         folder of otp-rs, or leave the test out by `cargo test -- --skip`"
    } else {
        ""
    };
    Err(format!(
        "the library could not be built for a VM:\n{text}{hint}"
    ))
}
