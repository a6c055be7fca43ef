//! `cargo xtask fuzz`: runs all code that reads input with unexpected inputs.
//!
//! The targets are programs of the crate in `fuzz/`. Each one is compiled with coverage counters.
//! Stable Rust supports them: `-C passes` selects the compiler's passes. The engine, libFuzzer,
//! changes inputs that have reached new code. It stores its inputs in `target/fuzz`, and they are
//! never checked in.

mod build;
mod log;
mod options;
mod run;
mod table;

use std::path::{Path, PathBuf};

use crate::erlang;
use crate::step::{self, Outcome, heading, say};
pub(crate) use build::compile;
use options::FuzzOptions;
pub(crate) use options::USAGE;

/// A program of `fuzz/src/bin`.
#[derive(Debug)]
struct Target {
    name: &'static str,
    what: &'static str,
    /// The longest input in bytes of most runs. Short inputs are quick, and find most of the
    /// faults.
    short: u32,
    /// The longest input of the other runs.
    longest: u32,
    /// The words of its language, a file of `fuzz/dictionaries`.
    dictionary: Option<&'static str>,
}

const TARGETS: &[Target] = &[
    Target {
        name: "text",
        what: "Erlang text: read, resolved, printed and read again",
        short: 96,
        longest: 1024,
        dictionary: Some("erlang"),
    },
    Target {
        name: "generate",
        what: "Erlang text: Rust and JSON Schemas of its types and functions",
        short: 96,
        longest: 256,
        dictionary: Some("erlang"),
    },
    Target {
        name: "beam",
        what: "BEAM files with debug information",
        short: 192,
        longest: 1024,
        dictionary: None,
    },
    Target {
        name: "chunk",
        what: "documentation chunks",
        short: 192,
        longest: 1024,
        dictionary: None,
    },
    Target {
        name: "etf",
        what: "the External Term Format: read, written, read again, compared",
        short: 96,
        longest: 1024,
        dictionary: None,
    },
    Target {
        name: "terms",
        what: "terms as types of every kind, compared with their Erlang types",
        short: 96,
        longest: 1024,
        dictionary: None,
    },
    Target {
        name: "bindings",
        what: "terms as the types of OTP's bindings, compared with their Erlang types",
        short: 128,
        longest: 1024,
        dictionary: None,
    },
    Target {
        name: "otp_toml",
        what: "otp.toml",
        short: 96,
        longest: 1024,
        dictionary: Some("otp_toml"),
    },
    Target {
        name: "typed",
        what: "terms, types and names as people type them, printed and read again",
        short: 96,
        longest: 512,
        dictionary: None,
    },
    Target {
        name: "json",
        what: "JSON as types of every kind, and as any term: read, written, read again, compared",
        short: 96,
        longest: 1024,
        dictionary: Some("json"),
    },
    Target {
        name: "scripts",
        what: "scripts in Lua, and patterns, of `examples/redis`",
        short: 96,
        longest: 1024,
        dictionary: Some("lua"),
    },
];

pub(crate) fn task(arguments: &[&str]) -> Outcome {
    let options = FuzzOptions::of(arguments)?;
    if options.only_list {
        say(&format!("{:<10} {:>12}\n", "target", "executions"));
        for target in TARGETS {
            let total = run::total(target);
            say(&format!(
                "{:<10} {total:>12}  {}\n",
                target.name, target.what
            ));
        }
        return Ok(());
    }
    erlang::to_run()?;
    heading("Build");
    let programs = build::build(&options.targets)?;
    let mut rows = Vec::new();
    for target in &options.targets {
        heading(&format!("{}: {}", target.name, target.what));
        rows.push(run::run(target, &programs.join(target.name), &options)?);
    }
    heading("All targets");
    say(&table::table(&rows));
    let findings: Vec<_> = rows.iter().flat_map(|row| &row.findings).collect();
    if findings.is_empty() {
        return Ok(());
    }
    let shown = findings.iter().map(|finding| finding.to_string());
    Err(format!(
        "there are findings\n\n{}",
        shown.collect::<Vec<_>>().join("\n")
    ))
}

/// Returns the folder of all files that are not checked in.
fn folder() -> PathBuf {
    step::target().join("fuzz")
}

/// Returns the path as a person would type it in the workspace's root.
fn shown(path: &Path) -> String {
    let path = path.strip_prefix(step::root()).unwrap_or(path);
    path.display().to_string()
}
