//! Checks beside Erlang: Rust, names, files, the user's settings.

use std::env;
use std::net::ToSocketAddrs;
use std::path::Path;
use std::process::Command;

use super::{Finding, State};
use crate::build::cargo;
use crate::installation::{Installation, on_path};
use crate::platform;
use crate::vm::node;

/// The minimum limit of open files for a node.
const FEW_FILES: u64 = 1024;

pub(super) fn findings(otp: Option<&Installation>) -> Vec<Finding> {
    let mut findings = vec![rust(), cargo(), linker(), host()];
    findings.extend(otp.map(|_| cookie()));
    findings.extend([locale(), files()]);
    findings
}

/// Returns the first line of a program's version output.
fn version(mut program: Command) -> Option<String> {
    let said = program.arg("--version").output().ok()?;
    let text = String::from_utf8_lossy(&said.stdout).into_owned();
    said.status.success().then(|| text.trim().to_owned())
}

fn rust() -> Finding {
    let oldest = env!("CARGO_PKG_RUST_VERSION");
    match version(Command::new("rustc")) {
        None => Finding::missing("rustc", "it cannot be run")
            .help("install Rust from https://rustup.rs"),
        Some(found) if numbers(&found) < numbers(oldest) => {
            let found = format!("{found}; otp-rs needs {oldest} or newer");
            Finding::missing("rustc", found).help("`rustup update`, or a newer package")
        }
        Some(found) => Finding::fine("rustc", found),
    }
}

fn cargo() -> Finding {
    match version(cargo::command(Path::new("."))) {
        Some(found) => Finding::fine("cargo", found),
        None => Finding::missing("cargo", "it cannot be run")
            .help("install Rust from https://rustup.rs"),
    }
}

/// Returns the first two numbers of `rustc 1.95.0 (…)`.
fn numbers(version: &str) -> Vec<u64> {
    let digits = version.trim_start_matches(|c: char| !c.is_ascii_digit());
    let numbers = digits.split(|c: char| !c.is_ascii_digit());
    numbers.take(2).filter_map(|it| it.parse().ok()).collect()
}

/// Checks the linker. rustc links with `cc` unless cargo's configuration names another one.
fn linker() -> Finding {
    let help = "install a C compiler; on Debian: apt-get install gcc libc6-dev";
    match (
        on_path("cc"),
        ["gcc", "clang"].iter().find_map(|it| on_path(it)),
    ) {
        (Some(cc), _) => Finding::fine("linker", cc.display().to_string()),
        (None, Some(other)) => {
            let found = format!("there is no `cc` on PATH, but {}", other.display());
            Finding::warning("linker", found).help("name it as `linker` in .cargo/config.toml")
        }
        (None, None) => {
            Finding::missing("linker", "there is no `cc` on PATH, which rustc links with")
                .help(help)
        }
    }
}

/// Checks the host name. Nodes with short names find each other by the first part of the machine's
/// name.
fn host() -> Finding {
    let name = platform::machine_name();
    let short = name.split('.').next().unwrap_or_default();
    match (short, 0).to_socket_addrs() {
        Ok(_) if name.contains('.') => Finding::fine("host", format!("{short} and {name}")),
        Ok(_) => Finding::fine("host", format!("{short}, for --sname")),
        Err(_) => Finding::warning(
            "host",
            format!("`{short}`, this machine's name, has no address"),
        )
        .help(format!(
            "nodes with --sname need one: add `127.0.1.1 {short}` to /etc/hosts"
        )),
    }
}

/// Checks the cookie of nodes that are not given one by a file.
fn cookie() -> Finding {
    let Some(home) = env::home_dir() else {
        return Finding::warning("cookie", "HOME is not set").help("nodes need --cookie FILE");
    };
    let file = home.join(".erlang.cookie");
    if file.exists() {
        match node::cookie_file(&file) {
            Ok(file) => Finding::fine("cookie", file.display().to_string()),
            Err(error) => Finding::refused("cookie", State::Warning, &error),
        }
    } else {
        Finding::fine("cookie", "there is none yet: the first node makes it")
    }
}

fn locale() -> Finding {
    let variables = ["LC_ALL", "LC_CTYPE", "LANG"];
    let set = variables.into_iter().find_map(|variable| {
        let value = env::var(variable).ok().filter(|value| !value.is_empty());
        Some(format!("{variable}={}", value?))
    });
    let found = set.unwrap_or_else(|| "no locale is set".to_owned());
    let lower = found.to_lowercase();
    if lower.contains("utf-8") || lower.contains("utf8") {
        Finding::fine("locale", found)
    } else {
        Finding::warning("locale", format!("{found}, which is not UTF-8"))
            .help("Erlang's shell shows other letters than ASCII as numbers: export LANG=C.UTF-8")
    }
}

fn files() -> Finding {
    match platform::most_open_files() {
        Some(most) if most < FEW_FILES => Finding::warning(
            "files",
            format!("at most {most} files and sockets may be open"),
        )
        .help("`ulimit -n 65536` before a server is started, or LimitNOFILE= in its unit"),
        Some(most) => Finding::fine("files", format!("{most} files and sockets may be open")),
        None => Finding::fine("files", "no limit for open files and sockets"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_compared_by_their_numbers() {
        assert_eq!(numbers("rustc 1.95.0 (1a2b3c 2026-01-01)"), [1, 95]);
        assert!(numbers("rustc 1.100.0-nightly") > numbers("1.95"));
        assert!(numbers("rustc 1.9.0") < numbers("1.95"));
    }
}
