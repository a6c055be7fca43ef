//! `cargo xtask demo`: a new application, made and run; then the thread ring on real input.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::thread::sleep;
use std::time::Duration;

use crate::erlang;
use crate::step::{self, Outcome, cargo, heading, root, run, say};

/// How long the new application is left alone before it is asked to stop.
const SHOWN: Duration = Duration::from_secs(2);

pub(crate) fn task() -> Outcome {
    heading("Erlang");
    erlang::to_run()?;
    heading("Build cargo otp");
    run(&mut cargo(root(), &["build", "--package", "otp-cli"]))?;
    let scratch = Scratch::new()?;
    heading(&format!("A new application in {}", scratch.0.display()));
    new_application(&scratch.0)?;
    heading("The thread ring: 1,000 processes, 1,000,000 hops");
    run(&mut otp(
        &root().join("examples/thread_ring"),
        &["run", "--release", "--", "1000", "1000000"],
    ))?;
    heading("Done");
    say("Make your own: cargo install --path cli && cargo otp new NAME\n");
    Ok(())
}

/// new, add, a line in the supervisor, run, and a stop in order.
fn new_application(scratch: &Path) -> Outcome {
    run(&mut otp(scratch, &["new", "hello"]))?;
    let hello = scratch.join("hello");
    run(&mut otp(&hello, &["add", "counter", "gen_server"]))?;
    start_counter(&hello.join("src/stroot.rs"))?;
    run(&mut otp(&hello, &["build", "--release"]))?;

    let mut command = otp(&hello, &["run", "--release"]);
    say(&format!("$ {}\n", step::line(&command)));
    let mut child = command
        .spawn()
        .map_err(|error| format!("it does not start: {error}"))?;
    sleep(SHOWN);
    say("It would run for ever; SIGTERM asks it to stop.\n");
    stop(&mut child)
}

/// What a person does in an editor after `cargo otp add`.
fn start_counter(stroot: &Path) -> Outcome {
    let problem = |error| format!("{}: {error}", stroot.display());
    let text = fs::read_to_string(stroot).map_err(problem)?;
    let child = "vec![ChildSpec::of::<crate::counter::Counter>(\"counter\", ())]";
    let edited = text.replace("vec![]", child);
    if edited == text {
        return Err(format!("{}: no empty list of children", stroot.display()));
    }
    say(&format!("# src/stroot.rs: vec![] becomes {child}\n"));
    fs::write(stroot, edited).map_err(problem)
}

fn stop(child: &mut Child) -> Outcome {
    // Still ours to signal: it is reaped only below, even when it has ended.
    run(Command::new("kill").arg(child.id().to_string()))?;
    let status = child
        .wait()
        .map_err(|error| format!("it is out of reach: {error}"))?;
    if status.success() {
        say("It stopped in order: exit status 0.\n");
        Ok(())
    } else {
        Err(format!("the application did not stop in order: {status}"))
    }
}

/// `cargo otp ARGUMENTS` in a folder, with the program just built.
fn otp(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(step::target().join("debug/cargo-otp"));
    command
        .arg("otp")
        .args(arguments)
        .current_dir(folder)
        .env("CARGO_TARGET_DIR", step::applications_target());
    command
}

/// A folder that goes away at the end.
struct Scratch(PathBuf);

impl Scratch {
    fn new() -> Outcome<Self> {
        let folder = env::temp_dir().join(format!("otp-rs-demo-{}", std::process::id()));
        fs::create_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        Ok(Self(folder))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
