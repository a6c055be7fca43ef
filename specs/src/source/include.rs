//! Included files come from the caller, because specs does no IO.

use std::sync::Arc;

use super::unit::Unit;

/// A `-include` or `-include_lib`.
#[derive(Debug, Clone, Copy)]
pub struct Include<'a> {
    /// The file as written, e.g. `kernel/include/file.hrl`; may start with `$VARIABLE/`.
    pub name: &'a str,
    /// `-include_lib`: after the search path, the first component names an application.
    pub lib: bool,
    /// The path of the file that includes it. Its directory is searched first.
    pub from: &'a str,
}

/// Finds included files.
pub trait Includes {
    /// Returns the file, cut into forms. The caller may keep a unit and return it again; it must
    /// have been read for the same release.
    fn include(&self, include: &Include<'_>) -> Option<Arc<Unit>>;

    /// Returns why a file that [`Includes::include`] did not return cannot be read; `None` if there
    /// is no such file.
    fn unreadable(&self, include: &Include<'_>) -> Option<String> {
        let _ = include;
        None
    }
}

/// Finds no file: every include is a diagnostic.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoIncludes;

impl Includes for NoIncludes {
    fn include(&self, _: &Include<'_>) -> Option<Arc<Unit>> {
        None
    }
}

impl<F: Fn(&Include<'_>) -> Option<Arc<Unit>>> Includes for F {
    fn include(&self, include: &Include<'_>) -> Option<Arc<Unit>> {
        self(include)
    }
}
