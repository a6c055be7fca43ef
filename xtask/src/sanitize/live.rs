//! Runs applications in a VM with the compiler's memory checks.
//!
//! The compiler contains the run time of the checks as an archive for executables. This module
//! links the archive into a library, and loads the library into `erl` first. The VM's own
//! allocators are off, because they would hide allocations from the checks. The checks do not watch
//! variables on stacks, because callbacks run on separate stacks that the checks do not know.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use super::{HOST, target, with_checks};
use crate::erlang;
use crate::step::{self, Outcome, cargo, heading, root, run, say};

/// Leaves out variables on stacks.
const FLAGS: &str = "-Zsanitizer=address -Cllvm-args=-asan-stack=0";

/// An application of `tests/apps`, and scripts of `tests/live` that run it. `octets` cannot run,
/// because the VM does not report its memory without its allocators.
const APPLICATIONS: [(&str, &[&str]); 4] = [
    ("terms", &["terms.escript"]),
    ("ground", &["ground_joins.escript", "ground_state.escript"]),
    (
        "mailbox",
        &["mailbox_receive.escript", "mailbox_signals.escript"],
    ),
    ("tasks", &["tasks_forged.escript", "tasks_held.escript"]),
];

/// A script that makes a mistake, and the expected report.
const MISTAKE: (&str, &str, &str) = ("terms", "terms_mistake.escript", "heap-use-after-free");

/// The first word of the checks' reports.
const FOUND: &str = "AddressSanitizer";

/// The part of the run time that only works in executables.
const OF_EXECUTABLES: &str = "asan_preinit.cpp.o";

pub(super) fn task() -> Outcome {
    erlang::to_run()?;
    heading("Build");
    run(&mut cargo(root(), &["build", "--package", "otp-cli"]))?;
    let vm = checked_vm().map_err(|error| format!("the run time of the checks: {error}"))?;
    heading("A mistake is found");
    let (application, script, found) = MISTAKE;
    let output = ran(&vm, &built(&vm, application)?, script)?;
    let said = text(&output);
    if !said.contains("no mistake") || !said.contains(found) || output.status.success() {
        return Err(format!("it was not found: {}\n{said}", output.status));
    }
    say(&format!("{script}: {found}\n"));
    heading("Applications");
    for (application, scripts) in APPLICATIONS {
        let ebin = built(&vm, application)?;
        for script in scripts {
            let output = ran(&vm, &ebin, script)?;
            let said = text(&output);
            if !output.status.success() || said.contains(FOUND) {
                return Err(format!(
                    "{application}: {script}: {}\n{said}",
                    output.status
                ));
            }
            say(&format!("{application}: {script}: nothing was found\n"));
        }
    }
    Ok(())
}

/// Builds an application with checks, for a VM to load its library. Returns the folder of its
/// Erlang modules.
fn built(vm: &Path, application: &str) -> Outcome<PathBuf> {
    let mut cargo_otp = Command::new(step::target().join("debug/cargo-otp"));
    cargo_otp
        .args(["otp", "build"])
        .current_dir(root().join("tests/apps").join(application))
        .env("PATH", path_of(vm)?)
        // Build scripts and macros have no checks.
        .env("CARGO_BUILD_TARGET", HOST);
    with_checks(&mut cargo_otp, FLAGS);
    run(&mut cargo_otp)?;
    Ok(target().join(format!("otp/debug/{application}/ebin")))
}

/// Returns `PATH` with a folder before all others.
fn path_of(vm: &Path) -> Outcome<OsString> {
    let path = env::var_os("PATH").unwrap_or_default();
    let folders = [vm.to_owned()].into_iter().chain(env::split_paths(&path));
    env::join_paths(folders).map_err(|error| format!("PATH: {error}"))
}

/// Runs a script of `tests/live` with the programs of a folder.
fn ran(vm: &Path, ebin: &Path, script: &str) -> Outcome<Output> {
    Command::new("escript")
        .arg(root().join("tests/live").join(script))
        .arg(ebin)
        .env("PATH", path_of(vm)?)
        .output()
        .map_err(|error| format!("cannot run `escript`: {error}"))
}

fn text(output: &Output) -> String {
    let both = [&output.stdout[..], &output.stderr].concat();
    String::from_utf8_lossy(&both).into_owned()
}

/// Makes a folder with a checked `erl`. `escript` runs this `erl` if the folder is the first one in
/// `PATH`.
fn checked_vm() -> io::Result<PathBuf> {
    let folder = target().join("vm");
    fs::create_dir_all(&folder)?;
    let library = folder.join("libchecks.so");
    library_of(&archive()?, &folder, &library)?;
    let erl = step::on_path("erl").ok_or_else(|| io::Error::other("there is no `erl`"))?;
    let script = format!(
        "#!/bin/sh\nexport LD_PRELOAD={}\nexport ERL_FLAGS='+Mea min'\n\
         export ASAN_OPTIONS=detect_leaks=0:detect_stack_use_after_return=0:handle_segv=0:use_sigaltstack=0\n\
         exec {} \"$@\"\n",
        library.display(),
        erl.display(),
    );
    let program = folder.join("erl");
    fs::write(&program, script)?;
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755))?;
    Ok(folder)
}

/// Returns the compiler's archive.
fn archive() -> io::Result<PathBuf> {
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let said = Command::new(rustc)
        .args(["--print", "target-libdir"])
        .output()?;
    let folder = String::from_utf8_lossy(&said.stdout).trim().to_owned();
    let mut files = fs::read_dir(folder)?.flatten().map(|entry| entry.path());
    let is_it = |path: &PathBuf| {
        let name = path
            .file_name()
            .map(|name| name.to_string_lossy().into_owned());
        name.is_some_and(|name| name.starts_with("librustc") && name.ends_with("_rt.asan.a"))
    };
    files
        .find(is_it)
        .ok_or_else(|| io::Error::other("the compiler brings none"))
}

/// Links the archive as a library. The library's name does not tell the checks how they were
/// linked.
fn library_of(archive: &Path, folder: &Path, library: &Path) -> io::Result<()> {
    let copy = folder.join("checks.a");
    fs::copy(archive, &copy)?;
    fs::set_permissions(&copy, fs::Permissions::from_mode(0o644))?;
    succeeds(Command::new("ar").arg("d").arg(&copy).arg(OF_EXECUTABLES))?;
    let whole = ["-Wl,--whole-archive", "-Wl,--no-whole-archive"];
    succeeds(
        Command::new("cc")
            .args(["-shared", "-o"])
            .arg(library)
            .arg(whole[0])
            .arg(&copy)
            .arg(whole[1])
            .args(["-lpthread", "-ldl", "-lm", "-lrt"]),
    )
}

fn succeeds(command: &mut Command) -> io::Result<()> {
    let output = command.output()?;
    if output.status.success() {
        Ok(())
    } else {
        Err(io::Error::other(format!("{command:?}: {}", text(&output))))
    }
}
