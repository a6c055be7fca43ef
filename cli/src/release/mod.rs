//! A release: a folder and an archive with the application and the Erlang that it runs on.
//!
//! OTP's `systools` chooses the files and writes the boot script (`otp_rs_assemble.erl`). This module gives it the
//! application, and adds what a release has beside it: the program in `bin`, shared libraries, `vm.args`.

mod assemble;
mod libraries;
mod texts;

use std::fs;
use std::path::{Path, PathBuf};

use crate::build::{Built, RELEASES};
use crate::files::Scratch;
use crate::installation::Installation;
use crate::project::config::Config;
use crate::report::{Error, Progress, Result};
use assemble::Stage;
pub(crate) use libraries::{Libraries, c_library};
use texts::Facts;

/// What is asked for.
pub(crate) struct Order<'a> {
    /// otp.toml.
    pub(crate) config: &'a Config,
    /// Archives or folders of releases that can be upgraded to this one.
    pub(crate) earlier: &'a [PathBuf],
    /// What is made beside it.
    pub(crate) extras: Extras,
}

/// What is made beside the release itself.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Extras {
    /// A Dockerfile.
    pub(crate) docker: bool,
    /// A systemd unit.
    pub(crate) systemd: bool,
}

/// A release that was made.
pub(crate) struct Release {
    /// `TARGET/otp/releases/NAME-VERSION`
    pub(crate) folder: PathBuf,
    /// The same with `.tar.gz`.
    pub(crate) archive: PathBuf,
    /// What the VM and the applications are linked with.
    pub(crate) libraries: Libraries,
    /// What a node of the release before has written into its folder, if there is any. It is kept.
    pub(crate) data: Option<PathBuf>,
}

/// The folder in a release that its nodes write into: the cookie, logs, files of the application.
pub(crate) const DATA: &str = "var";

/// The beginning of the name of a folder in which a release is put together. A command that was killed leaves it.
pub(crate) fn staging(application: &str) -> String {
    format!(".release-{application}.")
}

/// An earlier release: an archive or a folder, or the version of one that was made here.
pub(crate) fn earlier(built: &Built, named: &Path) -> PathBuf {
    let file = format!("{}-{}.tar.gz", built.name, named.display());
    let archive = built.target.join("otp").join(RELEASES).join(file);
    match !named.exists() && archive.is_file() {
        true => archive,
        false => named.to_owned(),
    }
}

/// Makes the release of a built application. What was there before is replaced when all of it is complete.
pub(crate) fn make(
    otp: &Installation,
    built: &Built,
    order: &Order<'_>,
    progress: &Progress,
) -> Result<Release> {
    let releases = built.target.join("otp").join(RELEASES);
    fs::create_dir_all(&releases).map_err(|error| Error::io("create", &releases, &error))?;
    let scratch = Scratch::within(&releases, &staging(&built.name))?;
    let stage = Stage::open(scratch.path(), otp)?;
    stage.add_applications(built)?;
    let versions = stage.make(built, order)?;
    let libraries = libraries::include(&stage.folder, &versions.erts)?;
    let facts = Facts {
        built,
        config: order.config,
        versions: &versions,
        extras: order.extras,
    };
    texts::write(&stage.folder, &facts)?;
    stage.set_modes(&texts::program(&built.name))?;
    let name = format!("{}-{}", built.name, built.version);
    let packed = stage.pack(&name, progress)?;
    let folder = releases.join(&name);
    let archive = releases.join(format!("{name}.tar.gz"));
    // Ctrl-C would remove what lies in the scratch folder meanwhile.
    scratch.undisturbed(|| replace(&stage.folder, &folder, scratch.path()))?;
    fs::rename(&packed, &archive).map_err(|error| Error::io("write", &archive, &error))?;
    let data = folder.join(DATA);
    Ok(Release {
        data: data.exists().then_some(data),
        folder,
        archive,
        libraries,
    })
}

/// Puts a folder in place of another one, which goes into the scratch folder. What a node has written into that one is in
/// the new one afterwards. A failure leaves everything where it was.
fn replace(new: &Path, folder: &Path, scratch: &Path) -> Result<()> {
    let old = scratch.join("old");
    if folder.exists() {
        fs::rename(folder, &old).map_err(|error| Error::io("replace", folder, &error))?;
    }
    let (written, kept) = (old.join(DATA), new.join(DATA));
    let moved = match written.exists() {
        true => fs::rename(&written, &kept),
        false => Ok(()),
    };
    moved
        .and_then(|()| fs::rename(new, folder))
        .map_err(|error| {
            let _ = fs::rename(&kept, &written);
            let _ = fs::rename(&old, folder);
            Error::io("write", folder, &error)
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_node_has_written_stays() {
        let scratch = tempfile::tempdir().unwrap();
        let path = |name: &str| scratch.path().join(name);
        let make = |folder: &str| {
            fs::create_dir_all(path(folder)).unwrap();
            fs::write(path(folder).join("file"), folder).unwrap();
        };
        make("new");
        replace(&path("new"), &path("x-0.1.0"), scratch.path()).unwrap();
        fs::create_dir(path("x-0.1.0/var")).unwrap();
        fs::write(path("x-0.1.0/var/ledger"), "1").unwrap();
        let read = |name: &str| fs::read_to_string(path(name)).unwrap();

        make("newer");
        replace(&path("newer"), &path("x-0.1.0"), scratch.path()).unwrap();
        assert_eq!(
            (read("x-0.1.0/file"), read("x-0.1.0/var/ledger")),
            ("newer".to_owned(), "1".to_owned())
        );
        assert!(!path("old/var").exists());

        // There is nothing to put in its place.
        fs::remove_dir_all(path("old")).unwrap();
        assert!(replace(&path("absent"), &path("x-0.1.0"), scratch.path()).is_err());
        assert_eq!(
            (read("x-0.1.0/file"), read("x-0.1.0/var/ledger")),
            ("newer".to_owned(), "1".to_owned())
        );
    }
}
