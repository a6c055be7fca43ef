//! otp.toml, so far as it is about generated types.

use std::path::{Path, PathBuf};

use crate::application;
use crate::args::GenTypes;
use crate::config::{self, Choices};
use crate::error::{Error, Result};
use crate::ui::Ui;

/// What otp.toml says of generated types, if there is one.
pub(super) fn read(options: &GenTypes) -> Result<Option<Choices>> {
    if let Some(file) = &options.config {
        return Choices::read(file).map(Some);
    }
    let current = std::env::current_dir().ok().filter(|_| !options.no_config);
    let folder = current.as_deref().and_then(application::enclosing);
    let file = folder.map(|folder| folder.join(config::FILE));
    file.map(|file| Choices::read(&shorter(&file))).transpose()
}

/// `otp.toml` for the one in the current folder.
fn shorter(file: &Path) -> PathBuf {
    let current = std::env::current_dir().unwrap_or_default();
    file.strip_prefix(current).unwrap_or(file).to_owned()
}

/// Shows every error, the last of them as the command's own.
pub(super) fn all_followed(mut errors: Vec<Error>, ui: &Ui) -> Result<()> {
    let last = errors.pop();
    errors.iter().for_each(|error| ui.error(error));
    last.map_or(Ok(()), Err)
}
