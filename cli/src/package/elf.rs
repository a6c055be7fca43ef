//! The version of glibc that a library needs, from the versions of its symbols in the ELF file.

use object::Endianness;
use object::elf::{FileHeader64, VER_FLG_WEAK};
use object::read::elf::FileHeader;

/// A version of glibc, such as 2.17.
pub(super) type GlibcVersion = (u32, u32);

/// The version of glibc since which the dynamic linker reads compact relocations (`DT_RELR`).
const COMPACT_RELOCATIONS: (&str, GlibcVersion) = ("ABI_DT_RELR", (2, 36));

/// Returns the newest version of glibc among the symbols that a library needs. It is `None` for a
/// library that needs none, such as one for musl, and for files of other formats.
pub(super) fn needed_glibc(library: &[u8]) -> Option<GlibcVersion> {
    let versions = needed_versions(library).ok()?.into_iter();
    versions.filter_map(|name| glibc(&name)).max()
}

/// Returns the names of the symbol versions without which the dynamic linker refuses a library.
fn needed_versions(library: &[u8]) -> object::read::Result<Vec<String>> {
    let header = FileHeader64::<Endianness>::parse(library)?;
    let endian = header.endian()?;
    let sections = header.sections(endian, library)?;
    let mut names = Vec::new();
    let Some((mut files, strings)) = sections.gnu_verneed(endian, library)? else {
        return Ok(names);
    };
    let strings = sections.strings(endian, library, strings)?;
    while let Some((_, mut versions)) = files.next()? {
        while let Some(version) = versions.next()? {
            // Only functions that the library can do without have such a version.
            let is_weak = version.vna_flags.get(endian) & VER_FLG_WEAK != 0;
            if !is_weak {
                let name = version.name(endian, strings)?;
                names.push(String::from_utf8_lossy(name).into_owned());
            }
        }
    }
    Ok(names)
}

/// Returns `(2, 17)` for `GLIBC_2.17` and for `GLIBC_2.17.1`.
fn glibc(name: &str) -> Option<GlibcVersion> {
    let version = name.strip_prefix("GLIBC_")?;
    let (known, since) = COMPACT_RELOCATIONS;
    if version == known {
        return Some(since);
    }
    parse_glibc(version)
}

/// Returns the first two numbers of a version.
pub(super) fn parse_glibc(version: &str) -> Option<GlibcVersion> {
    let mut numbers = version.split('.').map(str::parse);
    match (numbers.next(), numbers.next()) {
        (Some(Ok(major)), Some(Ok(minor))) => Some((major, minor)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_of_symbols_are_read_as_numbers() {
        for (name, version) in [
            ("GLIBC_2.17", Some((2, 17))),
            ("GLIBC_2.2.5", Some((2, 2))),
            ("GLIBC_ABI_DT_RELR", Some((2, 36))),
            ("GLIBC_PRIVATE", None),
            ("GCC_3.0", None),
        ] {
            assert_eq!(glibc(name), version, "{name}");
        }
    }

    #[test]
    fn a_damaged_file_needs_nothing() {
        let own = std::fs::read(std::env::current_exe().unwrap()).unwrap();
        for length in [0, 4, 64, 100, own.len() / 2] {
            assert_eq!(needed_glibc(&own[..length]), None, "{length}");
        }
    }
}
