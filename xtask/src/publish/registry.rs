//! A registry in a folder. cargo calls it a directory source.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::{Outcome, Package, make, output, write};
use crate::step::{cargo, root, run};

/// Unpacks the packages and all their dependencies into the folder. Returns the configuration that
/// makes cargo use this folder instead of crates.io.
pub(super) fn write_all(folder: &Path, packages: &[Package], files: &[PathBuf]) -> Outcome<String> {
    let path = folder.display().to_string();
    // The lock file contains the tested versions.
    let vendor = ["vendor", "--locked", "--versioned-dirs", "--quiet", &path];
    run(&mut cargo(root(), &vendor))?;
    for (package, file) in packages.iter().zip(files) {
        unpack(folder, package, file)?;
    }
    Ok(format!(
        "[source.crates-io]\nreplace-with = \"packages\"\n\n[source.packages]\ndirectory = {path:?}\n"
    ))
}

fn unpack(folder: &Path, package: &Package, file: &Path) -> Outcome {
    make(folder)?;
    run(Command::new("tar").arg("xzf").arg(file).current_dir(folder))?;
    let checksum = output(Command::new("sha256sum").arg(file))?;
    let checksum = String::from_utf8_lossy(&checksum);
    let checksum = checksum.split_whitespace().next().unwrap_or_default();
    let unpacked = folder.join(format!("{}-{}", package.name, package.version));
    write(
        &unpacked.join(".cargo-checksum.json"),
        &format!("{{\"files\":{{}},\"package\":\"{checksum}\"}}"),
    )
}
