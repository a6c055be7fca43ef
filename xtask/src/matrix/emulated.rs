//! Debian for another processor, in a folder. An emulator runs its programs.

use std::fs;
use std::path::Path;
use std::process::Command;

use super::{at, entries};
use crate::step::{self, Outcome, heading};

/// Debian 13, which has OTP 27.
const SUITE: &str = "trixie";

/// The Erlang packages that the tests need.
const PACKAGES: &str = "erlang-base,erlang-dev";

/// Returns the folder of Debian for aarch64, and makes it if there is none. The packages are
/// unpacked but not configured, because configuring would run their programs.
pub(super) fn aarch64() -> Outcome<String> {
    let folder = step::target().join("matrix/debian-arm64");
    let shown = folder.display().to_string();
    // The last file of the unpacking is unknown, so an unfinished folder has another name.
    if folder.is_dir() {
        return Ok(shown);
    }
    heading(&format!("Debian {SUITE} for aarch64 in {shown}"));
    if step::on_path("debootstrap").is_none() {
        return Err(
            "there is no `debootstrap`; on Debian: apt-get install debootstrap, and root makes such a folder".into(),
        );
    }
    let unfinished = folder.with_extension("unfinished");
    if unfinished.exists() {
        fs::remove_dir_all(&unfinished).map_err(at(&unfinished))?;
    }
    fs::create_dir_all(&unfinished).map_err(at(&unfinished))?;
    step::run(
        Command::new("debootstrap")
            .args(["--foreign", "--arch=arm64", "--variant=minbase"])
            .arg(format!("--include={PACKAGES}"))
            .arg(SUITE)
            .arg(&unfinished),
    )?;
    unpack(&unfinished)?;
    fs::rename(&unfinished, &folder).map_err(at(&folder))?;
    Ok(shown)
}

/// Unpacks all downloaded packages.
fn unpack(system: &Path) -> Outcome {
    for package in entries(&system.join("var/cache/apt/archives"))? {
        if package.extension().is_some_and(|it| it == "deb") {
            let mut extract = Command::new("dpkg-deb");
            step::run(extract.arg("--extract").arg(&package).arg(system))?;
        }
    }
    Ok(())
}
