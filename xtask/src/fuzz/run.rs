//! Runs one target for its time. A finding ends the target's process, so the run starts another
//! process.

use std::collections::BTreeSet;
use std::env;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use super::build::libraries;
use super::log::{FuzzProgress, progress, reason};
use super::options::FuzzOptions;
use super::table::{Finding, FuzzRow};
use super::{Target, folder, shown};
use crate::step::{self, Outcome, say};

/// The maximum number of findings of a target. A new process usually finds the same fault again at
/// once.
const MOST_FINDINGS: usize = 5;
/// The interval between two progress lines of a running target.
const BETWEEN_LINES: Duration = Duration::from_secs(30);
/// A slower input is a finding.
const SLOWEST: Duration = Duration::from_secs(10);
/// In MB. A target that uses more memory has a finding.
const MOST_MEMORY: u32 = 2048;

/// Part of a target's time, with a maximum length of inputs.
struct Round {
    /// The round's name in paths.
    name: &'static str,
    longest: u32,
    time: Duration,
}

impl Round {
    /// Most of the time is for short inputs, because a target runs far more of them per second.
    fn all(target: &Target, time: Duration) -> [Round; 2] {
        let long = time / 5;
        let round = |name, longest, time| Round {
            name,
            longest,
            time,
        };
        [
            round("short", target.short, time - long),
            round("long", target.longest, long),
        ]
    }
}

/// The folders of a target's round.
struct Folders {
    /// Inputs that reached new code: first the inputs of this round, which adds to them, then
    /// shorter ones.
    corpora: Vec<PathBuf>,
    seeds: PathBuf,
    findings: PathBuf,
    log: PathBuf,
}

impl Folders {
    fn of(target: &Target, round: &Round) -> Outcome<Folders> {
        let inside = |name: &str| folder().join(name).join(target.name);
        let corpus = inside("corpus");
        let mut corpora = vec![corpus.join(round.name)];
        if round.name != "short" {
            corpora.push(corpus.join("short"));
        }
        let folders = Folders {
            corpora,
            seeds: inside("seeds"),
            findings: inside("findings"),
            log: folder().join(format!("{}.log", target.name)),
        };
        // Each start writes the seeds again.
        let _ = fs::remove_dir_all(&folders.seeds);
        for folder in folders
            .corpora
            .iter()
            .chain([&folders.seeds, &folders.findings])
        {
            fs::create_dir_all(folder).map_err(|error| cannot("make", folder, &error))?;
        }
        Ok(folders)
    }

    fn findings(&self) -> BTreeSet<PathBuf> {
        let entries = fs::read_dir(&self.findings).into_iter().flatten().flatten();
        entries.map(|entry| entry.path()).collect()
    }
}

/// Returns the file with the executions of all runs of a target.
fn total_file(target: &Target) -> PathBuf {
    folder().join(format!("{}.executions", target.name))
}

/// Returns the executions of all runs of a target.
pub(super) fn total(target: &Target) -> u64 {
    let text = fs::read_to_string(total_file(target)).ok();
    text.and_then(|text| text.trim().parse().ok()).unwrap_or(0)
}

/// Adds to the executions of all runs.
fn count(target: &Target, executions: u64) -> Outcome {
    let path = total_file(target);
    let total = total(target) + executions;
    fs::write(&path, format!("{total}\n")).map_err(|error| cannot("write", &path, &error))
}

fn cannot(verb: &str, path: &Path, error: &std::io::Error) -> String {
    format!("cannot {verb} {}: {error}", path.display())
}

/// Runs a target for its time.
pub(super) fn run(
    target: &'static Target,
    program: &Path,
    options: &FuzzOptions,
) -> Outcome<FuzzRow> {
    let begun = Instant::now();
    let mut row = FuzzRow {
        target: target.name,
        ..FuzzRow::default()
    };
    for round in Round::all(target, options.time) {
        fuzz(target, &round, program, &mut row)?;
    }
    row.time = begun.elapsed();
    row.total = total(target);
    Ok(row)
}

