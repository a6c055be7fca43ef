//! Arguments of all commands that work on an application.

use std::path::PathBuf;

use clap::Args;

/// Which application a command works on.
#[derive(Args)]
pub(crate) struct Manifest {
    /// Path of the application's Cargo.toml, instead of the one of the current folder
    #[arg(long = "manifest-path", value_name = "PATH", display_order = 800)]
    pub(crate) path: Option<PathBuf>,
}

/// How cargo builds the application.
#[derive(Args)]
pub(crate) struct BuildArgs {
    #[command(flatten)]
    pub(crate) manifest: Manifest,
    /// Build with optimisations
    #[arg(long)]
    pub(crate) release: bool,
    /// Build with this profile of Cargo.toml
    #[arg(long, value_name = "NAME", conflicts_with = "release")]
    pub(crate) profile: Option<String>,
}
