//! The folders of this checkout.

use std::env;
use std::path::{Path, PathBuf};

/// Returns the workspace's root.
pub(crate) fn root() -> &'static Path {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here)
}

/// Returns the target folder of the workspace.
pub(crate) fn target() -> PathBuf {
    let set = env::var_os("CARGO_TARGET_DIR").map(std::path::absolute);
    set.and_then(Result::ok)
        .unwrap_or_else(|| root().join("target"))
}
