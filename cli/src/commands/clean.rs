//! `cargo otp clean`: removes the files that `cargo otp build`, `test`, `release` and `package` have
//! created for an application, but not those that nodes of a release have written.

use std::path::{Path, PathBuf};

use crate::args::Clean;
use crate::build;
use crate::build::cargo::Profile;
use crate::files::{Removed, entries};
use crate::project::{self, target};
use crate::release;
use crate::report::{Result, Ui, size};

pub(crate) fn execute(options: &Clean, ui: &Ui) -> Result<()> {
    let application = project::folder(options.manifest.path.as_deref())?;
    let name = target::package_name(&application)?;
    let folder = target::target_folder(&application).join("otp");
    let releases = folder.join(build::RELEASES);
    let found = built(&folder, &name, options)?;
    for path in found.iter().filter(|path| path.starts_with(&releases)) {
        release::check_idle(path, &name)?;
    }
    let mut removed = Removed::default();
    for path in found {
        // A running build would be left with half a folder.
        let _lock = build::wait_for(&path, ui)?;
        let data = path.join(release::DATA);
        if path.starts_with(&releases) && !path.is_symlink() && !entries(&data)?.is_empty() {
            remove_all_but(&data, &path, &mut removed, ui)?
        } else {
            removed.remove(&path)?
        }
    }
    release::remove_abandoned(&releases, &mut removed)?;
    let files = match removed.files {
        1 => "1 file".to_owned(),
        files => format!("{files} files"),
    };
    ui.status(
        "Removed",
        &format!(
            "{files}, {} of `{name}` in {}",
            size(removed.bytes),
            folder.display()
        ),
    );
    Ok(())
}

/// Removes everything but the data that a node has written, because that cannot be created again.
fn remove_all_but(data: &Path, release: &Path, removed: &mut Removed, ui: &Ui) -> Result<()> {
    for inside in entries(release)?.iter().filter(|inside| *inside != data) {
        removed.remove(inside)?;
    }
    ui.note(&format!(
        "what nodes have written stays: {}",
        data.display()
    ));
    Ok(())
}

/// Returns the results of the application: PROFILE/NAME, PROFILE.test…/NAME, releases/NAME-VERSION
/// with its archive, and packages/NAME-VERSION.tar.
fn built(folder: &Path, name: &str, options: &Clean) -> Result<Vec<PathBuf>> {
    let profile = match (&options.profile, options.release) {
        (Some(profile), _) => Some(Profile::named(profile)),
        (None, true) => Some(Profile::of(true)),
        (None, false) => None,
    };
    let mut found = Vec::new();
    for path in entries(folder)? {
        let of = path.file_name().unwrap_or_default().to_string_lossy();
        let is_asked_for = profile.as_ref().is_none_or(|profile| {
            let rest = of.strip_prefix(profile.folder());
            rest.is_some_and(|rest| rest.is_empty() || is_of_tests(rest))
        });
        let has_versions = [build::RELEASES, build::PACKAGES].contains(&of.as_ref());
        let has_versions = has_versions && profile.is_none();
        found.extend(entries(&path)?.into_iter().filter(|path| {
            let entry = path.file_name().unwrap_or_default().to_string_lossy();
            let version = entry.strip_prefix(name);
            let is_version = version.is_some_and(|version| version.starts_with('-'));
            (is_asked_for && entry == name) || (has_versions && is_version)
        }));
    }
    Ok(found)
}

/// Returns whether this is the end of the name of a folder with tests: `.test`, or `.test.NAME` for
/// those of tests/NAME.rs.
fn is_of_tests(rest: &str) -> bool {
    let of = rest.strip_prefix(build::OF_TESTS);
    of.is_some_and(|of| of.is_empty() || of.starts_with('.'))
}
