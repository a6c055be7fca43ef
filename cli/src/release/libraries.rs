//! Shared libraries with which the VM and the applications are linked. `ldd`, which is part of the
//! C library, lists them.
//!
//! Those of the C library must be the target machine's own, because they depend on its kernel and
//! its dynamic linker. All others are copied into `erts-VERSION/lib`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::assemble::entries;
use crate::report::{Error, Result, catalog};

/// The parts of glibc and of musl: their names up to `.so` or `-`.
const C_LIBRARY: [&str; 14] = [
    "ld",
    "ld64",
    "libanl",
    "libc",
    "libdl",
    "libm",
    "libmvec",
    "libnsl",
    "libnss_dns",
    "libnss_files",
    "libpthread",
    "libresolv",
    "librt",
    "libutil",
];

/// The text of musl's ldd in front of the name of a library that it has not found.
const NOT_LOADED: &str = "Error loading shared library ";

/// The libraries of a release.
#[derive(Debug, Default)]
pub(crate) struct Libraries {
    /// Libraries that are part of the release.
    pub(crate) included: BTreeSet<String>,
    /// Libraries that the target machine must have.
    pub(crate) needed: BTreeSet<String>,
}

/// Copies the libraries into the release.
pub(super) fn include(folder: &Path, erts: &str) -> Result<Libraries> {
    let mut found: BTreeMap<String, PathBuf> = BTreeMap::new();
    let mut libraries = Libraries::default();
    for file in linked_files(folder)? {
        for Linked { name, path } in linked(&file)? {
            match path {
                _ if is_of_c_library(&name) => {
                    libraries.needed.insert(name);
                }
                Some(path) => {
                    found.insert(name, path);
                }
                None => {
                    let of = file.strip_prefix(folder).unwrap_or(&file);
                    return Err(catalog::NO_SHARED_LIBRARY.with(&[&name]).at(of.display()));
                }
            }
        }
    }
    let target = folder.join(format!("erts-{erts}/lib"));
    if !found.is_empty() {
        fs::create_dir_all(&target).map_err(|error| Error::io("create", &target, &error))?;
    }
    for (name, path) in found {
        fs::copy(&path, target.join(&name)).map_err(|error| Error::io("read", &path, &error))?;
        libraries.included.insert(name);
    }
    Ok(libraries)
}

/// Returns every ELF file of the release.
fn linked_files(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for path in entries(folder)? {
        if path.is_dir() {
            files.extend(linked_files(&path)?);
        } else if is_elf(&path) {
            files.push(path);
        }
    }
    Ok(files)
}

fn is_elf(path: &Path) -> bool {
    use std::io::Read;
    let mut magic = [0; 4];
    let read = fs::File::open(path).and_then(|mut file| file.read_exact(&mut magic));
    read.is_ok() && magic == *b"\x7fELF"
}

/// A library with which a file is linked.
#[derive(Debug, PartialEq, Eq)]
struct Linked {
    name: String,
    /// `None`: it is missing on this machine.
    path: Option<PathBuf>,
}

fn linked(file: &Path) -> Result<Vec<Linked>> {
    let answer = Command::new("ldd").arg(file).output();
    let answer = answer.map_err(|error| catalog::NO_LDD.with(&[&error]))?;
    let said = [answer.stdout, answer.stderr].concat();
    Ok(parse(&String::from_utf8_lossy(&said)))
}

/// Reads the lines of ldd: `NAME => PATH (ADDRESS)`, `NAME => not found`, `PATH (ADDRESS)`, and the
/// kernel's own. musl's ldd has another message for missing libraries, and also lists functions
/// that only the VM provides.
fn parse(text: &str) -> Vec<Linked> {
    let line = |line: &str| {
        let line = line.trim();
        if let Some(missing) = line.strip_prefix(NOT_LOADED) {
            let name = missing.split(':').next()?.to_owned();
            return Some(Linked { name, path: None });
        }
        let (name, path) = match line.split_once(" => ") {
            Some((name, "not found")) => (name, None),
            Some((name, path)) => (name, Some(path)),
            None => (line, Some(line)),
        };
        let name = without_address(name).rsplit('/').next()?.to_owned();
        let path = path.map(without_address).map(PathBuf::from);
        let is_file = path.as_ref().is_none_or(|path| path.is_absolute());
        (name.contains(".so") && is_file).then_some(Linked { name, path })
    };
    text.lines().filter_map(line).collect()
}

