//! The overrides of otp.toml.

use std::path::{Path, PathBuf};

use crate::args::ConfigArgs;
use crate::project;
use crate::project::config::{self, Overrides};
use crate::report::Result;

/// Returns the overrides of the otp.toml that applies, if there is one.
pub(in crate::commands) fn read(options: &ConfigArgs) -> Result<Option<Overrides>> {
    if let Some(file) = &options.config {
        return Overrides::read(file).map(Some);
    }
    let current = std::env::current_dir().ok().filter(|_| !options.no_config);
    let folder = current.as_deref().and_then(project::enclosing);
    let file = folder.map(|folder| folder.join(config::FILE));
    file.map(|file| Overrides::read(&shorter(&file)))
        .transpose()
}

/// Returns a path below the current folder relative to it: `otp.toml`.
fn shorter(file: &Path) -> PathBuf {
    let current = std::env::current_dir().unwrap_or_default();
    file.strip_prefix(current).unwrap_or(file).to_owned()
}
