//! The Lua interpreter, restricted to what scripts may use.
//!
//! Lua trusts its bytecode: a manipulated chunk can read and write any memory. So scripts can
//! neither load bytecode nor obtain any. All code that scripts load goes through [`compile`], and
//! Lua's own functions for loading are removed.

use std::fmt;
use std::sync::Arc;

use hashbrown::HashMap;
use mlua::{
    ChunkMode, Function, HookTriggers, IntoLuaMulti, Lua, LuaOptions, MultiValue, Result, StdLib,
    Table, Value, VmState,
};

use super::gate::Gate;
use super::libraries::{self, Refused};
use super::name_of;
use crate::server::VERSION;
use crate::store::{Bytes, FunctionLibrary, LibraryFunction};

/// Memory limit of all scripts together.
pub const MEMORY: usize = 256 << 20;
/// An interpreter that uses more memory after a script is replaced. Lua fails at the limit even if
/// most of its memory is garbage.
const KEPT: usize = MEMORY / 4;
/// Number of instructions between two checks whether the script was killed. A single instruction
/// may take long, because it can compare texts of any length.
const INSTRUCTIONS: u32 = 1000;

/// A state of Lua. Scripts use it one after the other.
pub struct Interpreter {
    lua: Lua,
    run: Function,
    load: Function,
    compiled: HashMap<Arc<str>, Function>,
    /// The libraries whose code has run, and the functions that it has registered.
    pub(super) libraries: HashMap<Bytes, (Arc<FunctionLibrary>, Vec<Function>)>,
}

/// The purpose of an interpreter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Use {
    /// Scripts (EVAL).
    Scripts,
    /// Libraries of functions (FCALL).
    Functions,
}

/// A function that the code of a library has registered.
pub(super) struct Registered {
    pub function: LibraryFunction,
    pub callback: Function,
}

impl fmt::Debug for Interpreter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Interpreter({} scripts)", self.compiled.len())
    }
}

/// A question of a script to the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Question {
    /// Call a command.
    Call {
        /// Whether the script has chosen RESP3.
        is_resp3: bool,
    },
    /// May the user run a command?
    May,
}

/// Result of a script.
pub struct Outcome {
    /// Whether the script has returned instead of failing.
    pub has_returned: bool,
    /// The script's result, or its error: a table with `err` and `line`.
    pub value: Value,
    /// The version of the protocol that the script has chosen.
    pub resp: i64,
}

/// Returns the current line of the running script.
pub fn line(lua: &Lua) -> Option<usize> {
    /// Maximum number of stack levels to search.
    const DEEPEST: usize = 200;
    for level in 0..DEEPEST {
        let found = lua.inspect_stack(level, |debug| {
            let source = debug.source().source;
            let is_script = matches!(source.as_deref(), Some("@user_script" | "@user_function"));
            is_script.then(|| debug.current_line()).flatten()
        })?;
        if found.is_some() {
            return found;
        }
    }
    None
}

/// The error of a function.
#[derive(Debug)]
struct Failure(String);

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Failure {}

/// Wraps a function: if its first result is nil, the wrapper fails with its second result, a text.
fn export(lua: &Lua, run: Function) -> Result<Function> {
    lua.create_function(move |_, arguments: MultiValue| {
        let results: MultiValue = run.call(arguments)?;
        match (results.front(), results.get(1)) {
            (Some(Value::Nil), Some(Value::String(why))) => {
                Err(mlua::Error::external(Failure(why.to_string_lossy())))
            }
            _ => Ok(results),
        }
    })
}

/// Returns the text of a Rust error. If the script has not caught it, the text starts with a code.
fn why(error: &Value, is_uncaught: bool) -> String {
    let Value::Error(error) = error else {
        return "ERR unknown error".to_owned();
    };
    let mut cause: &mlua::Error = error;
    while let mlua::Error::CallbackError { cause: inner, .. } = cause {
        cause = inner;
    }
    if let Some(Refused(text)) = cause.downcast_ref() {
        return match is_uncaught {
            true => format!("ERR {text}"),
            false => text.clone(),
        };
    }
    match cause.downcast_ref::<Failure>() {
        Some(Failure(text)) => text.clone(),
        None => match cause {
            mlua::Error::RuntimeError(text) => format!("ERR {text}"),
            other => format!("ERR {other}"),
        },
    }
}

