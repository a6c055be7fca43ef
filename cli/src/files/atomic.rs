//! Files that arrive by rename: whoever reads them sees the old text or the new one.

use std::fs::{self, Permissions};
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use crate::report::{Error, Result};

/// Writes a file, in place of one that may be there.
pub(crate) fn write(path: &Path, content: &[u8]) -> Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    tempfile::Builder::new()
        .prefix(".otp-rs-")
        .permissions(Permissions::from_mode(0o666))
        .tempfile_in(folder)
        .and_then(|mut file| file.write_all(content).map(|()| file))
        .and_then(|file| file.persist(path).map_err(|error| error.error))
        .map(drop)
        .map_err(|error| Error::io("write", path, &error))
}

/// Writes a file unless it holds that already.
pub(crate) fn write_unless_same(path: &Path, content: &[u8]) -> Result<()> {
    match fs::read(path) {
        Ok(before) if before == content => Ok(()),
        _ => write(path, content),
    }
}
