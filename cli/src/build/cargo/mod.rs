//! Calls cargo. `metadata.rs` reads packages from its output.

mod metadata;
mod published;

use std::env;
use std::ffi::OsString;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::report::{Error, catalog};
pub(super) use metadata::unknown_profile;
pub(crate) use metadata::{Package, local_folders, package};
pub(crate) use published::{Publication, compiler, publication, published_files};

/// A profile that an application is built with, by cargo's name for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Profile(String);

impl Profile {
    /// Returns the profile with `--release` or without it.
    pub(crate) fn of(release: bool) -> Self {
        Self::named(if release { "release" } else { "dev" })
    }

    /// Returns the profile of `--profile`. cargo checks whether it exists.
    pub(crate) fn named(name: &str) -> Self {
        Profile(name.to_owned())
    }

    pub(crate) fn name(&self) -> &str {
        &self.0
    }

    /// Returns the folder's name under the target folder.
    pub(crate) fn folder(&self) -> &str {
        match self.0.as_str() {
            "dev" | "test" => "debug",
            "bench" => "release",
            name => name,
        }
    }

    /// Returns the profile that cargo builds tests with. It is never a custom one.
    pub(super) fn of_tests(&self) -> &'static str {
        match self.folder() {
            "release" => "bench",
            _ => "test",
        }
    }
}

/// A crate of the package whose tests run on a VM.
#[derive(Debug)]
pub(crate) struct Tested<'a> {
    /// tests/NAME.rs. `None`: the library.
    pub(crate) test: Option<&'a str>,
    /// Features of the package.
    pub(crate) features: &'a [String],
}

/// How cargo builds a library for a certain target.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct CrossBuild {
    /// cargo's subcommand.
    pub(super) verb: &'static str,
    /// The argument of `--target`.
    pub(super) target: String,
    /// The target's name in Rust.
    pub(crate) triple: String,
}

impl CrossBuild {
    /// With the linker of cargo's configuration.
    pub(crate) fn usual(triple: &str) -> Self {
        CrossBuild {
            verb: "build",
            target: triple.to_owned(),
            triple: triple.to_owned(),
        }
    }

    /// With Zig, by `cargo-zigbuild`, which understands a version of glibc after the triple.
    pub(crate) fn by_zig(triple: &str, target: &str) -> Self {
        CrossBuild {
            verb: "zigbuild",
            target: target.to_owned(),
            triple: triple.to_owned(),
        }
    }
}

/// Returns whether a cargo target is a shared library.
pub(super) fn is_cdylib(target: &Value) -> bool {
    target["kind"]
        .as_array()
        .is_some_and(|kinds| kinds.iter().any(|kind| kind == "cdylib"))
}

pub(super) fn same_file(shown: &Value, path: &Path) -> bool {
    let shown = Path::new(shown.as_str().unwrap_or_default());
    shown == path || matches!((shown.canonicalize(), path.canonicalize()), (Ok(a), Ok(b)) if a == b)
}

/// Returns a command for the cargo that called this program, or otherwise the one on `PATH`.
pub(crate) fn command(folder: &Path) -> Command {
    let mut command = Command::new(program());
    command.current_dir(folder).stdin(Stdio::null());
    command
}

fn program() -> OsString {
    env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo"))
}

pub(crate) fn cannot_run(error: &std::io::Error) -> Error {
    let program = program();
    let program = Path::new(&program);
    catalog::NO_CARGO.with(&[error]).at(program.display())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_folder_of_a_profile_is_cargos() {
        for (profile, folder, of_tests) in [
            (Profile::of(false), "debug", "test"),
            (Profile::of(true), "release", "bench"),
            (Profile::named("bench"), "release", "bench"),
            (Profile::named("small"), "small", "test"),
        ] {
            assert_eq!((profile.folder(), profile.of_tests()), (folder, of_tests));
        }
    }
}