fn host(lua: &Lua, of: Use) -> Result<Table> {
    let host = lua.create_table()?;
    host.set("is_for_functions", of == Use::Functions)?;
    host.set("version", VERSION)?;
    let load = |lua: &Lua, (text, name): (mlua::String, mlua::String)| compile(lua, &text, &name);
    host.set("compile", lua.create_function(load)?)?;
    host.set(
        "loadstring",
        libraries::function(lua, "loadstring", |them| {
            let text = them.text(1)?;
            let name = match them.get(2) {
                None | Some(Value::Nil) => text.clone(),
                Some(_) => them.text(2)?,
            };
            compile(them.lua, &text, &name)
        })?,
    )?;
    host.set(
        "check_reader",
        libraries::function(lua, "load", |them| match them.get(1) {
            Some(Value::Function(_)) => them.results(()),
            _ => Err(them.expected(1, "function")),
        })?,
    )?;
    host.set("patterns", libraries::strings(lua)?)?;
    let sha1 = lua.create_function(|_, text: mlua::String| Ok(name_of(&text.as_bytes())))?;
    host.set("sha1hex", sha1)?;
    let log = lua.create_function(|_, text: mlua::String| {
        println!("{}", text.to_string_lossy());
        Ok(())
    })?;
    host.set("log", log)?;
    host.set("export", lua.create_function(export)?)?;
    let why = |_: &Lua, (error, is_uncaught): (Value, Option<bool>)| {
        Ok(why(&error, is_uncaught == Some(true)))
    };
    host.set("why", lua.create_function(why)?)?;
    host.set("libraries", libraries::all(lua)?)?;
    host.set("line", lua.create_function(|lua, ()| Ok(line(lua)))?)?;
    Ok(host)
}

/// Compiles a text for a script, as `loadstring` does: returns a function, or `nil` and the error.
fn compile(lua: &Lua, text: &mlua::String, name: &mlua::String) -> Result<MultiValue> {
    let name = name.to_string_lossy();
    // In Lua, the name of a chunk ends at a zero byte.
    let name = name.split('\0').next().unwrap_or_default();
    let text = text.as_bytes();
    let chunk = lua.load(&*text).set_name(name).set_mode(ChunkMode::Text);
    match chunk.into_function() {
        Ok(function) => function.into_lua_multi(lua),
        Err(mlua::Error::SyntaxError { message, .. }) => (Value::Nil, message).into_lua_multi(lua),
        Err(other) => Err(other),
    }
}

/// Removes the functions that load bytecode, files or C code, and those that create bytecode.
fn remove_loaders(lua: &Lua) -> Result<()> {
    let globals = lua.globals();
    for name in [
        "load",
        "loadstring",
        "loadfile",
        "dofile",
        "require",
        "module",
        "package",
    ] {
        globals.raw_remove(name)?;
    }
    globals.get::<Table>("string")?.raw_remove("dump")
}

impl Interpreter {
    /// Creates an interpreter.
    ///
    /// # Errors
    /// Out of memory.
    pub(super) fn new(gate: &Arc<Gate>, of: Use) -> Result<Self> {
        let libraries = StdLib::STRING | StdLib::TABLE | StdLib::MATH;
        let lua = Lua::new_with(libraries, LuaOptions::new().catch_rust_panics(false))?;
        lua.set_memory_limit(MEMORY)?;
        lua.set_app_data(Arc::clone(gate));
        remove_loaders(&lua)?;
        let prelude = lua.load(include_str!("prelude.lua"));
        let (run, face, load): (Function, Table, Function) =
            prelude.set_name("@prelude").call(host(&lua, of)?)?;
        lua.set_globals(face)?;
        let gate = Arc::clone(gate);
        let triggers = HookTriggers::new().every_nth_instruction(INSTRUCTIONS);
        lua.set_global_hook(triggers, move |lua, _| {
            if !gate.is_killed() {
                return Ok(VmState::Continue);
            }
            // `pcall` catches this error, but the next instruction fails again.
            let gate = Arc::clone(&gate);
            lua.set_hook(HookTriggers::EVERY_LINE, move |_, _| ended(&gate))?;
            Err(killed())
        })?;
        Ok(Interpreter {
            lua,
            run,
            load,
            compiled: HashMap::new(),
            libraries: HashMap::new(),
        })
    }

