//! The application that a command works on: the nearest folder with an otp.toml.

pub(crate) mod config;
pub(crate) mod erlang_sources;
pub(crate) mod lock;
pub(crate) mod names;
pub(crate) mod target;
pub(crate) mod templates;

use std::env;
use std::path::{Path, PathBuf};

use crate::report::{Result, catalog};
use config::Config;
pub(crate) use erlang_sources::ErlangSources;

/// An application's folder and its otp.toml.
pub(crate) struct Application {
    /// The folder that holds otp.toml and Cargo.toml.
    pub(crate) folder: PathBuf,
    /// otp.toml.
    pub(crate) config: Config,
}

impl Application {
    /// The application that the current folder belongs to.
    pub(crate) fn here() -> Result<Self> {
        Self::at(folder_here()?)
    }

    /// The application in a folder.
    pub(crate) fn at(folder: PathBuf) -> Result<Self> {
        let config = Config::read(&folder.join(config::FILE))?;
        Ok(Self { folder, config })
    }
}

/// The folder of the application that the current folder belongs to.
pub(crate) fn folder_here() -> Result<PathBuf> {
    let current = env::current_dir().map_err(|error| catalog::CURRENT_FOLDER.with(&[&error]))?;
    let folder =
        enclosing(&current).ok_or_else(|| catalog::NO_APPLICATION.error().at(current.display()))?;
    Ok(folder.to_owned())
}

/// The nearest of `folder` and the folders above it that holds an otp.toml.
pub(crate) fn enclosing(folder: &Path) -> Option<&Path> {
    folder
        .ancestors()
        .find(|folder| folder.join(config::FILE).is_file())
}
