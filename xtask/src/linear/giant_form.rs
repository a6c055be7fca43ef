//! Checks that the memory for reading one form is proportional to its text.

use std::env;
use std::fmt::Write as _;
use std::fs;
use std::process::Command;

use otp_specs::{NoIncludes, Options, parse_source_by_form};

use super::{MOST_GROWTH, Outcome};
use crate::step::say;

/// The number of parts. The second measurement doubles it.
const PARTS: usize = 100_000;

/// A way to write a form of any size, and the maximum memory for one byte of its text.
struct Kind {
    name: &'static str,
    text: fn(usize) -> String,
    most: f64,
}

const KINDS: [Kind; 2] = [
    Kind {
        name: "union",
        text: |parts| format!("-type t() :: {}.\n", atoms(parts, " | ")),
        most: 10.0,
    },
    Kind {
        name: "tuple",
        text: |parts| format!("-type t() :: {{{}}}.\n", atoms(parts, ", ")),
        most: 10.0,
    },
];

fn atoms(parts: usize, separator: &str) -> String {
    let mut text = "a".to_owned();
    for number in 1..parts {
        _ = write!(text, "{separator}a{number}");
    }
    text
}

/// Reads growing forms, each in a separate process.
pub(super) fn check() -> Outcome {
    if peak().is_none() {
        say("the memory of giant forms is not known on this system\n");
        return Ok(());
    }
    for kind in &KINDS {
        let [once, twice] = [PARTS, 2 * PARTS].map(|parts| measured(kind, parts));
        let (once, twice) = (once?, twice?);
        let of_text = twice as f64 / (kind.text)(2 * PARTS).len() as f64;
        let growth = twice as f64 / once as f64;
        say(&format!(
            "one form, a {} of {} parts: {of_text:.1} bytes for each of its text, {growth:.2} times as many as for half of it\n",
            kind.name,
            2 * PARTS
        ));
        if growth > MOST_GROWTH || of_text > kind.most {
            let most = kind.most;
            return Err(format!(
                "at most {most} bytes for each, and {MOST_GROWTH} times as many, are expected"
            ));
        }
    }
    Ok(())
}

/// Returns the memory that a process needs for a form, in bytes.
fn measured(kind: &Kind, parts: usize) -> Outcome<u64> {
    let program = env::current_exe().map_err(|error| format!("this program: {error}"))?;
    let mut command = Command::new(program);
    command.args(["linear", "--giant-form", kind.name, &parts.to_string()]);
    let output = command.output().map_err(|error| error.to_string())?;
    let text = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    let bytes = text.trim().parse();
    bytes.map_err(|_| format!("a form of {parts} parts was not measured: {text}{errors}"))
}

/// Reads a form, and prints the memory that this took, in bytes.
pub(super) fn measure(name: &str, parts: &str) -> Outcome {
    let kind = KINDS.iter().find(|kind| kind.name == name);
    let (Some(kind), Ok(parts)) = (kind, parts.parse()) else {
        return Err(format!("no form: {name} {parts}"));
    };
    let text = (kind.text)(parts);
    let before = peak().unwrap_or_default();
    let mut forms = 0;
    let parsed = parse_source_by_form(
        "m.erl",
        text.as_bytes(),
        &NoIncludes,
        &Options::default(),
        |_| forms += 1,
    );
    if forms != 1 || !parsed.diagnostics.is_empty() {
        return Err(format!("{forms} forms: {:?}", parsed.diagnostics));
    }
    say(&format!("{}\n", peak().unwrap_or_default() - before));
    Ok(())
}

/// Returns the peak memory of this process, in bytes.
fn peak() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(kilobytes * 1024)
}