    /// Returns whether the interpreter should be replaced.
    #[must_use]
    pub fn is_used_up(&self) -> bool {
        self.lua.used_memory() > KEPT
    }

    /// Compiles a script to a function.
    ///
    /// # Errors
    /// The mistake in the script.
    pub fn compile(&mut self, name: &Arc<str>, text: &[u8]) -> Result<Function> {
        if let Some(function) = self.compiled.get(name) {
            return Ok(function.clone());
        }
        let chunk = self.lua.load(text).set_name("@user_script");
        let function = chunk.set_mode(ChunkMode::Text).into_function()?;
        self.compiled.insert(Arc::clone(name), function.clone());
        Ok(function)
    }

    /// Runs the code of a library without its first line. Returns the functions that it registers.
    ///
    /// # Errors
    /// The error for the client.
    pub(super) fn load(&self, code: &[u8]) -> std::result::Result<Vec<Registered>, String> {
        let chunk = self.lua.load(code).set_name("@user_function");
        let chunk = chunk.set_mode(ChunkMode::Text).into_function();
        let chunk = chunk.map_err(|error| {
            let why = match error {
                mlua::Error::SyntaxError { message, .. } => message,
                other => other.to_string(),
            };
            format!("ERR Error compiling function: {why}")
        })?;
        let failed = |why: &str| {
            let why = why.lines().next().unwrap_or_default();
            format!("ERR Error registering functions: {why}")
        };
        let broken = |error: mlua::Error| failed(&format!("ERR {error}"));
        let result: (Option<Vec<Table>>, Option<String>) = self.load.call(chunk).map_err(broken)?;
        match result {
            (Some(all), _) => {
                let all = all.iter().map(super::functions::registered);
                all.collect::<Result<_>>().map_err(broken)
            }
            (None, why) => Err(failed(&why.unwrap_or_default())),
        }
    }

    /// Runs a script or a function. It calls the server through `ask`, with its question and the
    /// words.
    ///
    /// # Errors
    /// Out of memory, or a broken interpreter.
    pub fn run(
        &self,
        script: &Function,
        keys: &[&[u8]],
        arguments: &[&[u8]],
        mut ask: impl FnMut(&Lua, Question, MultiValue) -> Result<Value>,
    ) -> Result<Outcome> {
        let list = |words: &[&[u8]]| {
            let words = words.iter().map(|it| self.lua.create_string(it));
            self.lua
                .create_sequence_from(words.collect::<Result<Vec<_>>>()?)
        };
        let (keys, arguments) = (list(keys)?, list(arguments)?);
        self.lua.scope(|scope| {
            let ask = scope.create_function_mut(|lua, mut words: MultiValue| {
                let question = match words.pop_front().and_then(|it| it.as_i64()) {
                    Some(0) => Question::May,
                    Some(3) => Question::Call { is_resp3: true },
                    _ => Question::Call { is_resp3: false },
                };
                ask(lua, question, words)
            })?;
            let (has_returned, value, resp) = self.run.call((script, ask, keys, arguments))?;
            Ok(Outcome {
                has_returned,
                value,
                resp,
            })
        })
    }
}

pub(super) fn killed() -> mlua::Error {
    mlua::Error::runtime("Script killed by user with SCRIPT KILL.")
}

fn ended(gate: &Gate) -> Result<VmState> {
    match gate.is_killed() {
        true => Err(killed()),
        false => Ok(VmState::Continue),
    }
}
