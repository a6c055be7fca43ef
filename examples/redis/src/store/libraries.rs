//! The libraries of functions (FUNCTION LOAD), as data. [`crate::scripting`] runs their code.
//!
//! Stripe 0 of database 0 guards them like its keys: a command that changes libraries locks this
//! stripe, so its record in the log is on the same side of a copy as the libraries.

use std::sync::Arc;

use super::Bytes;
use super::locked::write_command;

/// The permissions of a script or a function.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ScriptFlags(u8);

/// The names of the flags. The position of a name is its bit.
const FLAGS: [&str; 5] = [
    "no-writes",
    "allow-oom",
    "allow-stale",
    "no-cluster",
    "allow-cross-slot-keys",
];

impl ScriptFlags {
    /// Adds a flag by its name. Returns whether there is one with this name.
    pub fn add(&mut self, name: &str) -> bool {
        let bit = FLAGS.iter().position(|it| *it == name);
        bit.map(|bit| self.0 |= 1 << bit).is_some()
    }

    /// Returns whether a flag is set.
    #[must_use]
    pub fn has(self, name: &str) -> bool {
        self.names().any(|it| it == name)
    }

    /// Iterates over the names of the flags that are set.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        let all = FLAGS.into_iter().enumerate();
        all.filter(move |(bit, _)| self.0 & 1 << bit != 0)
            .map(|(_, name)| name)
    }
}

/// A function of a library.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LibraryFunction {
    /// The name, with which FCALL finds the function in any case of its letters.
    pub name: Bytes,
    /// A text for people.
    pub description: Option<Bytes>,
    /// The permissions of the function.
    pub flags: ScriptFlags,
}

/// A library.
#[derive(Debug)]
pub struct FunctionLibrary {
    /// The name in its first line.
    pub name: Bytes,
    /// The code with the first line.
    pub code: Bytes,
    /// The functions in the order in which the code has registered them.
    pub functions: Vec<LibraryFunction>,
}

/// All libraries, in the order in which they were loaded.
#[derive(Debug, Default, Clone)]
pub struct FunctionLibraries {
    all: Vec<Arc<FunctionLibrary>>,
}

impl FunctionLibraries {
    /// Iterates over the libraries.
    pub fn iter(&self) -> impl Iterator<Item = &FunctionLibrary> {
        self.all.iter().map(|it| &**it)
    }

    /// Returns a function with its library, by the name in any case of its letters.
    #[must_use]
    pub fn find(&self, name: &[u8]) -> Option<(Arc<FunctionLibrary>, usize)> {
        self.all.iter().find_map(|library| {
            let mut functions = library.functions.iter();
            let at = functions.position(|it| it.name.eq_ignore_ascii_case(name))?;
            Some((Arc::clone(library), at))
        })
    }

    /// Returns whether there is a library with this name.
    #[must_use]
    pub fn has(&self, name: &[u8]) -> bool {
        self.iter().any(|it| *it.name == *name)
    }

    /// Adds libraries, all of them or none. They may replace libraries with their names.
    ///
    /// # Errors
    /// The error for the client, if a name is taken.
    pub fn add(
        &mut self,
        libraries: Vec<Arc<FunctionLibrary>>,
        replaces: bool,
    ) -> Result<(), String> {
        let mut all = self.all.clone();
        for library in &libraries {
            if replaces {
                all.retain(|it| it.name != library.name);
            } else if self.has(&library.name) {
                let name = String::from_utf8_lossy(&library.name);
                return Err(format!("ERR Library {name} already exists"));
            }
        }
        let mut others = FunctionLibraries { all };
        for library in libraries {
            if let Some(taken) = library.functions.iter().find(|it| others.has_function(it)) {
                let name = String::from_utf8_lossy(&taken.name);
                return Err(format!("ERR Function {name} already exists"));
            }
            others.all.push(library);
        }
        *self = others;
        Ok(())
    }

    fn has_function(&self, function: &LibraryFunction) -> bool {
        self.find(&function.name).is_some()
    }

    /// Removes a library. Returns whether there was one with this name.
    pub fn remove(&mut self, name: &[u8]) -> bool {
        let count = self.all.len();
        self.all.retain(|it| *it.name != *name);
        self.all.len() < count
    }

    /// Encodes commands that load the libraries.
    pub(super) fn write(&self, to: &mut Vec<u8>) {
        for library in self.iter() {
            write_command(to, &[b"FUNCTION", b"LOAD", &library.code]);
        }
    }
}
