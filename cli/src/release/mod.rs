//! A release: a folder and an archive with the application and the Erlang that it runs on.
//!
//! OTP's `systools` selects the files and writes the boot script (`otp_rs_assemble.erl`). This
//! module provides the application, and adds the other parts of a release: the program in `bin`,
//! shared libraries, `vm.args`.

mod assemble;
mod dependency;
mod folder;
mod libraries;
mod staging;
mod texts;

use std::fs;
use std::path::{Path, PathBuf};

use crate::build::{Built, RELEASES};
use crate::installation::Installation;
use crate::project::config::Config;
use crate::report::{Error, Progress, Result};
use assemble::Stage;
pub(crate) use assemble::modules;
pub(crate) use folder::{DATA, check_idle};
pub(crate) use libraries::{Libraries, c_library};
use staging::Staging;
pub(crate) use staging::remove_abandoned;
use texts::Facts;

/// The options of a release.
pub(crate) struct ReleaseOptions<'a> {
    /// otp.toml.
    pub(crate) config: &'a Config,
    /// Archives or folders of releases that can be upgraded to this one.
    pub(crate) earlier: &'a [PathBuf],
    /// Additional files.
    pub(crate) extras: Extras,
}

/// Files in addition to the release itself.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Extras {
    /// A Dockerfile.
    pub(crate) docker: bool,
    /// A systemd unit.
    pub(crate) systemd: bool,
}

/// A finished release.
pub(crate) struct ReleaseFolder {
    /// `TARGET/otp/releases/NAME-VERSION`
    pub(crate) folder: PathBuf,
    /// `TARGET/otp/releases/NAME-VERSION.tar.gz`
    pub(crate) archive: PathBuf,
    /// The libraries with which the VM and the applications are linked.
    pub(crate) libraries: Libraries,
    /// The data that nodes of the previous release have written into the folder, if there is any.
    /// It is kept.
    pub(crate) data: Option<PathBuf>,
}

/// Returns an earlier release: an archive or a folder, or the archive of a version that was built
/// here.
pub(crate) fn earlier(built: &Built, named: &Path) -> PathBuf {
    let file = format!("{}-{}.tar.gz", built.name, named.display());
    let archive = built.target.join("otp").join(RELEASES).join(file);
    if !named.exists() && archive.is_file() {
        archive
    } else {
        named.to_owned()
    }
}

/// Creates the release of a built application. An existing release is replaced, except for its
/// data, after the new one is complete. [`modules`] returns the folder of the compiled modules.
pub(crate) fn make(
    otp: &Installation,
    built: &Built,
    order: &ReleaseOptions<'_>,
    modules: &Path,
    progress: &Progress,
) -> Result<ReleaseFolder> {
    let releases = built.target.join("otp").join(RELEASES);
    let name = format!("{}-{}", built.name, built.version);
    let folder = releases.join(&name);
    check_idle(&folder, &built.name)?;
    fs::create_dir_all(&releases).map_err(|error| Error::io("create", &releases, &error))?;
    let staging = Staging::open(&releases)?;
    let stage = Stage::open(staging.path(), otp, modules)?;
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
    let packed = stage.pack(&name, progress)?;
    let archive = releases.join(format!("{name}.tar.gz"));
    check_idle(&folder, &built.name)?;
    folder::put(&stage.folder, &folder, staging.scratch())?;
    fs::rename(&packed, &archive).map_err(|error| Error::io("write", &archive, &error))?;
    let data = folder.join(DATA);
    Ok(ReleaseFolder {
        data: data.exists().then_some(data),
        folder,
        archive,
        libraries,
    })
}
