//! Debian's Erlang packages: downloaded and unpacked, never installed or started.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::collection::Collection;
use crate::step::{Outcome, on_path, run, say, target};

/// Prefixes of the names of packages with Erlang libraries.
const LIBRARIES: &str = "erlang-";
/// Programs in Erlang.
const PROGRAMS: [&str; 4] = ["ejabberd", "rabbitmq-server", "tsung", "wings3d"];
/// The source of the packages with OTP itself.
const OTP: &str = "erlang";
/// Suffixes of the names of packages without modules.
const WITHOUT_MODULES: [&str; 3] = ["-dev", "-doc", "-examples"];

/// Downloads the missing packages. Without Debian or a network, prints a message, and returns
/// `None` or the packages from earlier downloads.
pub(super) fn collection() -> Outcome<Option<Collection>> {
    let folder = target().join("corpus/debian");
    let packages = if on_path("apt-get").is_some() && on_path("dpkg").is_some() {
        packages()?
    } else {
        BTreeSet::new()
    };
    for package in packages {
        let unpacked = folder.join(&package);
        if !unpacked.exists()
            && let Err(problem) = unpack(&package, &unpacked)
        {
            say(&format!("{package} is left out: {problem}\n"));
        }
    }
    if !folder.exists() {
        say("left out: there are no packages of Debian\n");
        return Ok(None);
    }
    Collection::of_files("Debian's packages", &folder).map(Some)
}

/// Returns the names of the packages.
fn packages() -> Outcome<BTreeSet<String>> {
    let names = said(Command::new("apt-cache").args(["pkgnames", LIBRARIES]))?;
    let has_modules = |name: &&str| !WITHOUT_MODULES.iter().any(|end| name.ends_with(end));
    let names = names.lines().filter(has_modules).chain(PROGRAMS);
    let mut show = Command::new("apt-cache");
    show.args(["show", "--no-all-versions"]).args(names);
    let described = said(&mut show)?;
    let of_others = described.split("\n\n").filter_map(|package| {
        let field = |name: &str| package.lines().find_map(|line| line.strip_prefix(name));
        let source = field("Source: ").unwrap_or_default();
        let is_otps = source.split(' ').next() == Some(OTP);
        let name = field("Package: ").filter(|_| !is_otps)?;
        Some(name.trim().to_owned())
    });
    Ok(of_others.collect())
}

/// Downloads a package and unpacks it into a folder. After a failure, the folder does not exist.
fn unpack(package: &str, folder: &Path) -> Outcome {
    let parent = folder.parent().unwrap_or(folder);
    let downloaded = parent.with_file_name("debian_downloads");
    let begun = downloaded.join(package);
    let problem = |error: std::io::Error| format!("{}: {error}", begun.display());
    if begun.exists() {
        fs::remove_dir_all(&begun).map_err(problem)?;
    }
    fs::create_dir_all(&begun).map_err(problem)?;
    fs::create_dir_all(parent).map_err(problem)?;
    let mut download = Command::new("apt-get");
    run(download
        .args(["download", "--quiet", package])
        .current_dir(&begun))?;
    let archive = archive(&begun).ok_or("nothing was downloaded")?;
    let unpacked = begun.join("unpacked");
    run(Command::new("dpkg").arg("-x").args([&archive, &unpacked]))?;
    fs::rename(&unpacked, folder).map_err(problem)?;
    fs::remove_dir_all(&begun).map_err(problem)
}

fn archive(folder: &Path) -> Option<PathBuf> {
    let mut entries = fs::read_dir(folder).ok()?.flatten().map(|it| it.path());
    entries.find(|path| path.extension().is_some_and(|it| it == "deb"))
}

fn said(command: &mut Command) -> Outcome<String> {
    let output = command
        .output()
        .map_err(|error| format!("{}: {error}", command.get_program().display()))?;
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}
