//! Erlang on a machine that may have none.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::step::{self, Outcome};

/// The VM and the compiler; Debian's names.
const TO_RUN: &[&str] = &["erlang-base"];
/// What tests need besides: OTP's headers and sources to read, and dialyzer.
const TO_TEST: &[&str] = &["erlang-base", "erlang-dev", "erlang-src", "erlang-dialyzer"];

/// Sees to it that applications can be built and run.
pub(crate) fn to_run() -> Outcome {
    require(TO_RUN, || {
        step::on_path("erl").is_some() && step::on_path("erlc").is_some()
    })
}

/// Sees to it that tests can read OTP's own sources and run dialyzer as well.
pub(crate) fn to_test() -> Outcome {
    to_run()?;
    require(TO_TEST, || {
        installed("src/gen_server.erl")
            && installed("include/assert.hrl")
            && step::on_path("dialyzer").is_some()
    })
}

fn require(packages: &[&str], present: impl Fn() -> bool) -> Outcome {
    if present() {
        return Ok(());
    }
    step::heading("Erlang is missing; installing it");
    let manual = format!(
        "install Erlang/OTP 25 or newer and run this again; on Debian: apt-get install {}",
        packages.join(" ")
    );
    install(packages).map_err(|problem| format!("{problem}\n{manual}"))?;
    if present() {
        Ok(())
    } else {
        Err(format!("it was installed, but is not found\n{manual}"))
    }
}

fn install(packages: &[&str]) -> Outcome {
    if step::on_path("apt-get").is_none() {
        return Err("there is no apt-get here".into());
    }
    let as_root: &[&str] = match privilege() {
        Privilege::Root => &[],
        Privilege::Sudo => &["sudo", "-n"],
        Privilege::None => {
            return Err("only root may install it, and sudo asks for a password".into());
        }
    };
    apt_get(as_root, &["update"])?;
    apt_get(
        as_root,
        &[&["install", "--yes", "--no-install-recommends"], packages].concat(),
    )
}

fn apt_get(as_root: &[&str], arguments: &[&str]) -> Outcome {
    let words = [
        as_root,
        &["env", "DEBIAN_FRONTEND=noninteractive", "apt-get"],
        arguments,
    ]
    .concat();
    step::run(Command::new(words[0]).args(&words[1..]))
}

enum Privilege {
    Root,
    Sudo,
    None,
}

fn privilege() -> Privilege {
    let id = Command::new("id").arg("-u").output();
    if id.is_ok_and(|answer| answer.stdout.trim_ascii() == b"0") {
        return Privilege::Root;
    }
    let quietly = Command::new("sudo")
        .args(["-n", "true"])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    if quietly.is_ok_and(|status| status.success()) {
        Privilege::Sudo
    } else {
        Privilege::None
    }
}

/// Whether `lib/stdlib-VERSION` of the installed OTP has that file.
fn installed(file: &str) -> bool {
    let Some(libraries) = libraries() else {
        return false;
    };
    let folders = fs::read_dir(libraries)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path());
    folders
        .filter(|folder| {
            folder
                .file_name()
                .is_some_and(|name| name.as_encoded_bytes().starts_with(b"stdlib-"))
        })
        .any(|folder| folder.join(file).is_file())
}

/// `ROOT/lib`, where `erl` is `ROOT/bin/erl`; another layout is asked.
pub(crate) fn libraries() -> Option<PathBuf> {
    let erl = step::on_path("erl")?;
    let near = fs::canonicalize(&erl)
        .ok()?
        .parent()
        .and_then(Path::parent)?
        .join("lib");
    if near.is_dir() && near.join("../releases").is_dir() {
        return Some(near);
    }
    let answer = Command::new(erl)
        .args(["-noinput", "-eval", "io:put_chars(code:lib_dir()), halt()."])
        .current_dir(env::temp_dir())
        .stdin(Stdio::null())
        .output()
        .ok()?;
    Some(PathBuf::from(String::from_utf8(answer.stdout).ok()?))
}
