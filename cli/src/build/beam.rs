//! Checks of compiled modules that this build has not made.

use std::io;
use std::path::Path;

use otp_specs::catalog::{BAD_CHUNK, NOT_A_BEAM};

use crate::files::read_regular;

/// Returns why a file is not the module with this name, as a compiler has written it.
///
/// # Errors
/// The file cannot be read.
pub(crate) fn mistake(file: &Path, module: &str) -> io::Result<Option<String>> {
    let bytes = read_regular(file)?;
    let parsed = otp_specs::parse_beam(&file.to_string_lossy(), &bytes);
    let mut diagnostics = parsed.diagnostics.iter();
    let damaged = diagnostics.find(|it| [NOT_A_BEAM.code, BAD_CHUNK.code].contains(&it.code));
    Ok(match (damaged, parsed.module.name) {
        (None, Some(name)) if name.as_str() == module => None,
        (None, Some(name)) => Some(format!("it contains the module `{name}`")),
        (None, None) => Some("it has no name".to_owned()),
        (Some(damaged), _) => Some(damaged.label.clone()),
    })
}
