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
    let scratch = Scratch::within(&releases, ".release-")?;
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
    replace(&stage.folder, &folder, scratch.path())?;
    fs::rename(&packed, &archive).map_err(|error| Error::io("write", &archive, &error))?;
    Ok(Release {
        folder,
        archive,
        libraries,
    })
}

/// Puts a folder in place of another one, which goes into the scratch folder.
fn replace(new: &Path, folder: &Path, scratch: &Path) -> Result<()> {
    if folder.exists() {
        let old = scratch.join("old");
        fs::rename(folder, &old).map_err(|error| Error::io("replace", folder, &error))?;
    }
    fs::rename(new, folder).map_err(|error| Error::io("write", folder, &error))
}
