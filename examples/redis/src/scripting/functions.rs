//! Running libraries of functions: FUNCTION LOAD and FCALL.
//!
//! The store has the libraries as data. An interpreter of its own runs their code, and keeps the
//! functions that the code registers. If this interpreter is replaced, it runs a library again when
//! one of its functions is called.

use std::sync::{Arc, MutexGuard, PoisonError};
use std::time::Duration;

use mlua::Table;

use super::Scripts;
use super::head::of_library;
use super::interpreter::{Interpreter, Registered, Use};
use super::jobs::on_large_stack;
use crate::server::Server;
use crate::store::{Bytes, FunctionLibraries, FunctionLibrary, LibraryFunction, Store};

/// Maximum time that the code of a library may take to register its functions.
pub const LOADING: Duration = Duration::from_millis(500);

/// What FUNCTION RESTORE does with the present libraries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RestorePolicy {
    /// Keeps them, and fails if a name is taken.
    Append,
    /// Replaces those with equal names.
    Replace,
    /// Removes them.
    Flush,
}

impl Server {
    /// Loads a library from a file or from the master.
    ///
    /// # Errors
    /// The mistake in its code, or a name that is taken.
    pub fn load_library(&self, code: &[u8]) -> Result<(), String> {
        let loaded = self.scripts.load_library(&self.store, code, false, None);
        loaded.map(drop)
    }
}

impl Scripts {
    /// Locks the interpreter of functions.
    pub fn functions(&self) -> MutexGuard<'_, Option<Interpreter>> {
        let functions = self.functions.lock();
        functions.unwrap_or_else(PoisonError::into_inner)
    }

    /// Loads a library, and returns its name. Its code runs for a limited time.
    ///
    /// # Errors
    /// The error for the client.
    pub fn load_library(
        &self,
        store: &Store,
        code: &[u8],
        replaces: bool,
        limit: Option<Duration>,
    ) -> Result<Bytes, String> {
        let name = Bytes::from(of_library(code)?.name);
        if !replaces && store.libraries().has(&name) {
            let name = String::from_utf8_lossy(&name);
            return Err(format!("ERR Library '{name}' already exists"));
        }
        let library = self.run_library(code, limit)?;
        store.libraries().add(vec![library], replaces)?;
        Ok(name)
    }

    /// Loads libraries from the payload of FUNCTION DUMP: all of them, or none.
    ///
    /// # Errors
    /// The error for the client.
    pub fn restore_libraries(
        &self,
        store: &Store,
        codes: &[Bytes],
        policy: RestorePolicy,
        limit: Option<Duration>,
    ) -> Result<(), String> {
        let mut loaded: Vec<Arc<FunctionLibrary>> = Vec::new();
        for code in codes {
            let library = self.run_library(code, limit)?;
            if loaded.iter().any(|it| it.name == library.name) {
                let name = String::from_utf8_lossy(&library.name);
                return Err(format!("ERR Library '{name}' already exists"));
            }
            loaded.push(library);
        }
        if policy != RestorePolicy::Flush {
            let replaces = policy == RestorePolicy::Replace;
            return store.libraries().add(loaded, replaces);
        }
        let mut libraries = FunctionLibraries::default();
        libraries.add(loaded, false)?;
        *store.libraries() = libraries;
        Ok(())
    }

    /// Removes all libraries.
    pub fn forget_libraries(&self, store: &Store) {
        *store.libraries() = FunctionLibraries::default();
        self.retire(&mut self.functions());
    }

    /// Removes a library. Returns whether there was one with this name.
    pub fn forget_library(&self, store: &Store, name: &[u8]) -> bool {
        if let Some(interpreter) = &mut *self.functions() {
            interpreter.libraries.remove(name);
        }
        store.libraries().remove(name)
    }

    /// Returns the compiled function of a library. If the interpreter does not have it, the
    /// library's code runs again.
    ///
    /// # Errors
    /// The error for the client.
    pub fn library_function(
        &self,
        interpreter: &mut Option<Interpreter>,
        library: &Arc<FunctionLibrary>,
        at: usize,
    ) -> Result<mlua::Function, String> {
        let ready = self.ready(interpreter, Use::Functions)?;
        let known = ready.libraries.get(&library.name);
        if let Some((_, all)) = known.filter(|(it, _)| Arc::ptr_eq(it, library)) {
            return all.get(at).cloned().ok_or_else(|| NO_FUNCTION.to_owned());
        }
        let rest = of_library(&library.code)?.rest;
        let registered = ready.load(rest)?;
        let all: Vec<_> = registered.into_iter().map(|it| it.callback).collect();
        let found = all.get(at).cloned();
        let entry = (Arc::clone(library), all);
        ready.libraries.insert(library.name.clone(), entry);
        found.ok_or_else(|| NO_FUNCTION.to_owned())
    }

    /// Runs the code of a library, and keeps the functions that it registers.
    fn run_library(
        &self,
        code: &[u8],
        limit: Option<Duration>,
    ) -> Result<Arc<FunctionLibrary>, String> {
        let ran = on_large_stack(|| self.run_library_here(code, limit));
        ran.unwrap_or_else(|error| Err(format!("ERR {error}")))
    }

    fn run_library_here(
        &self,
        code: &[u8],
        limit: Option<Duration>,
    ) -> Result<Arc<FunctionLibrary>, String> {
        let head = of_library(code)?;
        let mut interpreter = self.functions();
        let ready = self.ready(&mut interpreter, Use::Functions)?;
        self.gate.begin_loading(limit);
        let registered = ready.load(head.rest);
        let is_late = self.gate.end_loading();
        if is_late || ready.is_used_up() {
            self.retire(&mut interpreter);
        }
        let registered = match registered {
            Err(_) if is_late => {
                let why = "ERR Error registering functions: ERR FUNCTION LOAD timeout";
                return Err(why.to_owned());
            }
            other => other?,
        };
        if registered.is_empty() {
            return Err("ERR No functions registered".to_owned());
        }
        let (functions, callbacks): (Vec<_>, Vec<_>) = registered
            .into_iter()
            .map(|it| (it.function, it.callback))
            .unzip();
        let name = Bytes::from(head.name);
        let library = Arc::new(FunctionLibrary {
            name: name.clone(),
            code: code.into(),
            functions,
        });
        if let Some(ready) = &mut *interpreter {
            let entry = (Arc::clone(&library), callbacks);
            ready.libraries.insert(name, entry);
        }
        Ok(library)
    }
}

const NO_FUNCTION: &str = "ERR Function not found";

/// Reads a function that the code of a library has registered.
pub(super) fn registered(table: &Table) -> mlua::Result<Registered> {
    let text = |it: mlua::String| Bytes::from(&*it.as_bytes());
    let mut function = LibraryFunction {
        name: text(table.get("name")?),
        description: table.get::<Option<mlua::String>>("description")?.map(text),
        flags: Default::default(),
    };
    for flag in table.get::<Vec<String>>("flags")? {
        function.flags.add(&flag);
    }
    Ok(Registered {
        function,
        callback: table.get("callback")?,
    })
}
