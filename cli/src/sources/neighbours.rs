//! The modules that a module refers to.

use std::path::PathBuf;

use otp_specs::{Lookup, Universe};

use super::{Library, Source};

/// Finds the modules to whose types one module refers: beside its file, or in OTP. A module that is
/// in neither is not checked: its types become dynamic terms, which are counted.
pub(crate) struct Neighbours<'a> {
    /// The module that refers to them.
    pub(crate) of: &'a Source,
    /// The available modules.
    pub(crate) library: &'a Library,
}

impl Neighbours<'_> {
    /// Returns the module with this name.
    pub(crate) fn find(&self, name: &str) -> Option<Source> {
        let beside = self.library.basis.endings().iter();
        let beside = beside
            .map(|ending| self.of.path.with_file_name(format!("{name}.{ending}")))
            .find(|path: &PathBuf| path.is_file())
            .map(|path| Source {
                path,
                other: None,
                application: self.of.application.clone(),
                listed: self.of.listed,
            });
        beside.or_else(|| self.library.modules.known(name).cloned())
    }
}

impl Universe for Neighbours<'_> {
    fn module(&mut self, name: &str) -> Lookup {
        let found = self.find(name).map(|source| self.library.parse(&source));
        match found {
            Some(Ok(parsed)) => Lookup::Found(parsed.module.clone()),
            _ => Lookup::Unchecked,
        }
    }
}
