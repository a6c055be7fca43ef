//! `[release]`: the contents of releases that `cargo otp release` packs.
//!
//! ```toml
//! [release]
//! config = "sys.config"
//! applications = ["runtime_tools"]
//! log_bytes = 10_000_000
//! log_files = 5
//! ```

use toml_edit::TableLike;

use super::reader::Reader;
use crate::report::Result;

/// The table's name.
pub(super) const TABLE: &str = "release";

/// `[release]`
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct ReleaseConfig {
    /// Erlang's configuration file, beside otp.toml.
    pub(crate) config: Option<String>,
    /// Applications in addition to those that the application needs.
    pub(crate) applications: Vec<String>,
    /// The size in bytes at which a log file is rotated.
    pub(crate) log_bytes: i64,
    /// The number of older log files that are kept.
    pub(crate) log_files: i64,
}

impl Default for ReleaseConfig {
    fn default() -> Self {
        ReleaseConfig {
            config: None,
            applications: Vec::new(),
            log_bytes: 10_000_000,
            log_files: 5,
        }
    }
}

/// Reads `[release]`, which may be missing.
pub(super) fn release(reader: &Reader<'_>, root: &dyn TableLike) -> Result<ReleaseConfig> {
    let mut release = ReleaseConfig::default();
    if !root.contains_key(TABLE) {
        return Ok(release);
    }
    let table = reader.table(root, TABLE)?;
    let prefix = "release.";
    let known = ["config", "applications", "log_bytes", "log_files"];
    reader.only(table, prefix, &known)?;
    if table.contains_key("config") {
        release.config = Some(reader.string(table, prefix, "config")?.0);
    }
    release.applications = reader.atoms(table, prefix, "applications")?;
    let log_bytes = reader.integer(table, prefix, "log_bytes", 1000..=1_000_000_000_000)?;
    let log_files = reader.integer(table, prefix, "log_files", 0..=10_000)?;
    release.log_bytes = log_bytes.unwrap_or(release.log_bytes);
    release.log_files = log_files.unwrap_or(release.log_files);
    Ok(release)
}
