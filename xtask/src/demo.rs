//! `cargo xtask demo`: makes and runs a new application, then runs the thread ring on real input.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::erlang;
use crate::step::{self, Outcome, cargo, heading, root, run, say};

/// An example application with real input.
const RING: &str = "examples/thread_ring";

/// Uses development builds: optimised builds take four times as long, and the demo measures
/// nothing.
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
        &root().join(RING),
        &["run", "--", "1000", "1000000"],
    ))?;
    heading("Done");
    say("Make your own: cargo install --path cli && cargo otp new NAME\n");
    Ok(())
}

/// The edits of the new application. A person would make them in an editor.
const EDITS: [(&str, &str); 3] = [
    ("src/counter.rs", include_str!("../demo/counter.rs")),
    ("src/visitor.rs", include_str!("../demo/visitor.rs")),
    ("src/stroot.rs", include_str!("../demo/stroot.rs")),
];

fn new_application(scratch: &Path) -> Outcome {
    run(&mut otp(scratch, &["new", "hello"]))?;
    let hello = scratch.join("hello");
    run(&mut otp(&hello, &["add", "counter", "gen_server"]))?;
    run(&mut otp(&hello, &["add", "visitor", "gen_server"]))?;
    edit(&hello)?;
    say(&format!(
        "# the three modules are written (xtask/demo/). This is the counter:\n\n{}\n",
        EDITS[0].1
    ));
    // Uses the examples' versions of other crates, so that cargo builds these crates once for both.
    let lock = hello.join("Cargo.lock");
    let copied = fs::copy(root().join("examples/Cargo.lock"), &lock);
    copied.map_err(|error| format!("{}: {error}", lock.display()))?;
    run(&mut otp(&hello, &["run", "--", "1", "20", "300"]))
}

/// Writes the modules `counter`, `visitor` and `stroot` of a new application.
pub(crate) fn edit(application: &Path) -> Outcome {
    for (file, text) in EDITS {
        let path = application.join(file);
        fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    Ok(())
}

/// Returns the command `cargo otp ARGUMENTS` in a folder, with the newly built program.
fn otp(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(step::target().join("debug/cargo-otp"));
    command
        .arg("otp")
        .args(arguments)
        .current_dir(folder)
        .env("CARGO_TARGET_DIR", step::applications_target());
    command
}

/// A temporary folder. It is removed when this value is dropped.
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
