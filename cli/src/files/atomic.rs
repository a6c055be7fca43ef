//! Files and links that are replaced by rename: a reader sees either the old text or the new one.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use crate::platform;
use crate::report::{Error, Result};

/// Writes a file, and replaces an existing one.
pub(crate) fn write(path: &Path, content: &[u8]) -> Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    tempfile::Builder::new()
        .prefix(".otp-rs-")
        .permissions(platform::permissions(platform::NEW_FILE))
        .tempfile_in(folder)
        .and_then(|mut file| file.write_all(content).map(|()| file))
        .and_then(|file| file.persist(path).map_err(|error| error.error))
        .map(drop)
        .map_err(|error| Error::io("write", path, &error))
}

/// Creates a link to a folder, and replaces an existing link. Anything else with this path is kept.
pub(crate) fn replace_link(target: &Path, link: &Path) -> Result<()> {
    let target = fs::canonicalize(target).map_err(|error| Error::io("find", target, &error))?;
    let refused = |error| Error::io("link", link, &error);
    match fs::symlink_metadata(link) {
        Ok(found) if !found.is_symlink() => {
            return Err(refused(io::Error::from(io::ErrorKind::AlreadyExists)));
        }
        Ok(_) if fs::read_link(link).is_ok_and(|known| known == target) => return Ok(()),
        _ => {}
    }
    let folder = link.parent().unwrap_or(Path::new("."));
    let scratch = tempfile::Builder::new()
        .prefix(".otp-rs-")
        .tempdir_in(folder)
        .map_err(refused)?;
    let new = scratch.path().join("link");
    platform::link(target, &new)
        .and_then(|()| fs::rename(&new, link))
        .map_err(refused)
}

/// Writes a file, unless it already has this content.
pub(crate) fn write_unless_same(path: &Path, content: &[u8]) -> Result<()> {
    match fs::read(path) {
        Ok(before) if before == content => Ok(()),
        _ => write(path, content),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_is_replaced_and_nothing_else() {
        let scratch = tempfile::tempdir().unwrap();
        let link = scratch.path().join("link");
        for target in ["/usr", "/tmp", "/tmp/../tmp"] {
            let target = Path::new(target);
            replace_link(target, &link).unwrap();
            assert_eq!(
                fs::read_link(&link).unwrap(),
                target.canonicalize().unwrap()
            );
        }
        let file = scratch.path().join("file");
        fs::write(&file, "mine").unwrap();
        let error = replace_link(Path::new("/usr"), &file).unwrap_err();
        assert_eq!(error.exit_code(), 1);
        assert_eq!(fs::read_to_string(&file).unwrap(), "mine");
        assert_eq!(fs::read_dir(scratch.path()).unwrap().count(), 2);
    }
}