/// Returns `/lib/libz.so.1 (0x00007f)` without the address. The path may contain spaces itself.
fn without_address(text: &str) -> &str {
    text.rsplit_once(" (0x").map_or(text, |(path, _)| path)
}

fn is_of_c_library(name: &str) -> bool {
    let stem = name.split(".so").next().unwrap_or(name);
    let stem = stem.split('-').next().unwrap_or(stem);
    C_LIBRARY.contains(&stem) || stem.starts_with("libc.musl")
}

/// Returns `glibc 2.36` or `musl 1.2.4`, if this machine provides it.
pub(crate) fn c_library() -> Option<String> {
    let answer = Command::new("getconf").arg("GNU_LIBC_VERSION").output();
    let of_glibc = answer.ok().filter(|answer| answer.status.success());
    let of_glibc = of_glibc.map(|answer| String::from_utf8_lossy(&answer.stdout).trim().to_owned());
    of_glibc.filter(|text| !text.is_empty()).or_else(|| {
        let answer = Command::new("ldd").arg("--version").output().ok()?;
        version_of_musl(&String::from_utf8_lossy(&answer.stderr))
    })
}

/// `musl libc (x86_64)`, then `Version 1.2.4`.
fn version_of_musl(text: &str) -> Option<String> {
    let (name, rest) = text.split_once('\n')?;
    let version = rest.lines().next()?.strip_prefix("Version ")?;
    name.starts_with("musl ").then(|| format!("musl {version}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lines_of_ldd_are_understood() {
        let text = "\tlinux-vdso.so.1 (0x00007ffd)\n\tlibz.so.1 => /lib/a b/libz.so.1 (0x00007f)\n\
                    \tlibgone.so.2 => not found\n\t/lib64/ld-linux-x86-64.so.2 (0x00007f)\n\
                    \tstatically linked\n";
        let found = parse(text);
        let names: Vec<&str> = found.iter().map(|one| one.name.as_str()).collect();
        assert_eq!(names, ["libz.so.1", "libgone.so.2", "ld-linux-x86-64.so.2"]);
        assert_eq!(
            found[0].path.as_deref(),
            Some(Path::new("/lib/a b/libz.so.1"))
        );
        assert_eq!(found[1].path, None);
    }

    #[test]
    fn the_lines_of_musls_ldd_are_understood() {
        let text = "\t/lib/ld-musl-x86_64.so.1 (0x7f)\n\tlibz.so.1 => /lib/libz.so.1 (0x7f)\n\
                    \tlibc.musl-x86_64.so.1 => /lib/ld-musl-x86_64.so.1 (0x7f)\n\
                    Error loading shared library libgone.so.2: No such file or directory (needed by /x/libshop.so)\n\
                    Error relocating /x/libshop.so: enif_make_atom: symbol not found\n";
        let found = parse(text);
        let names: Vec<&str> = found.iter().map(|one| one.name.as_str()).collect();
        let all = [
            "ld-musl-x86_64.so.1",
            "libz.so.1",
            "libc.musl-x86_64.so.1",
            "libgone.so.2",
        ];
        assert_eq!(names, all);
        assert_eq!(found[3].path, None);
        let version =
            version_of_musl("musl libc (x86_64)\nVersion 1.2.4\nDynamic Program Loader\n");
        assert_eq!(version.as_deref(), Some("musl 1.2.4"));
        assert_eq!(
            version_of_musl("ldd (Debian GLIBC 2.36) 2.36\nCopyright\n"),
            None
        );
    }

    #[test]
    fn the_c_library_is_the_target_machines() {
        for name in [
            "libc.so.6",
            "ld-linux-aarch64.so.1",
            "libm.so.6",
            "libc.musl-x86_64.so.1",
            "ld-musl-x86_64.so.1",
        ] {
            assert!(is_of_c_library(name), "{name}");
        }
        for name in [
            "libcrypto.so.3",
            "libcap.so.2",
            "libz.so.1",
            "libmagic.so.1",
        ] {
            assert!(!is_of_c_library(name), "{name}");
        }
    }
}
