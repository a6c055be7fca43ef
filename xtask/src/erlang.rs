//! Installs Erlang on a machine that lacks it.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::step::{self, Outcome};

/// The Debian packages of the VM and the compiler.
const TO_RUN: &[&str] = &["erlang-base"];
/// The Debian packages of all of OTP: its applications, sources and documentation. The tests read
/// them, and users have them.
const TO_TEST: &[&str] = &["erlang", "erlang-src", "erlang-doc"];
/// The Debian packages with the header of C NIFs.
const TO_COMPILE_C: &[&str] = &["erlang-base", "erlang-dev"];
/// Other programs that some tests need, with the names of their Debian packages. These packages
/// also install Debian's Erlang.
const TOOLS: [(&str, &str); 2] = [("elixirc", "elixir"), ("rebar3", "rebar3")];
/// A headless browser for the tests of `cargo otp observe`, and the names of browsers that can
/// replace it.
const BROWSER: &str = "chromium-headless-shell";
const BROWSERS: [&str; 3] = [BROWSER, "chromium", "google-chrome"];
/// The database of examples/orders, and where Debian puts its programs. The tests start clusters of
/// their own.
const DATABASE: &str = "postgresql";
const DATABASE_PROGRAMS: &str = "/usr/lib/postgresql";
/// The program that scrapes metrics in the tests.
const PROMETHEUS: &str = "prometheus";
/// PropEr. The tests compare generated types with its values.
const PROPER: &str = "erlang-proper";
/// Applications that Debian packs one by one and that every build of OTP has. A system with all of
/// these also has the rest.
const APPLICATIONS: &[&str] = &[
    "asn1",
    "common_test",
    "debugger",
    "dialyzer",
    "diameter",
    "edoc",
    "eldap",
    "et",
    "eunit",
    "ftp",
    "inets",
    "megaco",
    "mnesia",
    "os_mon",
    "parsetools",
    "public_key",
    "reltool",
    "runtime_tools",
    "snmp",
    "ssh",
    "ssl",
    "syntax_tools",
    "tftp",
    "tools",
    "xmerl",
];
/// The first release with its documentation in the modules themselves.
const WITHOUT_CHUNKS: u32 = 27;

/// Installs the packages that building and running applications needs.
pub(crate) fn to_run() -> Outcome {
    require(TO_RUN, || {
        step::on_path("erl").is_some() && step::on_path("erlc").is_some()
    })
}

/// Installs all of OTP and the other programs that the tests need.
pub(crate) fn to_test() -> Outcome {
    to_read()?;
    add_tools();
    Ok(())
}

/// Installs the header of C NIFs, if there is a C compiler. Returns `false` and prints the reason
/// if the header is still missing afterwards.
pub(crate) fn to_compile_c() -> bool {
    if step::on_path("cc").is_none() {
        step::say("there is no C compiler `cc`: nothing is measured beside C\n");
        return false;
    }
    let header = || libraries().is_some_and(|it| it.join("../usr/include/erl_nif.h").is_file());
    if let Err(problem) = require(TO_COMPILE_C, header) {
        step::say(&format!(
            "{problem}\n`erl_nif.h` is missing: nothing is measured beside C\n"
        ));
        return false;
    }
    true
}

/// Installs gdb, and the program that lists the functions of a library.
pub(crate) fn to_debug() -> Outcome {
    let present = || ["gdb", "nm"].iter().all(|it| step::on_path(it).is_some());
    require(&["gdb", "binutils"], present)
}

/// Installs all of OTP with its sources and documentation, if the machine has Debian's packages or
/// no OTP. An OTP of another origin is used unchanged if it has the parts that every test needs.
/// Returns the folder of its applications.
pub(crate) fn to_read() -> Outcome<PathBuf> {
    if may_add() && !missing().is_empty() {
        let installed = require(TO_TEST, || missing().is_empty());
        if let Err(problem) = installed
            && !has_essentials()
        {
            return Err(problem);
        }
    }
    to_run()?;
    require(TO_TEST, has_essentials)?;
    if let missing @ [_, ..] = missing().as_slice() {
        let missing = missing.join(", ");
        step::say(&format!(
            "This OTP does not have, so no test sees it: {missing}\n"
        ));
    }
    libraries().ok_or_else(|| "there is no `erl` on PATH".to_owned())
}

/// Installs Elixir, rebar3, a browser, PropEr, PostgreSQL and Prometheus, if possible. If one is
/// missing, the tests that need it report this and are skipped.
fn add_tools() {
    let is_there = |program: &str| step::on_path(program).is_some();
    for (program, package) in TOOLS {
        add(is_there(program), package, may_add());
    }
    let mut browsers = BROWSERS.into_iter();
    add(browsers.any(is_there), BROWSER, true);
    add(has("proper", "ebin"), PROPER, may_add());
    add(Path::new(DATABASE_PROGRAMS).is_dir(), DATABASE, true);
    add(is_there(PROMETHEUS), PROMETHEUS, true);
}

