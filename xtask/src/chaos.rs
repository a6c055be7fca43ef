//! `cargo xtask chaos`: kills, splits, slows down and upgrades two nodes, and compares their data
//! with a model.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::erlang;
use crate::soak::minutes;
use crate::step::{self, Outcome, applications_target, cargo, heading, root, run};

pub(crate) const USAGE: &str = "\
Usage: cargo xtask chaos [--minutes N]

  --minutes N  Time during which new rounds start; default 5

Two nodes on this machine share a ledger (tests/apps/ledger), and six clients enter amounts at both nodes. A round consists of 40
faults: a VM is killed by SIGKILL or stopped for a while, the process of the ledger is killed, also in the middle of an upgrade, a
node is upgraded to a build with another type of state, connections are cut and restored, or writes to disk take up to 300 ms. After
each round, both nodes must have identical entries: each acknowledged entry once, no entry that no client made, no changed entry of
the last round, and the matching sum.

The command prints the first difference and exits with 1. It needs a C compiler, to slow down the disks.
";

const APPLICATION: &str = "tests/apps/ledger";
/// The Erlang script that runs the chaos.
const SCRIPT: &str = "tests/live/ledger.escript";
/// The source of the library that slows down disks.
const SLOW: &str = "tests/live/slow_sync.c";

pub(crate) fn task(arguments: &[&str]) -> Outcome {
    let minutes = minutes(arguments, USAGE)?;
    erlang::to_run()?;
    heading("Build");
    let scratch = env::temp_dir().join(format!("otp-rs-chaos-{}", std::process::id()));
    fs::create_dir_all(scratch.join("nodes")).map_err(at(&scratch))?;
    let outcome = build(&scratch).and_then(|library| {
        heading(&format!("{minutes} minutes of chaos"));
        run(Command::new("escript")
            .arg(root().join(SCRIPT))
            .args([&scratch, &scratch.join("nodes"), &library])
            .arg(minutes.to_string()))
    });
    match &outcome {
        Ok(()) => fs::remove_dir_all(&scratch).map_err(at(&scratch))?,
        Err(_) => step::say(&format!("What the nodes wrote: {}\n", scratch.display())),
    }
    outcome
}

/// Builds both versions of the application, and the library that slows down disks.
fn build(folder: &Path) -> Outcome<PathBuf> {
    run(&mut cargo(root(), &["build", "--package", "otp-cli"]))?;
    let target = applications_target();
    for build in ["1", "2"] {
        run(Command::new(step::target().join("debug/cargo-otp"))
            .args(["otp", "build"])
            .current_dir(root().join(APPLICATION))
            .env("LEDGER_BUILD", build)
            .env("CARGO_TARGET_DIR", &target))?;
        // The next build overwrites this one.
        run(Command::new("cp")
            .arg("-rL")
            .arg(target.join("otp/debug/ledger"))
            .arg(folder.join(build)))?;
    }
    let library = folder.join("slow_sync.so");
    run(Command::new("cc")
        .args(["-shared", "-fPIC", "-o"])
        .arg(&library)
        .arg(root().join(SLOW)))?;
    Ok(library)
}

fn at(path: &Path) -> impl FnOnce(std::io::Error) -> String {
    move |error| format!("{}: {error}", path.display())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wrong_with_arguments_is_said_before_anything_is_built() {
        for wrong in [
            &["--hours", "1"][..],
            &["--minutes"],
            &["--minutes", "none"],
        ] {
            let problem = task(wrong).unwrap_err();
            assert!(problem.contains("Usage: cargo xtask chaos"), "{problem}");
        }
    }
}
