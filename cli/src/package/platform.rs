//! Targets of a package: `--target x86_64-unknown-linux-gnu.2.17`.

use std::env;

use super::elf::{GlibcVersion, parse_glibc};
use crate::build::cargo::CrossBuild;
use crate::installation::on_path;
use crate::report::{Result, catalog};

/// The program that links for another system or an older C library.
const ZIGBUILD: &str = "cargo-zigbuild";

/// The target of a native library.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct TargetPlatform {
    /// Its name in Rust, such as `x86_64-unknown-linux-gnu`.
    pub(super) triple: String,
    /// The oldest glibc on which the library has to run.
    pub(super) glibc: Option<GlibcVersion>,
    /// The target as the user has written it.
    name: String,
}

impl TargetPlatform {
    /// Reads a target's name in Rust, with or without a version of glibc at the end.
    pub(crate) fn parse(name: &str) -> Result<Self> {
        let refused = || catalog::NOT_A_TARGET.with(&[&name]);
        let (triple, glibc) = match name.split_once('.') {
            Some((triple, version)) if triple.ends_with("-gnu") => {
                (triple, Some(parse_glibc(version).ok_or_else(refused)?))
            }
            Some(_) => return Err(refused()),
            None => (name, None),
        };
        let is_sound = |c: char| c.is_ascii_alphanumeric() || "-_".contains(c);
        if triple.starts_with('-') || !triple.contains('-') || !triple.chars().all(is_sound) {
            return Err(refused());
        }
        Ok(TargetPlatform {
            triple: triple.to_owned(),
            glibc,
            name: name.to_owned(),
        })
    }

    /// Decides how cargo builds for it on this machine.
    pub(crate) fn cross_build(&self, host: &str) -> Result<CrossBuild> {
        let has_zig = on_path(ZIGBUILD).is_some();
        let variable = self.triple.replace('-', "_").to_uppercase();
        let has_linker = env::var_os(format!("CARGO_TARGET_{variable}_LINKER")).is_some();
        let is_usual = self.glibc.is_none() && (has_linker || self.triple == host);
        match (is_usual, has_zig) {
            (true, _) => Ok(CrossBuild::usual(&self.triple)),
            (false, true) => Ok(CrossBuild::by_zig(&self.triple, &self.name)),
            (false, false) => Err(catalog::NO_CROSS_LINKER.with(&[&self.name])),
        }
    }

    /// Refuses a library that needs a newer glibc than this target has.
    pub(super) fn check(&self, needed: Option<GlibcVersion>) -> Result<()> {
        match (self.glibc, needed) {
            (Some(promised), Some(needed)) if needed > promised => {
                let needed = format!("{}.{}", needed.0, needed.1);
                Err(catalog::TOO_NEW_GLIBC.with(&[&needed, &self.name]))
            }
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_target_may_name_a_version_of_glibc() {
        let parse = |name: &str| TargetPlatform::parse(name).map_err(|error| error.code());
        let plain = parse("aarch64-unknown-linux-musl").unwrap();
        assert_eq!(plain.triple, "aarch64-unknown-linux-musl");
        assert_eq!(plain.glibc, None);
        let old = parse("x86_64-unknown-linux-gnu.2.17").unwrap();
        assert_eq!(old.triple, "x86_64-unknown-linux-gnu");
        assert_eq!(old.glibc, Some((2, 17)));
        for name in [
            "",
            "linux",
            "--release",
            "x86_64-unknown-linux-musl.2.17",
            "x86_64-unknown-linux-gnu.new",
            "x86_64-unknown-linux-gnu.",
            "x86_64/linux-gnu",
        ] {
            assert_eq!(parse(name).unwrap_err(), "E1037", "{name}");
        }
    }

    #[test]
    fn a_library_must_not_need_a_newer_glibc() {
        let target = TargetPlatform::parse("x86_64-unknown-linux-gnu.2.17").unwrap();
        target.check(Some((2, 17))).unwrap();
        target.check(None).unwrap();
        let error = target.check(Some((2, 34))).unwrap_err();
        assert_eq!(error.code(), "E1039");
        assert!(error.what().contains("2.34"), "{}", error.what());
    }
}
