//! The native library of a package, and the manifest that says where it runs.

use std::path::Path;

use otp_contract::package::{NIF, nif_version};

use super::contents::{checksum, read};
use super::elf::{GlibcVersion, needed_glibc};
use super::terms::binary;
use crate::build::{Built, cargo};
use crate::installation::{NEWEST, OLDEST};
use crate::project::Application;
use crate::report::{Result, catalog};

/// The releases of OTP that introduced the versions 2.N of the NIF interface, from 2.15.
const RELEASES: [(u8, u32); 4] = [(15, 22), (16, 24), (17, 26), (18, 29)];

/// The library for one target.
pub(super) struct NativeLibrary {
    /// The target's name in Rust, such as `x86_64-unknown-linux-gnu`.
    pub(super) target: String,
    /// Its file in `priv`.
    pub(super) file: String,
    pub(super) content: Vec<u8>,
    /// The version of the NIF interface: major and minor.
    interface: (u8, u8),
    /// The oldest glibc that has all functions that it needs.
    pub(super) glibc: Option<GlibcVersion>,
}

impl NativeLibrary {
    /// Reads the library for a target from a file. In the package, it has the name that the modules
    /// of the build load.
    pub(super) fn read(built: &Built, target: String, path: &Path) -> Result<Self> {
        let file = built.library.file_name().unwrap_or_default();
        let content = read(path)?;
        let interface =
            interface(&content).ok_or_else(|| catalog::NO_NIF_ENTRY.error().at(path.display()))?;
        Ok(NativeLibrary {
            target,
            file: file.to_string_lossy().into_owned(),
            glibc: needed_glibc(&content),
            content,
            interface,
        })
    }

    /// Returns the systems on which it runs.
    pub(super) fn needed(&self) -> String {
        match self.glibc {
            Some((major, minor)) => format!("{} with glibc {major}.{minor}", self.target),
            None => self.target.clone(),
        }
    }

    /// Returns the oldest release of OTP that loads it.
    fn oldest(&self) -> u32 {
        let (_, minor) = self.interface;
        let known = RELEASES.iter().find(|(known, _)| *known >= minor);
        known.map_or(NEWEST, |(_, release)| (*release).max(OLDEST))
    }

    /// Returns its path in the package.
    pub(super) fn path(&self) -> String {
        format!("priv/{}", self.file)
    }
}

/// Returns the version of the NIF interface in the mark of a library.
fn interface(library: &[u8]) -> Option<(u8, u8)> {
    let mut found = memchr::memmem::find_iter(library, NIF);
    found.find_map(|at| nif_version(&library[at..]))
}

/// Everything from which the libraries were built.
pub(super) struct Inputs {
    /// The compiler's default target.
    pub(super) host: String,
    /// The version of the compiler, as it prints it.
    rustc: String,
    profile: String,
    /// The checksum of the crate's files.
    sources: String,
}

impl Inputs {
    pub(super) fn of(
        application: &Application,
        profile: &cargo::Profile,
        sources: String,
    ) -> Result<Self> {
        let (rustc, host) = cargo::compiler(&application.folder)?;
        Ok(Inputs {
            host,
            rustc,
            profile: profile.name().to_owned(),
            sources,
        })
    }
}

/// Returns the text of the manifest, `priv/native.config`: terms for `file:consult/1`.
pub(super) fn manifest(built: &Built, libraries: &[&NativeLibrary], inputs: &Inputs) -> String {
    let libraries: Vec<String> = libraries.iter().map(|it| entry(it)).collect();
    format!(
        "%% The native libraries of {name} {version}, written by `cargo otp package`.\n\
         {{libraries, [\n{libraries}\n]}}.\n\
         {{inputs, #{{\n    rustc => {rustc},\n    profile => {profile},\n    sources => {sources}\n}}}}.\n",
        name = built.name,
        version = built.version,
        libraries = libraries.join(",\n"),
        rustc = binary(&inputs.rustc),
        profile = binary(&inputs.profile),
        sources = binary(&inputs.sources),
    )
}

fn entry(library: &NativeLibrary) -> String {
    let glibc = library
        .glibc
        .map(|(major, minor)| format!("{major}.{minor}"));
    format!(
        "    #{{\n        target => {target},\n        file => {file},\n        \
         nif_version => {nif},\n        otp => {otp},\n        glibc => {glibc},\n        size => {size},\n        \
         sha256 => {sha256}\n    }}",
        target = binary(&library.target),
        file = binary(&library.path()),
        nif = binary(&format!("{}.{}", library.interface.0, library.interface.1)),
        otp = library.oldest(),
        glibc = glibc.as_deref().map_or("none".to_owned(), binary),
        size = library.content.len(),
        sha256 = binary(&checksum(&library.content)),
    )
}

#[cfg(test)]
mod tests {
    use otp_contract::package::nif_mark;

    use super::*;

    #[test]
    fn the_mark_tells_the_oldest_release() {
        for (minor, oldest) in [
            (14, 25),
            (15, 25),
            (16, 25),
            (17, 26),
            (18, 29),
            (30, NEWEST),
        ] {
            let mark = nif_mark(2, minor);
            let content = [b"\x7fELF otp-rs NIF ?".as_slice(), &mark, b"."].concat();
            let library = NativeLibrary {
                target: String::new(),
                file: String::new(),
                interface: interface(&content).unwrap(),
                glibc: None,
                content,
            };
            assert_eq!(library.oldest(), oldest, "2.{minor}");
        }
        assert_eq!(interface(b"\x7fELF"), None);
    }
}
