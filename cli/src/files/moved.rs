//! Moves files and folders within a file system.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::Path;

use crate::platform;

/// Moves a file or a folder to a path that does not exist. In an overlay file system, as containers
/// have, a folder of a lower layer cannot be renamed, so it is copied and removed.
pub(crate) fn move_to(from: &Path, to: &Path) -> io::Result<()> {
    match fs::rename(from, to) {
        Err(error) if error.kind() == ErrorKind::CrossesDevices && from.is_dir() => {
            copy(from, to).inspect_err(|_| drop(fs::remove_dir_all(to)))?;
            fs::remove_dir_all(from)
        }
        renamed => renamed,
    }
}

/// Copies a folder with its permissions, and links as links.
fn copy(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (path, target) = (entry.path(), to.join(entry.file_name()));
        let kind = entry.file_type()?;
        if kind.is_dir() {
            copy(&path, &target)?;
        } else if kind.is_symlink() {
            platform::link(&fs::read_link(&path)?, &target)?;
        } else {
            fs::copy(&path, &target)?;
        }
    }
    fs::set_permissions(to, fs::metadata(from)?.permissions())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copied_folder_has_its_files_links_and_permissions() {
        let scratch = tempfile::tempdir().unwrap();
        let (from, to) = (scratch.path().join("from"), scratch.path().join("to"));
        fs::create_dir_all(from.join("bin")).unwrap();
        fs::write(from.join("bin/run"), "text").unwrap();
        let executable = platform::permissions(0o700);
        fs::set_permissions(from.join("bin/run"), executable.clone()).unwrap();
        fs::set_permissions(from.join("bin"), executable).unwrap();
        platform::link(Path::new("bin/nowhere"), from.join("link")).unwrap();
        copy(&from, &to).unwrap();
        assert_eq!(fs::read_to_string(to.join("bin/run")).unwrap(), "text");
        for path in ["bin", "bin/run"] {
            let mode = platform::mode(&fs::metadata(to.join(path)).unwrap());
            assert_eq!(mode & 0o777, 0o700, "{path}");
        }
        let link = fs::read_link(to.join("link")).unwrap();
        assert_eq!(link, Path::new("bin/nowhere"));
    }
}
