//! Cargo.lock: the versions with which an application is built.

use std::path::Path;

use toml_edit::{DocumentMut, Item};

use super::target::named_workspace;
use crate::files::read_text;

/// Returns the version of a package in the Cargo.lock of the application or of its workspace.
pub(crate) fn version_of(application: &Path, package: &str) -> Option<String> {
    let named = named_workspace(application);
    let mut folders = named
        .iter()
        .map(|it| it.as_path())
        .chain(application.ancestors());
    let lock = folders.find_map(|folder| read_text(&folder.join("Cargo.lock")).ok())?;
    in_lock(&lock, package)
}

fn in_lock(lock: &str, package: &str) -> Option<String> {
    let lock: DocumentMut = lock.parse().ok()?;
    let mut packages = lock.get("package")?.as_array_of_tables()?.iter();
    let text = |value: Option<&Item>| value?.as_str().map(str::to_owned);
    let found = packages.find(|one| text(one.get("name")).as_deref() == Some(package))?;
    text(found.get("version"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lock_file_says_the_version() {
        let lock = "version = 4\n[[package]]\nname = \"a\"\nversion = \"1.0.0\"\n\
                    [[package]]\nname = \"otp-bridge\"\nversion = \"0.2.1-rc.1\"\n";
        assert_eq!(in_lock(lock, "otp-bridge").as_deref(), Some("0.2.1-rc.1"));
        assert_eq!(in_lock("version = 4\n", "otp-bridge"), None);
    }
}
