//! The application that a command works on: the nearest folder with an otp.toml.

pub(crate) mod config;
pub(crate) mod erlang_sources;
pub(crate) mod names;
pub(crate) mod templates;

use std::env;
use std::path::{Path, PathBuf};

use crate::report::{Error, Result};
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
        let current = env::current_dir()
            .map_err(|error| Error::user(format!("the current folder cannot be read: {error}")))?;
        let folder = enclosing(&current).ok_or_else(|| {
            Error::user(format!(
                "this is not inside an application: no `{}` here or in a folder above",
                config::FILE
            ))
            .at(current.display())
            .help("make one with `cargo otp new NAME`, then `cd NAME`")
        })?;
        let config = Config::read(&folder.join(config::FILE))?;
        Ok(Self {
            folder: folder.to_owned(),
            config,
        })
    }
}

/// The nearest of `folder` and the folders above it that holds an otp.toml.
pub(crate) fn enclosing(folder: &Path) -> Option<&Path> {
    folder
        .ancestors()
        .find(|folder| folder.join(config::FILE).is_file())
}
