//! Reading files of any size and kind.

use std::fs;
use std::io::{self, Read};
use std::path::Path;

/// The largest file that is read. An offset in a file has 32 bits, and no source is nearly as large.
const LARGEST: u64 = 1 << 30;

/// The bytes of a regular file. A source may name a device or a pipe, which may never end.
pub(crate) fn read_regular(path: &Path) -> io::Result<Vec<u8>> {
    if !fs::metadata(path)?.is_file() {
        return Err(io::Error::from(io::ErrorKind::InvalidInput));
    }
    read_bounded(path)
}

/// The bytes of whatever the user named: a file, or for example `/dev/stdin`.
pub(crate) fn read_bounded(path: &Path) -> io::Result<Vec<u8>> {
    let file = fs::File::open(path)?;
    let size = file.metadata().map_or(0, |file| file.len());
    let mut bytes = Vec::with_capacity(usize::try_from(size.min(LARGEST)).unwrap_or(0) + 1);
    file.take(LARGEST + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LARGEST {
        return Err(io::Error::new(
            io::ErrorKind::FileTooLarge,
            "larger than 1 GiB",
        ));
    }
    Ok(bytes)
}
