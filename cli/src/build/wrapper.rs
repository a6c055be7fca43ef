//! Builds a library that contains a crate's tests.
//!
//! cargo can build tests, with their dependencies, but only as executables, and a VM cannot load
//! these. Therefore this program is placed between cargo and the compiler
//! (`RUSTC_WORKSPACE_WRAPPER`) and changes the one call that compiles a test executable: it creates
//! a shared library of the same name, with `cfg(test)` and without the test harness.
//!
//! The dev-dependency otp-bridge-novm, which replaces the VM's functions, is linked, too. In a VM,
//! the VM's own functions are used nevertheless, because a dynamic linker prefers names of the
//! executable.

use std::env;
use std::ffi::{OsStr, OsString};
use std::path::PathBuf;
use std::process::{Command, ExitCode};

use crate::platform;
use crate::report::{Result, catalog};

/// Tells this program that cargo calls it in place of the compiler.
const WRAPS: &str = "OTP_RS_WRAPS_RUSTC";

/// Makes cargo call this program in place of the compiler.
pub(super) fn wrap(cargo: &mut Command) -> Result<()> {
    let own = platform::own_program().map_err(|error| {
        catalog::INTERNAL.with(&[&format!("this program does not know where it is: {error}")])
    })?;
    cargo.env("RUSTC_WORKSPACE_WRAPPER", own).env(WRAPS, "1");
    Ok(())
}

/// Returns whether cargo calls this program in place of the compiler.
pub(crate) fn is_called() -> bool {
    env::var_os(WRAPS).is_some()
}

/// Calls the compiler. Returns only if that fails.
pub(crate) fn call(arguments: impl Iterator<Item = OsString>) -> ExitCode {
    let arguments: Vec<OsString> = arguments.skip(1).collect();
    let Some((compiler, arguments)) = arguments.split_first() else {
        return ExitCode::from(2);
    };
    let mut command = Command::new(compiler);
    command
        .args(library_instead_of_tests(arguments))
        .env_remove(WRAPS);
    let _error = platform::become_program(&mut command);
    ExitCode::from(2)
}

/// Returns the compiler's arguments for a library, if the given ones are for a test executable.
fn library_instead_of_tests(arguments: &[OsString]) -> Vec<OsString> {
    let Some(output) = output(arguments).filter(|_| arguments.iter().any(|it| it == "--test"))
    else {
        return arguments.to_vec();
    };
    let mut changed = Vec::new();
    for argument in arguments {
        match argument.to_str() {
            Some("--test") => changed.extend(
                [
                    "--crate-type=cdylib",
                    "--cfg=test",
                    // The compiler would require `--test` otherwise.
                    "-Aexplicit_builtin_cfgs_in_flags",
                    // Code for tests without a VM is unused here. `cargo test` has already shown
                    // all warnings.
                    "--cap-lints=allow",
                ]
                .map(OsString::from),
            ),
            Some(emit) if emit.starts_with("--emit=") => {
                let mut emit = OsString::from("--emit=dep-info,link=");
                emit.push(&output);
                changed.push(emit);
            }
            _ => changed.push(argument.clone()),
        }
    }
    changed
}

/// Returns the file at which cargo expects the executable: `--out-dir FOLDER --crate-name NAME -C
/// extra-filename=-HASH`.
fn output(arguments: &[OsString]) -> Option<PathBuf> {
    let after = |flag: &str| {
        let mut pairs = arguments.windows(2);
        pairs
            .find(|pair| pair[0] == flag)
            .map(|pair| pair[1].as_os_str())
    };
    let mut name = after("--crate-name")?.to_owned();
    let texts = arguments.iter().filter_map(|argument| argument.to_str());
    let mut extra = texts.filter_map(|argument| argument.strip_prefix("extra-filename="));
    name.push(OsStr::new(extra.next()?));
    Some(PathBuf::from(after("--out-dir")?).join(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn changed(line: &str) -> String {
        let arguments: Vec<OsString> = line.split(' ').map(OsString::from).collect();
        let changed = library_instead_of_tests(&arguments);
        let changed: Vec<_> = changed.iter().map(|it| it.to_string_lossy()).collect();
        changed.join(" ")
    }

    #[test]
    fn a_test_executable_becomes_a_library_in_the_same_file() {
        let line = "--crate-name shop src/lib.rs --emit=dep-info,link --test -C extra-filename=-1f --out-dir /t/deps";
        assert_eq!(
            changed(line),
            "--crate-name shop src/lib.rs --emit=dep-info,link=/t/deps/shop-1f --crate-type=cdylib --cfg=test \
             -Aexplicit_builtin_cfgs_in_flags --cap-lints=allow -C extra-filename=-1f --out-dir /t/deps"
        );
    }

    #[test]
    fn other_calls_are_passed_on() {
        for line in [
            "-vV",
            "--crate-name shop --crate-type cdylib --emit=dep-info,link -C extra-filename=-1f --out-dir /t",
            "--test",
        ] {
            assert_eq!(changed(line), line);
        }
    }
}
