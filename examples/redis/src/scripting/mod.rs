//! Lua scripts: EVAL and its variants, and libraries of functions.
//!
//! ```text
//! a connection ── Job (the client, its requests) ──> Scripter: closes the Gate, runs the script in the Interpreter ──> the connection
//! ```
//!
//! A script runs in a process of its own, on a dirty scheduler, while the gate makes all other
//! commands wait. So it is atomic as in Redis, and does not block a scheduler of the VM, however
//! long it takes.

mod functions;
mod gate;
mod head;
mod interpreter;
mod jobs;
mod libraries;
mod values;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use hashbrown::HashMap;
use sha1::{Digest, Sha1};

pub use functions::{LOADING, RestorePolicy};
pub use gate::{Gate, Running, Turn};
pub use interpreter::{Interpreter, Outcome, Question};
pub use jobs::{Done, Scripter};
pub use values::{double, to_lua, to_reply};

use interpreter::Use;
use jobs::Jobs;

use crate::store::ScriptFlags;

/// The known scripts, and the interpreter.
#[derive(Debug, Default)]
pub struct Scripts {
    /// The gate that lets a script run alone.
    pub gate: Arc<Gate>,
    known: Mutex<HashMap<Arc<str>, Arc<Script>>>,
    interpreter: Mutex<Option<Interpreter>>,
    /// The interpreter of libraries of functions.
    functions: Mutex<Option<Interpreter>>,
    /// Interpreters that are no longer used. Freeing their memory takes long.
    retired: Mutex<Vec<Interpreter>>,
    jobs: Jobs,
}

/// A script.
#[derive(Debug)]
pub struct Script {
    /// SHA-1 of the text in hexadecimal digits.
    pub name: Arc<str>,
    text: Vec<u8>,
    /// The flags in the first line, if it is `#!lua`.
    pub flags: Option<ScriptFlags>,
}

/// Returns the SHA-1 of a text in hexadecimal digits.
#[must_use]
pub fn name_of(text: &[u8]) -> String {
    let digest = Sha1::digest(text);
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

impl Scripts {
    fn known(&self) -> MutexGuard<'_, HashMap<Arc<str>, Arc<Script>>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the number of known scripts.
    #[must_use]
    pub fn count(&self) -> usize {
        self.known().len()
    }

    /// Locks the interpreter. Scripts run one at a time.
    pub fn interpreter(&self) -> MutexGuard<'_, Option<Interpreter>> {
        let interpreter = self.interpreter.lock();
        interpreter.unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the script with a name in hexadecimal digits.
    #[must_use]
    pub fn find(&self, name: &[u8]) -> Option<Arc<Script>> {
        let name = String::from_utf8_lossy(name).to_ascii_lowercase();
        self.known().get(name.as_str()).cloned()
    }

    /// Adds a script. Returns it.
    ///
    /// # Errors
    /// The mistake in the script.
    pub fn add(&self, text: &[u8]) -> Result<Arc<Script>, String> {
        if let Some(script) = self.find(name_of(text).as_bytes()) {
            return Ok(script);
        }
        let script = Arc::new(Script::read(text)?);
        self.function(&mut self.interpreter(), &script)?;
        self.known()
            .insert(Arc::clone(&script.name), Arc::clone(&script));
        Ok(script)
    }

    /// Forgets all scripts.
    pub fn clear(&self) {
        self.known().clear();
        self.retire(&mut self.interpreter());
    }

    /// Takes an interpreter out of use. [`Scripter`] frees it later, while commands run.
    pub fn retire(&self, interpreter: &mut Option<Interpreter>) {
        let mut retired = self.retired.lock().unwrap_or_else(PoisonError::into_inner);
        retired.extend(interpreter.take());
        self.jobs.wish.wish();
    }

    /// Returns the compiled function of a script.
    ///
    /// # Errors
    /// The mistake in the script.
    pub fn function(
        &self,
        interpreter: &mut Option<Interpreter>,
        script: &Script,
    ) -> Result<mlua::Function, String> {
        let ready = self.ready(interpreter, Use::Scripts)?;
        let compiled = ready.compile(&script.name, &script.text);
        compiled.map_err(|error| {
            let why = match &error {
                mlua::Error::SyntaxError { message, .. } => message.clone(),
                other => other.to_string(),
            };
            format!("ERR Error compiling script (new function): {why}")
        })
    }

    fn ready<'i>(
        &self,
        interpreter: &'i mut Option<Interpreter>,
        of: Use,
    ) -> Result<&'i mut Interpreter, String> {
        let new = || Interpreter::new(&self.gate, of).map_err(|error| format!("ERR {error}"));
        Ok(match interpreter {
            Some(ready) => ready,
            None => interpreter.insert(new()?),
        })
    }
}
