//! `cargo xtask bench build`: measures the builds of an application, and the installation of the
//! program itself.
//!
//! Uses two new applications, made by `cargo otp new` and `cargo otp add`: one without bindings,
//! and one that uses `ets` and `gen_tcp`. The benchmark builds each from nothing, then after edits
//! of a callback. A processor time includes all processes that a build starts, and is valid on a
//! busy machine, too.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use crate::erlang;
use crate::step::{self, Outcome, cargo, heading, root, run, say};

pub(crate) const USAGE: &str = "\
Usage: cargo xtask bench build [--install]

  --install   Also measure `cargo install --path cli`
";

/// The number of edits to measure. The result is the best time.
const EDITS: usize = 3;

pub(crate) fn build(options: &[&str]) -> Outcome {
    let with_install = match options {
        [] => false,
        ["--install"] => true,
        _ => return Err(USAGE.to_owned()),
    };
    erlang::to_run()?;
    run(&mut cargo(root(), &["build", "--package", "otp-cli"]))?;
    let scratch = Scratch::new()?;
    let plain = Application::new(&scratch.0, "plain")?;
    let bound = Application::new(&scratch.0, "bound")?;
    bound.use_bindings()?;
    let mut lines = vec![row(
        ["what", "without", "ets, gen_tcp", "ratio"].map(str::to_owned)
    )];
    for profile in [&["build"][..], &["build", "--release"]] {
        let times = [plain.first(profile)?, bound.first(profile)?];
        lines.push(line("first build", profile, times));
        let times = [plain.edited(profile)?, bound.edited(profile)?];
        lines.push(line("after an edit", profile, times));
    }
    if with_install {
        let time = install(&scratch.0)?;
        lines.push(format!("cargo install --path cli: {}", time.shown()));
    }
    heading("Times: processor (all processes), wall");
    lines.iter().for_each(|line| say(&format!("{line}\n")));
    Ok(())
}

fn row(cells: [String; 4]) -> String {
    let [what, plain, bound, ratio] = cells;
    format!("{what:<30} {plain:<18} {bound:<18} {ratio}")
}

fn line(what: &str, profile: &[&str], [plain, bound]: [Time; 2]) -> String {
    let profile = if profile.len() > 1 { "release" } else { "dev" };
    let ratio = |bound: f64, plain: f64| format!("{:.2}", bound / plain);
    row([
        format!("{what}, {profile}"),
        plain.shown(),
        bound.shown(),
        format!(
            "{}, {}",
            ratio(bound.processor, plain.processor),
            ratio(bound.wall, plain.wall)
        ),
    ])
}

/// Times in seconds.
#[derive(Debug, Clone, Copy)]
struct Time {
    processor: f64,
    wall: f64,
}

impl Time {
    fn shown(self) -> String {
        format!("{:.1} s, {:.1} s", self.processor, self.wall)
    }
}

/// Runs a command and measures it. A failure of the command is an error.
fn timed(command: &mut Command) -> Outcome<Time> {
    let (begun, before) = (Instant::now(), children()?);
    run(command)?;
    Ok(Time {
        processor: children()? - before,
        wall: begun.elapsed().as_secs_f64(),
    })
}

/// Returns the processor seconds of all child processes that this process has waited for.
fn children() -> Outcome<f64> {
    /// Linux's unit of processor times on all its platforms.
    const TICKS_PER_SECOND: f64 = 100.0;
    let stat = fs::read_to_string("/proc/self/stat")
        .map_err(|error| format!("/proc/self/stat, which Linux has: {error}"))?;
    of_children(&stat)
        .ok_or_else(|| format!("/proc/self/stat is `{stat}`"))
        .map(|ticks| ticks as f64 / TICKS_PER_SECOND)
}

/// Returns `cutime` and `cstime` of proc(5), the 16th and 17th word. The second word is in
/// parentheses, and may contain spaces.
fn of_children(stat: &str) -> Option<u64> {
    let (_, rest) = stat.rsplit_once(") ")?;
    let words = rest.split(' ').skip(13).take(2);
    words.map(|word| word.parse::<u64>().ok()).sum()
}

