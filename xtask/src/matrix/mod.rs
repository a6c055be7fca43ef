//! `cargo xtask matrix`: runs the tests that start Erlang with other releases of OTP. Developers
//! run it by hand, because CI has only the installed release.

mod emulated;
mod installation;
mod outcome;
mod suite;
mod table;
mod view;

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::step::{self, Outcome, heading, root, say};
use installation::{Installation, Loader};
use outcome::{Line, lines};
use suite::{EMULATED, LeftOut, TESTS, TOLD_EMULATED, Test, left_out};
use table::{Column, table};
use view::View;

/// The parsed arguments.
#[derive(Debug)]
struct Request<'a> {
    folders: Vec<&'a str>,
    /// Whether to test Debian for aarch64, in an emulator.
    aarch64: bool,
    /// Whether the emulator has pages of 64 KiB.
    has_large_pages: bool,
    tests: Vec<Test>,
}

pub(crate) fn task(arguments: &[&str]) -> Outcome {
    let request = request(arguments)?;
    // Reports a folder without OTP before the builds.
    let found = request.folders.iter().map(|it| Installation::find(it));
    let mut installations = found.collect::<Outcome<Vec<_>>>()?;
    if request.aarch64 {
        let emulated = Installation::find(&emulated::aarch64()?)?;
        installations.push(match request.has_large_pages {
            true => emulated.with_large_pages(),
            false => emulated,
        });
    }
    heading("Build");
    let tests = build(&request.tests)?;
    let mut summary = Vec::new();
    for installation in &installations {
        heading(&format!("OTP {}", installation.version));
        let view = View::new(installation, &step::target().join("matrix"))?;
        view.check()?;
        forget_applications()?;
        let lines = tests.iter().map(|test| run(&view, installation, test));
        summary.push((installation, lines.collect::<Outcome<Vec<_>>>()?.concat()));
        forget_applications()?;
    }
    heading("All releases");
    judge(&summary)
}

fn request<'a>(arguments: &[&'a str]) -> Outcome<Request<'a>> {
    let (mut folders, mut names, mut option) = (Vec::new(), Vec::new(), "");
    let (mut aarch64, mut has_large_pages) = (false, false);
    for word in arguments {
        match (option, *word) {
            (_, "--root" | "--test") => option = word,
            (_, "--aarch64") => (option, aarch64) = ("", true),
            (_, "--large-pages") => (option, has_large_pages) = ("", true),
            ("--root", folder) => folders.push(folder),
            ("--test", name) => names.push(name),
            (_, word) => {
                return Err(format!(
                    "`{word}` is the value of neither --root nor --test"
                ));
            }
        }
    }
    if folders.is_empty() && !aarch64 {
        let which =
            "which releases? Write --root DIR..., each a folder with another OTP, or --aarch64";
        return Err(which.into());
    }
    if has_large_pages && !aarch64 {
        return Err("--large-pages is for --aarch64".into());
    }
    Ok(Request {
        tests: chosen(&names, folders.is_empty())?,
        folders,
        aarch64,
        has_large_pages,
    })
}

/// Returns the tests of these names. Without names, returns all tests, or the tests for an
/// emulator.
fn chosen(names: &[&str], is_emulated: bool) -> Outcome<Vec<Test>> {
    let known = |name: &&&str| TESTS.iter().any(|(_, test)| test == *name);
    if let Some(unknown) = names.iter().find(|name| !known(name)) {
        let known: Vec<_> = TESTS.iter().map(|(_, test)| *test).collect();
        return Err(format!(
            "no test `{unknown}`; there are {}",
            known.join(", ")
        ));
    }
    let is_chosen = |test: &&Test| match (names.is_empty(), is_emulated) {
        (false, _) => names.contains(&test.1),
        // An emulator is too slow for all of them.
        (true, true) => EMULATED.contains(test),
        (true, false) => true,
    };
    Ok(TESTS.iter().filter(is_chosen).copied().collect())
}

/// A built test.
struct BuiltTest {
    name: &'static str,
    program: PathBuf,
    /// The folder of its package. cargo would run the test there.
    folder: PathBuf,
}

/// Builds the tests, and the command-line program that they run.
fn build(tests: &[Test]) -> Outcome<Vec<BuiltTest>> {
    step::run(&mut step::cargo(root(), &["build", "--package", "otp-cli"]))?;
    tests.iter().copied().map(build_test).collect()
}

fn build_test((package, name): Test) -> Outcome<BuiltTest> {
    let arguments = ["test", "--no-run", "--package", package, "--test", name];
    let mut cargo = step::cargo(root(), &arguments);
    say(&format!("$ {}\n", step::line(&cargo)));
    cargo.arg("--message-format=json-render-diagnostics");
    let answer = cargo
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| format!("cannot run cargo: {error}"))?;
    let printed = String::from_utf8_lossy(&answer.stdout);
    let built = printed.lines().find_map(|line| built_test(line, name));
    built
        .filter(|_| answer.status.success())
        .ok_or_else(|| format!("cargo has built no test `{name}` of {package}"))
}

/// Parses one of cargo's messages about the test.
fn built_test(message: &str, name: &'static str) -> Option<BuiltTest> {
    let message: Value = serde_json::from_str(message).ok()?;
    let is_it = message["target"]["name"] == name && message["target"]["kind"][0] == "test";
    let program = message["executable"].as_str().filter(|_| is_it)?;
    let manifest = Path::new(message["manifest_path"].as_str()?);
    Some(BuiltTest {
        name,
        program: program.into(),
        folder: manifest.parent()?.to_owned(),
    })
}

