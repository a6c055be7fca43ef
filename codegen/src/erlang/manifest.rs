//! What a built library says of itself, read from `manifest/0` of its module.

use serde::Deserialize;

/// The callback modules that a library holds.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Manifest {
    /// In order of their names.
    pub modules: Vec<Module>,
}

/// A Rust type that implements a behaviour, seen as an Erlang module.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Module {
    /// Name of the Erlang module.
    pub module: String,
    /// Name of the behaviour.
    pub behaviour: String,
    /// Path of the Rust type, for messages.
    pub rust_type: String,
    /// The callbacks that are implemented.
    pub callbacks: Vec<Callback>,
    /// Functions of the behaviour that start a process.
    pub start: Vec<StartFunction>,
    /// The types of `format_status/1`, where the behaviour asks for it, the type does not define
    /// it, and its `Debug` form is to be shown instead.
    pub shows_state: Option<Signature>,
    /// The name of the state's type, where the behaviour has a state.
    pub state: Option<String>,
    /// The types that the module defines.
    pub types: Vec<TypeDefinition>,
}

/// `-type name() :: text.`
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct TypeDefinition {
    /// Its name.
    pub name: String,
    /// What it stands for, as Erlang text.
    pub text: String,
}

/// The types of a function, as Erlang text.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Signature {
    /// One for each argument.
    pub arguments: Vec<String>,
    /// Members of the union that it returns.
    pub returns: Vec<String>,
}

/// One implemented callback.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Callback {
    /// Place in the library's table; first argument of the library's `callback` function.
    pub id: u32,
    /// Name in Erlang.
    pub name: String,
    /// Number of arguments.
    pub arity: usize,
    /// What it returns without asking the library: a list of these atoms.
    #[serde(default)]
    pub answer: Vec<String>,
    /// Its types.
    pub signature: Signature,
}

/// A function such as `gen_server:start_link/3`, by its argument names.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct StartFunction {
    /// Name in the behaviour's module.
    pub name: String,
    /// Argument names in order; `Module` stands for the callback module itself.
    pub arguments: Vec<String>,
    /// Its types, without that of the module.
    pub signature: Signature,
}

impl Manifest {
    /// Reads the JSON text that the library prints.
    ///
    /// # Errors
    /// A sentence of what is wrong with the text.
    pub fn from_json(text: &str) -> Result<Self, String> {
        serde_json::from_str(text).map_err(|error| format!("the library's manifest: {error}"))
    }
}