/// Installs a package, unless it is already installed.
fn add(is_there: bool, package: &str, is_allowed: bool) {
    if is_there {
        return;
    }
    step::heading(&format!("{package} is missing; installing it"));
    let installed = if is_allowed {
        install(&[package])
    } else {
        Err(format!(
            "Erlang is not of Debian's packages, which the package {package} needs"
        ))
    };
    if let Err(problem) = installed {
        step::say(&format!(
            "{problem}\nThe tests with {package} are left out.\n"
        ));
    }
}

/// Returns whether OTP's headers, sources and dialyzer are installed.
fn has_essentials() -> bool {
    has("stdlib", "src/gen_server.erl")
        && has("stdlib", "include/assert.hrl")
        && step::on_path("dialyzer").is_some()
}

/// Returns the parts of OTP that are not installed.
fn missing() -> Vec<&'static str> {
    let absent = |application: &&str| !has(application, "ebin");
    let mut missing: Vec<_> = APPLICATIONS.iter().copied().filter(absent).collect();
    if !has("stdlib", "src/gen_server.erl") {
        missing.push("sources");
    }
    if !has_documentation() {
        missing.push("documentation");
    }
    missing
}

fn has_documentation() -> bool {
    let release = libraries().and_then(|libraries| release(&libraries).ok());
    let release = release.and_then(|release| release.parse().ok());
    release.is_some_and(|release: u32| release >= WITHOUT_CHUNKS)
        || has("stdlib", "doc/chunks/lists.chunk")
}

/// Returns whether Debian's packages suit this machine: `erl` belongs to one, or there is no `erl`.
fn may_add() -> bool {
    let Some(erl) = step::on_path("erl") else {
        return true;
    };
    let erl = fs::canonicalize(&erl).unwrap_or(erl);
    let owner = Command::new("dpkg-query").arg("--search").arg(erl).output();
    owner.is_ok_and(|answer| answer.status.success())
}

fn require(packages: &[&str], present: impl Fn() -> bool) -> Outcome {
    if present() {
        return Ok(());
    }
    step::heading(&format!(
        "{} is missing; installing it",
        packages.join(", ")
    ));
    let manual = format!(
        "install Erlang/OTP 25 or newer and run this again; on Debian: apt-get install {}",
        packages.join(" ")
    );
    install(packages).map_err(|problem| format!("{problem}\n{manual}"))?;
    if present() {
        Ok(())
    } else {
        Err(format!(
            "{} was installed, but what is needed is not found\n{manual}",
            packages.join(", ")
        ))
    }
}

fn install(packages: &[&str]) -> Outcome {
    if step::on_path("apt-get").is_none() {
        return Err("this system has no apt-get".into());
    }
    let as_root: &[&str] = match privilege() {
        Privilege::Root => &[],
        Privilege::Sudo => &["sudo", "-n"],
        Privilege::None => {
            return Err("only root may install packages, and sudo asks for a password".into());
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

/// Returns whether `lib/APPLICATION-VERSION` of the installed OTP has this file or folder.
fn has(application: &str, file: &str) -> bool {
    let folders = libraries().and_then(|libraries| fs::read_dir(libraries).ok());
    let is_wanted = |folder: &PathBuf| {
        let name = folder.file_name().and_then(|name| name.to_str());
        let name = name.and_then(|name| name.split('-').next());
        name == Some(application) && folder.join(file).exists()
    };
    let mut paths = folders.into_iter().flatten().flatten();
    paths.any(|entry| is_wanted(&entry.path()))
}

/// Returns `ROOT/lib`, where `erl` is `ROOT/bin/erl`. Runs `erl` to find the folder if the layout
/// is different.
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

/// Returns the folder of Elixir's applications: `ROOT/lib` of `ROOT/bin/elixir`. `None` without
/// Elixir.
pub(crate) fn elixir() -> Option<PathBuf> {
    let program = fs::canonicalize(step::on_path("elixir")?).ok()?;
    let folder = program.parent()?.parent()?.join("lib");
    folder.join("elixir/ebin").is_dir().then_some(folder)
}

/// Returns the release that `erl` starts, e.g. `25`.
pub(crate) fn release(libraries: &Path) -> Outcome<String> {
    let path = libraries.join("../releases/start_erl.data");
    let text = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let release = text.split_whitespace().nth(1);
    release
        .map(str::to_owned)
        .ok_or_else(|| format!("{}: no release", path.display()))
}
