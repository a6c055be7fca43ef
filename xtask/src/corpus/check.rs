//! Compiles a crate, and finds the modules that do not compile.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

use super::memory;
use super::messages::{self, Error};
use crate::step::{Outcome, applications_target, cargo, root, target};

/// The result of compiling a crate.
pub(super) enum Checked {
    Compiles,
    /// The first error of each file.
    Fails(BTreeMap<String, Error>),
    /// The compiler failed without an error in a generated file.
    Dies(String),
}

/// The cost of compiling a crate.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Cost {
    pub(super) took: Duration,
    /// Memory in bytes.
    pub(super) memory: u64,
}

/// Returns the folder of a crate.
pub(super) fn folder(name: &str) -> PathBuf {
    target().join("corpus").join(name)
}

/// Compiles the dependencies of all crates, so that they do not count.
pub(super) fn dependencies() -> Outcome {
    let folder = folder("dependencies");
    prepare(&folder)?;
    let empty = folder.join("src/otp/mod.rs");
    fs::create_dir_all(folder.join("src/otp"))
        .and_then(|()| fs::write(&empty, ""))
        .map_err(|error| format!("{}: {error}", empty.display()))?;
    for json in [false, true] {
        if let (Checked::Dies(text), _) = check(&folder, json)? {
            return Err(text);
        }
    }
    Ok(())
}

/// Writes the files of a crate, except its modules.
pub(super) fn prepare(folder: &Path) -> Outcome {
    let manifest = format!(
        "[package]\nname = \"corpus\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n\
         [features]\njson = [\"otp-bridge/json\"]\n\n\
         [dependencies]\notp-bridge = {{ path = {:?} }}\n\n\
         [profile.dev.package.corpus]\ndebug = false\n\n[workspace]\n",
        root().join("bridge")
    );
    let write = || {
        fs::create_dir_all(folder.join("src"))?;
        fs::write(folder.join("Cargo.toml"), manifest)?;
        fs::write(folder.join("src/lib.rs"), "pub mod otp;\n")?;
        // Uses the versions that are already built.
        fs::copy(root().join("Cargo.lock"), folder.join("Cargo.lock"))
    };
    let written = write();
    written.map_err(|error| format!("{}: {error}", folder.display()))?;
    Ok(())
}

/// Compiles a crate without generating machine code.
pub(super) fn check(folder: &Path, json: bool) -> Outcome<(Checked, Cost)> {
    let problem = |error: std::io::Error| format!("{}: {error}", folder.display());
    let (messages, errors) = (folder.join("messages"), folder.join("errors"));
    // `RUSTFLAGS` would force cargo to build all dependencies again.
    let check = ["rustc", "--lib", "--profile=check", "--message-format=json"];
    let json = if json {
        "--features=json"
    } else {
        "--features="
    };
    let mut cargo = cargo(folder, &[&check[..], &[json, "--", "-Awarnings"]].concat());
    let start = Instant::now();
    let mut child = cargo
        .env("CARGO_TARGET_DIR", applications_target())
        .env("CARGO_INCREMENTAL", "0")
        .stdin(Stdio::null())
        .stdout(File::create(&messages).map_err(problem)?)
        .stderr(File::create(&errors).map_err(problem)?)
        .spawn()
        .map_err(|error| format!("cargo: {error}"))?;
    let (status, memory) = memory::wait(&mut child).map_err(problem)?;
    let took = start.elapsed();
    let cost = Cost { took, memory };
    if status.success() {
        return Ok((Checked::Compiles, cost));
    }
    let found = messages::by_file(&fs::read_to_string(&messages).map_err(problem)?);
    let checked = if found.is_empty() {
        let text = fs::read_to_string(&errors).map_err(problem)?;
        Checked::Dies(text)
    } else {
        Checked::Fails(found)
    };
    Ok((checked, cost))
}
