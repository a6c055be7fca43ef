//! Builds the targets with coverage counters.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use super::{Target, folder};
use crate::step::{self, Outcome, cargo, host, root, run};

/// The compiler flags that count the taken edges. The engine reads and clears all counters after
/// each input, so only the project's own crates have counters. Compared values are not reported to
/// the engine: this would halve the executions per second, and the dictionaries and the changes of
/// terms find the same inputs.
const COVERAGE: [&str; 4] = [
    "-Cpasses=sancov-module",
    "-Cllvm-args=-sanitizer-coverage-level=3",
    "-Cllvm-args=-sanitizer-coverage-inline-8bit-counters",
    "-Cllvm-args=-sanitizer-coverage-pc-table",
];

/// Set if cargo runs this program instead of the compiler.
const COMPILES: &str = "OTP_XTASK_COMPILES";

/// Runs the compiler with cargo's arguments, without [`COVERAGE`] for crates outside the project.
/// Returns `None` if cargo did not start this program as its compiler.
pub(crate) fn compile() -> Option<ExitCode> {
    env::var_os(COMPILES)?;
    let mut words = env::args_os().skip(1);
    let compiler = words.next()?;
    let folder = env::var_os("CARGO_MANIFEST_DIR");
    let is_ours = folder.is_some_and(|folder| Path::new(&folder).starts_with(root()));
    let is_kept = |word: &OsString| is_ours || COVERAGE.iter().all(|flag| word != flag);
    let status = Command::new(compiler).args(words.filter(is_kept)).status();
    let code = status.ok().and_then(|status| status.code()).unwrap_or(1);
    Some(ExitCode::from(u8::try_from(code).unwrap_or(1)))
}

/// Builds the targets. Returns the folder with the programs.
pub(super) fn build(targets: &[&Target]) -> Outcome<PathBuf> {
    has_cpp()?;
    let host = host()?;
    let built = folder().join("build");
    let mut words = vec!["build", "--profile", "fuzz", "--features", "engine"];
    // With an explicit target, build scripts and macros have no counters.
    words.extend(["--target", &host]);
    for target in targets {
        words.extend(["--bin", target.name]);
    }
    let mut cargo = cargo(&root().join("fuzz"), &words);
    let compiler =
        env::current_exe().map_err(|error| format!("cannot find this program: {error}"))?;
    run(cargo
        .env("CARGO_TARGET_DIR", &built)
        // The variable sets the flags for all crates, so that cargo compiles them again after a
        // change.
        .env("RUSTFLAGS", COVERAGE.join(" "))
        .env("RUSTC_WRAPPER", compiler)
        .env(COMPILES, "1"))?;
    Ok(built.join(host).join("fuzz"))
}

/// Checks for a C++ compiler, because the engine is compiled from its source.
fn has_cpp() -> Outcome {
    let compiler = env::var("CXX").unwrap_or_else(|_| "c++".to_owned());
    let answer = Command::new(&compiler).arg("--version").output();
    if answer.is_ok_and(|answer| answer.status.success()) {
        return Ok(());
    }
    Err(format!(
        "there is no C++ compiler (`{compiler}`), which libFuzzer, the engine, is compiled with; on Debian: apt-get install g++"
    ))
}

/// Returns the folders whose applications provide seeds: OTP's, and Elixir's if it is installed.
pub(super) fn libraries() -> Vec<PathBuf> {
    let elixir = step::on_path("elixir").and_then(|path| path.canonicalize().ok());
    let elixir = elixir.and_then(|path| Some(path.parent()?.parent()?.join("lib")));
    crate::erlang::libraries()
        .into_iter()
        .chain(elixir)
        .collect()
}
