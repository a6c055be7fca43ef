//! Generates a crate with `otp-rs gen-types`, as a user would.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::step::{Outcome, root, target};

/// A generated module.
#[derive(Debug, Clone, Default)]
pub(super) struct Counts {
    /// The file's path in `src/otp`, without the ending.
    pub(super) file: String,
    pub(super) types: usize,
    pub(super) positions: usize,
    /// Why positions became a dynamic term, with the Erlang types.
    pub(super) fallbacks: Vec<(String, String)>,
    pub(super) functions: usize,
    /// Why functions are not bound, with their names.
    pub(super) unbound: Vec<(String, String)>,
}

/// A crate's source.
#[derive(Default)]
pub(super) struct Generated {
    /// All modules with a file, including modules that other modules refer to.
    pub(super) modules: BTreeMap<String, Counts>,
    /// Modules that could not be read, with the error.
    pub(super) unread: BTreeMap<String, String>,
    pub(super) took: Duration,
}

/// Writes the crate's modules into its folder. Leaves out modules that cannot be read.
pub(super) fn generate(
    folder: &Path,
    modules: &BTreeSet<String>,
    paths: &[String],
) -> Outcome<Generated> {
    let mut generated = Generated::default();
    let mut open = modules.clone();
    let start = Instant::now();
    let report = folder.join("report.json");
    loop {
        remove(&folder.join("src/otp"))?;
        remove(&report)?;
        let said = run(folder, &open, paths, &report)?;
        if report.is_file() {
            break;
        }
        if said.contains(NOTHING) {
            generated.took = start.elapsed();
            return Ok(generated);
        }
        let Some((module, error)) = unread(&said, &open) else {
            return Err(format!("otp-rs gen-types: {said}"));
        };
        open.remove(&module);
        generated.unread.insert(module, error);
    }
    let text = fs::read_to_string(&report).map_err(|error| problem(&report, &error))?;
    let value: Value = serde_json::from_str(&text).map_err(|error| format!("{text}: {error}"))?;
    let of_modules = value["modules"].as_object().into_iter().flatten();
    generated.modules = of_modules
        .map(|(module, value)| (module.clone(), counts(value)))
        .collect();
    generated.took = start.elapsed();
    Ok(generated)
}

/// The error of `otp-rs` if none of the modules contains anything to generate.
const NOTHING: &str = "has no -callback, no -type and no exported function with a -spec";

/// Runs `otp-rs gen-types`, and returns its errors.
fn run(
    folder: &Path,
    modules: &BTreeSet<String>,
    paths: &[String],
    report: &Path,
) -> Outcome<String> {
    let mut command = Command::new(target().join("debug/otp-rs"));
    command
        .args(["gen-types", "--functions", "--docs", "--no-config"])
        .args(["--path", "crate::otp", "--out"])
        .arg(folder.join("src/otp"))
        .arg("--report")
        .arg(report)
        .args(paths)
        .arg("--")
        .args(modules)
        .current_dir(root());
    let output = command
        .output()
        .map_err(|error| format!("otp-rs: {error}"))?;
    let said = String::from_utf8_lossy(&output.stderr);
    let errors = said.lines().filter(|line| !line.starts_with("note:"));
    Ok(errors.collect::<Vec<_>>().join("\n"))
}

/// Returns the module whose file an error names.
fn unread(said: &str, modules: &BTreeSet<String>) -> Option<(String, String)> {
    let place = said.split_once("--> ")?.1.lines().next()?;
    let path = place.split(".beam").next()?.split(".erl").next()?;
    let module = path.rsplit('/').next()?;
    let error = said.lines().next().unwrap_or_default();
    modules
        .contains(module)
        .then(|| (module.to_owned(), error.to_owned()))
}

fn counts(value: &Value) -> Counts {
    let number = |key: &str| {
        let number = value[key].as_u64().unwrap_or_default();
        usize::try_from(number).unwrap_or_default()
    };
    let pairs = |key: &str, subject: &str| {
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let entries = value[key].as_array().into_iter().flatten();
        entries
            .map(|entry| (text(&entry["reason"]), text(&entry[subject])))
            .collect()
    };
    Counts {
        file: value["file"].as_str().unwrap_or_default().to_owned(),
        types: number("types"),
        positions: number("positions"),
        fallbacks: pairs("fallbacks", "erlang"),
        functions: number("functions"),
        unbound: pairs("unbound", "function"),
    }
}

fn remove(path: &Path) -> Outcome {
    let removed = if path.is_dir() {
        fs::remove_dir_all(path)
    } else if path.exists() {
        fs::remove_file(path)
    } else {
        Ok(())
    };
    removed.map_err(|error| problem(path, &error))
}

fn problem(path: &Path, error: &std::io::Error) -> String {
    format!("{}: {error}", path.display())
}
