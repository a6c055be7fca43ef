//! `cargo xtask bench specs`: compares the time that specs takes for all of OTP with OTP's own epp.

mod measure;

use std::env;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::erlang;
use crate::step::{self, Outcome, cargo, heading, root, run, say};

pub(crate) use measure::measure;

/// The number of runs of the quick programs. The result is the median.
const RUNS: usize = 5;

/// All files to read, and the folders of their headers.
struct Sources {
    files: Vec<PathBuf>,
    folders: Vec<PathBuf>,
}

/// The time and memory of specs, in a separate optimised process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Taken {
    bytes: u64,
    forms: u64,
    median: Duration,
    /// The largest resident memory in KiB. 0 if the system does not report it.
    peak: u64,
}

pub(crate) fn specs() -> Outcome {
    erlang::to_test()?;
    let build = ["build", "--quiet", "--release"];
    let packages = ["--package", "xtask", "--package", "otp-cli"];
    run(&mut cargo(root(), &[&build[..], &packages].concat()))?;
    let sources = Sources::installed()?;
    heading("All of OTP's sources");
    let specs = time_specs()?;
    say(&format!(
        "{} files, {:.1} MB, {} type-level forms with those of included files\n\n",
        sources.files.len(),
        specs.megabytes(),
        specs.forms
    ));
    let one_thread = format!("specs, one thread (median of {RUNS})");
    specs.say_speed(&one_thread, specs.median);
    let epp = time_epp(&sources)?;
    specs.say_speed("epp, one scheduler", epp);
    let all_cores = format!("otp-rs forms, all cores (median of {RUNS})");
    specs.say_speed(&all_cores, time_forms(&sources)?);
    say(&format!(
        "\nspecs is {:.1} times as fast as epp",
        epp.as_secs_f64() / specs.median.as_secs_f64()
    ));
    specs.say_memory();
    Ok(())
}

impl Taken {
    fn megabytes(&self) -> f64 {
        self.bytes as f64 / 1e6
    }

    /// Prints the speed of a program that took `time` for the same bytes.
    fn say_speed(&self, what: &str, time: Duration) {
        let seconds = time.as_secs_f64();
        say(&format!(
            "{what:44} {seconds:7.3} s  {:7.1} MB/s\n",
            self.megabytes() / seconds
        ));
    }

    /// Prints the end of the last line.
    fn say_memory(&self) {
        let peak = self.peak as f64 * 1024.0 / 1e6;
        match self.peak {
            0 => say("\n"),
            _ => say(&format!(", in {peak:.1} MB of memory at its peak\n")),
        }
    }
}

impl Sources {
    /// Returns every .erl file of the installed OTP, and the folders that OTP's own build includes
    /// from.
    fn installed() -> Outcome<Self> {
        let libraries = erlang::libraries().ok_or("there is no `erl` on PATH")?;
        let mut files = Vec::new();
        files_below(&libraries, &mut files);
        let applications = entries(&libraries);
        let folders = ["include", "src"]
            .into_iter()
            .flat_map(|name| applications.iter().map(move |folder| folder.join(name)))
            .filter(|folder| folder.is_dir())
            .collect();
        Ok(Self { files, folders })
    }
}

fn files_below(folder: &Path, files: &mut Vec<PathBuf>) {
    for path in entries(folder) {
        if path.is_dir() {
            files_below(&path, files);
        } else if path.extension().is_some_and(|ending| ending == "erl") {
            files.push(path);
        }
    }
}

/// Returns the entries in order of their names. Empty if the path is not a folder.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    paths.sort();
    paths
}

fn time_specs() -> Outcome<Taken> {
    let program = step::target().join("release/xtask");
    let output = Command::new(&program)
        .args(["bench", "specs", "--measure"])
        .output()
        .map_err(|error| format!("{}: {error}", program.display()))?;
    let text = String::from_utf8_lossy(&output.stdout);
    Taken::read(&text).ok_or_else(|| {
        let errors = String::from_utf8_lossy(&output.stderr);
        format!("the measurement of specs failed: {text}{errors}")
    })
}

impl Taken {
    /// Parses `BYTES FORMS MICROSECONDS PEAK`.
    fn read(text: &str) -> Option<Self> {
        let numbers: Option<Vec<u64>> = text
            .split_whitespace()
            .map(|word| word.parse().ok())
            .collect();
        let [bytes, forms, microseconds, peak] = numbers?.try_into().ok()?;
        Some(Self {
            bytes,
            forms,
            median: Duration::from_micros(microseconds),
            peak,
        })
    }
}

/// Runs OTP's own epp over the same files, in one process of a VM with one scheduler. epp measures
/// its own time, so the start of the VM is not included.
fn time_epp(sources: &Sources) -> Outcome<Duration> {
    let mut escript = Command::new("escript")
        .arg(root().join("specs/benches/epp.escript"))
        .args(&sources.folders)
        .env("ERL_FLAGS", "+S 1")
        .current_dir(env::temp_dir())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| format!("cannot run `escript`: {error}"))?;
    let mut names = String::new();
    for file in &sources.files {
        names.push_str(&format!("{}\n", file.display()));
    }
    if let Some(mut input) = escript.stdin.take() {
        let written = input.write_all(names.as_bytes());
        written.map_err(|error| format!("escript reads no file names: {error}"))?;
    }
    let answer = escript
        .wait_with_output()
        .map_err(|error| format!("escript: {error}"))?;
    let text = String::from_utf8_lossy(&answer.stdout);
    let microseconds = text.trim().parse();
    microseconds
        .map(Duration::from_micros)
        .map_err(|_| format!("epp.escript answered: {text}"))
}

/// Measures the command as a user runs it, including start and output.
fn time_forms(sources: &Sources) -> Outcome<Duration> {
    let program = step::target().join("release/otp-rs");
    let once = || {
        let start = Instant::now();
        Command::new(&program)
            .arg("forms")
            .args(&sources.files)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .map_err(|error| format!("{}: {error}", program.display()))?;
        Ok(start.elapsed())
    };
    let times: Outcome<Vec<Duration>> = (0..RUNS).map(|_| once()).collect();
    Ok(median(times?))
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_in_the_middle() {
        let times = [5, 1, 9, 2, 7].map(Duration::from_millis);
        assert_eq!(median(times.to_vec()), Duration::from_millis(5));
    }

    #[test]
    fn a_measurement_is_four_numbers() {
        let taken = Taken::read("10 20 3000000 40\n").unwrap();
        assert_eq!((taken.bytes, taken.forms, taken.peak), (10, 20, 40));
        assert_eq!(taken.median, Duration::from_secs(3));
        assert_eq!(Taken::read("1 2 3"), None);
        assert_eq!(Taken::read("error: no"), None);
    }
}