/// An application in its own folder, with its own target folder.
struct Application(PathBuf);

impl Application {
    fn new(scratch: &Path, name: &str) -> Outcome<Self> {
        let parent = scratch.join(name);
        fs::create_dir(&parent).map_err(|error| format!("{}: {error}", parent.display()))?;
        run(&mut otp(&parent, &["new", "measured"]))?;
        let application = Application(parent.join("measured"));
        run(&mut otp(&application.0, &["add", "counter", "gen_server"]))?;
        Ok(application)
    }

    /// Makes `src/counter.rs` call bindings.
    fn use_bindings(&self) -> Outcome {
        let bindings = root().join("bindings");
        self.replace("Cargo.toml", "otp-bridge = ", |rest| {
            format!("otp-bindings = {{ path = {bindings:?}, features = [\"ets\", \"gen_tcp\"] }}\notp-bridge = {rest}")
        })?;
        let source = self.0.join("src/counter.rs");
        fs::write(&source, include_str!("../../bench_build/bound.rs"))
            .map_err(|error| format!("{}: {error}", source.display()))
    }

    fn replace(&self, file: &str, mark: &str, with: impl Fn(&str) -> String) -> Outcome {
        let path = self.0.join(file);
        let text =
            fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        let (before, after) = text
            .split_once(mark)
            .ok_or_else(|| format!("{}: no `{mark}`", path.display()))?;
        fs::write(&path, format!("{before}{}", with(after)))
            .map_err(|error| format!("{}: {error}", path.display()))
    }

    /// Measures a build from nothing.
    fn first(&self, build: &[&str]) -> Outcome<Time> {
        let target = self.0.join("target");
        if target.exists() {
            fs::remove_dir_all(&target)
                .map_err(|error| format!("{}: {error}", target.display()))?;
        }
        timed(&mut otp(&self.0, build))
    }

    /// Measures builds after edits of a callback. Returns the best one.
    fn edited(&self, build: &[&str]) -> Outcome<Time> {
        let mut best: Option<Time> = None;
        for edit in 1..=EDITS {
            let mark = "(ok, Counter { count: ";
            self.replace("src/counter.rs", mark, |rest| {
                let rest = rest.trim_start_matches(|digit: char| digit.is_ascii_digit());
                format!("{mark}{edit}{rest}")
            })?;
            let time = timed(&mut otp(&self.0, build))?;
            if best.is_none_or(|best| time.processor < best.processor) {
                best = Some(time);
            }
        }
        best.ok_or_else(|| "no edit".to_owned())
    }
}

fn install(scratch: &Path) -> Outcome<Time> {
    let program = scratch.join("installed");
    let mut install = cargo(
        root(),
        &["install", "--locked", "--quiet", "--path", "cli", "--root"],
    );
    timed(
        install
            .arg(program)
            .env("CARGO_TARGET_DIR", scratch.join("install")),
    )
}

/// Returns the command `cargo otp ARGUMENTS` in a folder, with the newly built program.
fn otp(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(step::target().join("debug/cargo-otp"));
    command
        .arg("otp")
        .args(arguments)
        .current_dir(folder)
        .env_remove("CARGO_TARGET_DIR");
    command
}

/// A temporary folder. It is removed when this value is dropped.
struct Scratch(PathBuf);

impl Scratch {
    fn new() -> Outcome<Self> {
        let folder = env::temp_dir().join(format!("otp-rs-bench-build-{}", std::process::id()));
        fs::create_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        Ok(Self(folder))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::of_children;

    #[test]
    fn times_of_children_are_read_whatever_the_program_is_called() {
        let stat = "42 (a (b) c) S 1 1 1 0 -1 4194304 100 5000 0 0 7 3 250 40 20 0 1 0 5 0 0";
        assert_eq!(of_children(stat), Some(290));
        assert_eq!(of_children("42 (short) S 1"), Some(0));
    }
}