/// Runs a round, and adds its results to the row.
fn fuzz(target: &'static Target, round: &Round, program: &Path, row: &mut FuzzRow) -> Outcome {
    let folders = Folders::of(target, round)?;
    let begun = Instant::now();
    let mut findings = BTreeSet::new();
    while let Some(left) = round.time.checked_sub(begun.elapsed())
        && findings.len() < MOST_FINDINGS
    {
        let known = folders.findings();
        let mut child = start(target, round, program, &folders, left)?;
        let is_well = wait(&mut child, &folders.log)?;
        let log = log_of(&folders)?;
        row.progress = progress(&log);
        row.executions += row.progress.executions;
        count(target, row.progress.executions)?;
        let new = folders.findings().difference(&known).next().cloned();
        if let Some(input) = &new
            && is_quick(program, input)?
        {
            fs::remove_file(input).map_err(|error| cannot("remove", input, &error))?;
        } else if let Some(input) = new {
            let finding = Finding {
                reason: reason(&log),
                program: program.to_owned(),
                input,
            };
            say(&format!("finding: {finding}"));
            findings.insert(finding);
        } else if !is_well && known.is_empty() {
            let log = shown(&folders.log);
            return Err(format!("{}: {}; see {log}", target.name, reason(&log)));
        } else {
            // The time is over, or the target found a known input again.
            break;
        }
    }
    row.findings.extend(findings);
    Ok(())
}

fn start(
    target: &Target,
    round: &Round,
    program: &Path,
    folders: &Folders,
    time: Duration,
) -> Outcome<Child> {
    let log = File::create(&folders.log).map_err(|error| cannot("write", &folders.log, &error))?;
    let mut command = Command::new(program);
    command
        .args(&folders.corpora)
        .arg(&folders.seeds)
        // 0 would mean no time limit.
        .arg(format!("-max_total_time={}", time.as_secs().max(1)))
        .arg(format!("-timeout={}", SLOWEST.as_secs()))
        .arg(format!("-rss_limit_mb={MOST_MEMORY}"))
        .arg(format!("-artifact_prefix={}/", folders.findings.display()))
        .arg(format!("-max_len={}", round.longest))
        // Turns off the engine's statistics of rare edges. They take a third of the time for inputs
        // that take thousands of edges.
        .args(["-print_final_stats=1", "-reload=0", "-entropic=0"]);
    if let Some(dictionary) = target.dictionary {
        let path = format!("fuzz/dictionaries/{dictionary}.dict");
        command.arg(format!("-dict={}", step::root().join(path).display()));
    }
    let libraries = env::join_paths(libraries());
    let libraries = libraries.map_err(|error| format!("OTP's folder: {error}"))?;
    command
        .env("OTP_FUZZ_LIBRARIES", libraries)
        .env("OTP_FUZZ_SEEDS", &folders.seeds)
        .env("OTP_FUZZ_LONGEST", round.longest.to_string())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(log);
    let started = command.spawn();
    started.map_err(|error| cannot("run", program, &error))
}

/// Waits for the end, and prints the target's progress. Returns whether the target succeeded.
fn wait(child: &mut Child, log: &Path) -> Outcome<bool> {
    let mut said = Instant::now();
    loop {
        let ended = child.try_wait();
        if let Some(status) = ended.map_err(|error| format!("cannot wait: {error}"))? {
            return Ok(status.success());
        }
        if said.elapsed() >= BETWEEN_LINES {
            said = Instant::now();
            let text = fs::read(log).unwrap_or_default();
            let progress = progress(&String::from_utf8_lossy(&text));
            let FuzzProgress {
                executions,
                reached,
                edges,
                kept,
            } = progress;
            say(&format!(
                "{executions} executions, {reached} of {edges} edges, {kept} inputs\n"
            ));
        }
        thread::sleep(Duration::from_millis(100));
    }
}

/// Returns whether an input that took too long is quick in a second run. Then the machine was busy.
fn is_quick(program: &Path, input: &Path) -> Outcome<bool> {
    let name = input.file_name().and_then(|name| name.to_str());
    if !name.is_some_and(|name| name.starts_with("timeout-")) {
        return Ok(false);
    }
    let mut command = Command::new(program);
    command
        .arg(input)
        .arg(format!("-timeout={}", SLOWEST.as_secs()))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    let status = command.status();
    let status = status.map_err(|error| cannot("run", program, &error))?;
    Ok(status.success())
}

fn log_of(folders: &Folders) -> Outcome<String> {
    let bytes = fs::read(&folders.log).map_err(|error| cannot("read", &folders.log, &error))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