/// Runs one test with this release in front of `PATH`, and returns its lines.
fn run(view: &View, installation: &Installation, test: &BuiltTest) -> Outcome<Vec<Line>> {
    let mut command = Command::new(&test.program);
    command.current_dir(&test.folder).arg("--exact");
    let others: Vec<&LeftOut> = left_out(test.name).collect();
    for other in &others {
        command.args(["--skip", other.name]);
    }
    on_release(&mut command, view, installation)?;
    let answer = command
        .output()
        .map_err(|error| format!("cannot run `{}`: {error}", step::line(&command)))?;
    let printed = String::from_utf8_lossy(&answer.stdout);
    let complained = String::from_utf8_lossy(&answer.stderr);
    let log = view.folder().join(format!("{}.log", test.name));
    fs::write(&log, format!("{complained}\n{printed}")).map_err(at(&log))?;
    let mut lines = lines(test.name, &printed, answer.status.success());
    let skipped = |other: &&LeftOut| Line::skipped(test.name, other.name, other.reason);
    lines.extend(others.iter().map(skipped));
    for line in &lines {
        say(&format!("OTP {:<10} {line}\n", installation.version));
    }
    if lines.iter().any(Line::is_failure) {
        say(&format!("-- what it printed: {}\n", log.display()));
    }
    Ok(lines)
}

/// Puts the release's programs first, and clears variables that are set for another release. Sets
/// the release's processor as the target of libraries.
fn on_release(command: &mut Command, view: &View, installation: &Installation) -> Outcome {
    let path = env::var_os("PATH").unwrap_or_default();
    let folders = std::iter::once(view.programs()).chain(env::split_paths(&path));
    let path = env::join_paths(folders).map_err(|error| error.to_string())?;
    command
        .env("PATH", path)
        .env("CARGO_OTP", step::target().join("debug/cargo-otp"));
    if let Some(Loader::Emulator { processor, .. }) = &installation.loader {
        let target = processor.target.replace('-', "_").to_uppercase();
        let (name, value) = TOLD_EMULATED;
        command
            .env(name, value)
            .env("CARGO_BUILD_TARGET", processor.target)
            .env(format!("CARGO_TARGET_{target}_LINKER"), processor.linker);
    }
    for variable in [
        "ERL_LIBS",
        "ERL_FLAGS",
        "ERL_AFLAGS",
        "ERL_ZFLAGS",
        "ERL_ROOTDIR",
    ] {
        command.env_remove(variable);
    }
    Ok(())
}

/// Removes the applications that another release compiled, because their modules may be too new.
fn forget_applications() -> Outcome {
    let folder = root().join("examples/target/otp");
    match fs::remove_dir_all(&folder) {
        Err(error) if folder.exists() => Err(format!("{}: {error}", folder.display())),
        _ => Ok(()),
    }
}

fn judge(summary: &[(&Installation, Vec<Line>)]) -> Outcome {
    let mut failures = Vec::new();
    for (installation, lines) in summary {
        let failed = lines.iter().filter(|line| line.is_failure());
        let told = failed.map(|line| format!("OTP {} {line}", installation.version));
        failures.extend(told);
    }
    let columns = summary.iter().map(|(installation, lines)| Column {
        version: &installation.version,
        lines,
    });
    say(&table(&columns.collect::<Vec<_>>()));
    if failures.is_empty() {
        return Ok(());
    }
    Err(format!("these failed:\n{}", failures.join("\n")))
}

/// Returns a function that adds a path to an error.
fn at<E: std::fmt::Display>(path: &Path) -> impl FnOnce(E) -> String {
    move |error| format!("{}: {error}", path.display())
}

/// Returns the entries of a folder, in order.
fn entries(folder: &Path) -> Outcome<Vec<PathBuf>> {
    let entries = fs::read_dir(folder).map_err(at(folder))?;
    let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    Ok(paths)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_folders_and_tests() {
        let words = ["--root", "a", "b", "--test", "live", "--root", "c"];
        let request = request(&words).unwrap();
        assert_eq!(request.folders, ["a", "b", "c"]);
        assert_eq!(request.tests, [("otp-tests", "live")]);
        assert!(!request.aarch64);
    }

    #[test]
    fn an_emulator_has_fewer_tests_unless_some_are_named() {
        let tests = |words: &[&str]| -> Vec<&str> {
            let tests = request(words).unwrap().tests;
            tests.iter().map(|(_, test)| *test).collect()
        };
        assert_eq!(tests(&["--aarch64"]), ["terms", "live", "tasks"]);
        assert_eq!(tests(&["--aarch64", "--test", "ground"]), ["ground"]);
        assert_eq!(tests(&["--root", "a", "--aarch64"]).len(), TESTS.len());
    }

    #[test]
    fn what_is_wrong_with_arguments_is_said() {
        for (words, problem) in [
            (&[][..], "which releases?"),
            (&["--test", "live"], "which releases?"),
            (&["a"], "neither --root nor --test"),
            (&["--aarch64", "a"], "neither --root nor --test"),
            (&["--root", "a", "--large-pages"], "is for --aarch64"),
            (
                &["--root", "a", "--test", "alive"],
                "no test `alive`; there are truth, ",
            ),
        ] {
            let printed = request(words).unwrap_err();
            assert!(printed.contains(problem), "{printed}");
        }
    }
}
