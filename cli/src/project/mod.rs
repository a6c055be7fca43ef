//! The application that a command works on: the nearest folder with an otp.toml.

pub(crate) mod config;
pub(crate) mod erlang_sources;
pub(crate) mod lock;
mod members;
pub(crate) mod names;
pub(crate) mod target;
pub(crate) mod templates;

use std::env;
use std::path::{self, Path, PathBuf};

use crate::report::{Result, catalog};
use config::Config;
pub(crate) use erlang_sources::ErlangSources;

/// An application's folder and its otp.toml.
pub(crate) struct Application {
    /// The folder that contains otp.toml and Cargo.toml.
    pub(crate) folder: PathBuf,
    /// otp.toml.
    pub(crate) config: Config,
}

impl Application {
    /// Finds the application with this Cargo.toml. `None`: the application of the current folder.
    pub(crate) fn find(manifest: Option<&Path>) -> Result<Self> {
        Self::at(folder(manifest)?)
    }

    pub(crate) fn at(folder: PathBuf) -> Result<Self> {
        let config = Config::read(&folder.join(config::FILE))?;
        Ok(Self { folder, config })
    }
}

/// Returns the folder of the application with this Cargo.toml. `None`: that of the application of
/// the current folder.
pub(crate) fn folder(manifest: Option<&Path>) -> Result<PathBuf> {
    let start = match manifest {
        Some(manifest) => folder_of(manifest)?,
        None => env::current_dir().map_err(|error| catalog::CURRENT_FOLDER.with(&[&error]))?,
    };
    let folder =
        enclosing(&start).ok_or_else(|| members::named(catalog::NO_APPLICATION.error(), &start))?;
    Ok(folder.to_owned())
}

/// Returns the absolute folder of a Cargo.toml.
fn folder_of(manifest: &Path) -> Result<PathBuf> {
    let path = path::absolute(manifest).map_err(|error| catalog::CURRENT_FOLDER.with(&[&error]))?;
    match path.parent() {
        Some(folder) if path.is_file() && path.ends_with("Cargo.toml") => Ok(folder.to_owned()),
        _ => Err(catalog::NOT_A_MANIFEST.error().at(manifest.display())),
    }
}

/// Returns the nearest of `folder` and the folders above it that contains an otp.toml.
pub(crate) fn enclosing(folder: &Path) -> Option<&Path> {
    folder
        .ancestors()
        .find(|folder| folder.join(config::FILE).is_file())
}
