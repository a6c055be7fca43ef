//! Hex's format of a package, version 3: an archive with the metadata, a compressed archive with
//! the files, and a checksum of both (<https://github.com/hexpm/specifications>).
//!
//! Times, users and modes are the same in every package, so that the same files give the same
//! bytes.

use std::io::{self, Write};

use flate2::{Compression, GzBuilder};
use tar::{Builder, Header};

use super::contents::{Contents, checksum};
use crate::platform;
use crate::report::{Result, catalog};

/// The time of all files, in seconds: the year 1980. It must not be 0, because mix takes such a
/// source for one that was compiled already.
const TIME: u64 = 315_532_800;

/// The version of the format.
const VERSION: &str = "3";

/// Returns the bytes of a package with this text as its metadata.
pub(super) fn tarball(metadata: &str, contents: &Contents) -> Result<Vec<u8>> {
    let packed = || {
        let contents = compressed(&tar(contents.files())?)?;
        let inner = [VERSION.as_bytes(), metadata.as_bytes(), &contents].concat();
        let inner = checksum(&inner).to_uppercase();
        let files: [(&str, &[u8]); 4] = [
            ("VERSION", VERSION.as_bytes()),
            ("CHECKSUM", inner.as_bytes()),
            ("metadata.config", metadata.as_bytes()),
            ("contents.tar.gz", &contents),
        ];
        tar(files)
    };
    packed().map_err(|error: io::Error| {
        catalog::INTERNAL.with(&[&format!("the package cannot be packed: {error}")])
    })
}

fn tar<'a>(files: impl IntoIterator<Item = (&'a str, &'a [u8])>) -> io::Result<Vec<u8>> {
    let mut builder = Builder::new(Vec::new());
    for (path, content) in files {
        let mut header = Header::new_ustar();
        header.set_size(content.len() as u64);
        header.set_mode(platform::DATA);
        header.set_mtime(TIME);
        builder.append_data(&mut header, path, content)?;
    }
    builder.into_inner()
}

fn compressed(bytes: &[u8]) -> io::Result<Vec<u8>> {
    // Without a time and the name of the system.
    let mut encoder = GzBuilder::new()
        .mtime(0)
        .operating_system(255)
        .write(Vec::new(), Compression::best());
    encoder.write_all(bytes)?;
    encoder.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_files_give_the_same_bytes() {
        let mut contents = Contents::default();
        contents.add("src/b.erl", "b");
        contents.add("src/a.erl", "a");
        let first = tarball("metadata", &contents).unwrap();
        assert_eq!(first, tarball("metadata", &contents).unwrap());
        assert_ne!(first, tarball("other", &contents).unwrap());
    }
}
