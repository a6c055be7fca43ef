//! Reads files of any size and kind.

use std::fs;
use std::io::{self, Read};
use std::path::Path;

use crate::platform;

/// Maximum size of a file. An offset in a file has 32 bits, and no source is nearly as large.
const LARGEST: u64 = 1 << 30;

/// Returns the bytes of a regular file. A device or a pipe is refused, because it may never end.
pub(crate) fn read_regular(path: &Path) -> io::Result<Vec<u8>> {
    read(open_regular(path)?)
}

/// Opens a regular file, but neither a device nor a pipe.
pub(crate) fn open_regular(path: &Path) -> io::Result<fs::File> {
    let file = platform::open_without_waiting(path)?;
    let kind = file.metadata()?.file_type();
    if kind.is_dir() {
        return Err(io::Error::from(io::ErrorKind::IsADirectory));
    }
    if !kind.is_file() || is_of_kernel(path) {
        let reason = "not a regular file";
        return Err(io::Error::new(io::ErrorKind::InvalidInput, reason));
    }
    Ok(file)
}

/// Returns the bytes of a file that the user named, or of standard input.
pub(crate) fn read_bounded(path: &Path) -> io::Result<Vec<u8>> {
    // An open pipe already has a writer.
    let is_open = path == Path::new("/dev/stdin") || path.starts_with("/dev/fd");
    if is_open {
        read(fs::File::open(path)?)
    } else {
        read_regular(path)
    }
}

/// Returns the text of a regular file.
pub(crate) fn read_text(path: &Path) -> io::Result<String> {
    let text = String::from_utf8(read_regular(path)?);
    text.map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error.utf8_error()))
}

/// Returns whether the file belongs to `/proc` or `/sys`, whose files look like regular ones. Some
/// never end, and reading some of them has an effect.
fn is_of_kernel(path: &Path) -> bool {
    let path = fs::canonicalize(path).unwrap_or_default();
    path.starts_with("/proc") || path.starts_with("/sys")
}

fn read(file: fs::File) -> io::Result<Vec<u8>> {
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
