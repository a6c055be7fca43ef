//! Building the targets with counters of coverage.

use std::env;
use std::path::PathBuf;
use std::process::Command;

use super::{Target, folder};
use crate::step::{self, Outcome, cargo, root, run};

/// What makes the compiler count which edges are taken, and show the engine the values that are compared.
const COVERAGE: [&str; 5] = [
    "-Cpasses=sancov-module",
    "-Cllvm-args=-sanitizer-coverage-level=4",
    "-Cllvm-args=-sanitizer-coverage-inline-8bit-counters",
    "-Cllvm-args=-sanitizer-coverage-pc-table",
    "-Cllvm-args=-sanitizer-coverage-trace-compares",
];

/// Builds the targets. Returns the folder with the programs.
pub(super) fn build(targets: &[&Target]) -> Outcome<PathBuf> {
    has_cpp()?;
    let host = host()?;
    let built = folder().join("build");
    let mut words = vec!["build", "--release", "--features", "engine"];
    // With a target, what runs during the build has no counters.
    words.extend(["--target", &host]);
    for target in targets {
        words.extend(["--bin", target.name]);
    }
    let mut cargo = cargo(&root().join("fuzz"), &words);
    run(cargo
        .env("CARGO_TARGET_DIR", &built)
        .env("RUSTFLAGS", COVERAGE.join(" ")))?;
    Ok(built.join(host).join("release"))
}

/// The engine is compiled from its source.
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

/// The platform of the compiler, e.g. `x86_64-unknown-linux-gnu`.
fn host() -> Outcome<String> {
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let answer = Command::new(rustc).arg("-vV").output();
    let answer = answer.map_err(|error| format!("cannot run `rustc`: {error}"))?;
    let text = String::from_utf8_lossy(&answer.stdout);
    let host = text.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned)
        .ok_or_else(|| format!("`rustc -vV` names no host: {text}"))
}

/// The folders whose applications give seeds: those of OTP, and of Elixir if it is installed.
pub(super) fn libraries() -> Vec<PathBuf> {
    let elixir = step::on_path("elixir").and_then(|path| path.canonicalize().ok());
    let elixir = elixir.and_then(|path| Some(path.parent()?.parent()?.join("lib")));
    crate::erlang::libraries()
        .into_iter()
        .chain(elixir)
        .collect()
}
