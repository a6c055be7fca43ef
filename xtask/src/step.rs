//! Runs other programs. Before each run, prints the command line that a person would type.

use std::env;
use std::fmt::Display;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

pub(crate) use crate::folders::{root, target};
use crate::times;

/// The error is a sentence for the user.
pub(crate) type Outcome<T = ()> = Result<T, String>;

/// Returns the target folder of the applications' workspace. Other applications that are built here
/// share it, so that cargo builds the run time once.
pub(crate) fn applications_target() -> PathBuf {
    root().join("examples/target")
}

/// Builds `cargo otp`, and uses it to build a release of an application. Returns the target folder
/// of all applications.
pub(crate) fn build_release(application: &str) -> Outcome<PathBuf> {
    run(&mut cargo(root(), &["build", "--package", "otp-cli"]))?;
    let built = applications_target();
    run(Command::new(target().join("debug/cargo-otp"))
        .args(["otp", "build", "--release"])
        .current_dir(root().join(application))
        .env("CARGO_TARGET_DIR", &built))?;
    Ok(built)
}

/// Returns a command for the cargo that runs this program.
pub(crate) fn cargo(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command
        .args(arguments)
        .current_dir(folder)
        .env("CARGO_TARGET_DIR", target());
    command
}

/// Returns cargo's metadata of the packages of a workspace, without their dependencies.
pub(crate) fn metadata(folder: &Path) -> Outcome<Value> {
    let failed = |error: &dyn Display| format!("`cargo metadata` in {}: {error}", folder.display());
    let mut metadata = cargo(folder, &["metadata", "--no-deps", "--format-version", "1"]);
    let output = metadata.output().map_err(|error| failed(&error))?;
    serde_json::from_slice(&output.stdout).map_err(|error| failed(&error))
}

/// Returns the names of the packages of a workspace.
pub(crate) fn members(folder: &Path) -> Outcome<Vec<String>> {
    let metadata = metadata(folder)?;
    let packages = metadata["packages"].as_array().into_iter().flatten();
    let names = packages.filter_map(|package| package["name"].as_str());
    Ok(names.map(str::to_owned).collect())
}

/// Prints a heading between steps.
pub(crate) fn heading(text: &str) {
    say(&format!("\n== {text}\n"));
}

/// Prints text unchanged.
pub(crate) fn say(text: &str) {
    let mut out = std::io::stdout().lock();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

/// Prints an error.
pub(crate) fn complain(problem: &str) {
    let _ = std::io::stderr()
        .lock()
        .write_all(format!("error: {}\n", problem.trim_end()).as_bytes());
}

/// Prints and runs a command. Any exit status but success is an error.
pub(crate) fn run(command: &mut Command) -> Outcome {
    let line = line(command);
    say(&format!("$ {line}\n"));
    let took = times::of(times::TimedKind::Command, &line, || {
        let status = command.status();
        let status = status.map_err(|error| format!("cannot run `{line}`: {error}"))?;
        if status.success() {
            Ok(())
        } else {
            Err(format!("`{line}` failed: {status}"))
        }
    });
    took.map(drop)
}

/// Returns the command as a person would type it. The folder comes first, unless it is the root.
pub(crate) fn line(command: &Command) -> String {
    let program = Path::new(command.get_program());
    let mut words = vec![
        program
            .file_name()
            .unwrap_or(program.as_os_str())
            .to_string_lossy(),
    ];
    words.extend(command.get_args().map(|word| word.to_string_lossy()));
    let words = words.join(" ").replacen("cargo-otp otp", "cargo otp", 1);
    match command.get_current_dir() {
        Some(folder) if folder != root() => {
            let shown = folder.strip_prefix(root()).unwrap_or(folder);
            format!("cd {} && {words}", shown.display())
        }
        _ => words,
    }
}

/// Returns the platform of the compiler, e.g. `x86_64-unknown-linux-gnu`.
pub(crate) fn host() -> Outcome<String> {
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let answer = Command::new(rustc).arg("-vV").output();
    let answer = answer.map_err(|error| format!("cannot run `rustc`: {error}"))?;
    let text = String::from_utf8_lossy(&answer.stdout);
    let host = text.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned)
        .ok_or_else(|| format!("`rustc -vV` names no host: {text}"))
}

/// Returns the first file of this name in a folder of `PATH`.
pub(crate) fn on_path(program: &str) -> Option<PathBuf> {
    env::split_paths(&env::var_os("PATH")?)
        .map(|folder| folder.join(program))
        .find(|path| path.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_shown_as_it_would_be_typed() {
        let mut command = Command::new("/some/where/cargo-otp");
        command
            .args(["otp", "run", "--", "1"])
            .current_dir(root().join("examples/x"));
        assert_eq!(line(&command), "cd examples/x && cargo otp run -- 1");
        assert_eq!(
            line(&cargo(root(), &["fmt"]))
                .rsplit_once(' ')
                .map(|(_, last)| last),
            Some("fmt")
        );
    }

    #[test]
    fn all_packages_of_a_workspace_are_known() {
        let mut names = members(&root().join("peers")).unwrap();
        names.sort_unstable();
        let expected = [
            "echonet-peer",
            "mini-redis-peer",
            "otp-peers",
            "redis-shapes",
        ];
        assert_eq!(names, expected);
    }

    #[test]
    fn a_failing_command_is_a_problem_that_names_it() {
        let problem = run(&mut Command::new("false")).unwrap_err();
        assert!(problem.contains("`false` failed"), "{problem}");
        assert!(run(&mut Command::new("no-such-program")).is_err());
    }
}
