//! The Erlang module of the functions under `#[rustler::nif]` (feature `nifs`).

use std::panic::Location;

use otp_contract::limits::CALLBACK_ARITY;
use otp_contract::manifest::{Callback, Module};

use super::{CallbackFacts, Signature};
use crate::nif::{RustlerLoad, RustlerNif, rustler_nifs};

/// The module that `nifs!` names. Submitted by `nifs!`.
pub struct NativeModule {
    /// Name of the Erlang module.
    pub name: &'static str,
    /// Path of the Rust module.
    pub rust_path: &'static str,
    /// The line of `nifs!`.
    pub location: &'static Location<'static>,
    /// A function that is called when the library is loaded.
    pub load: Option<RustlerLoad>,
}

inventory::collect!(NativeModule);

/// Returns the library's module, if it has one.
pub(crate) fn module() -> Option<&'static NativeModule> {
    inventory::iter::<NativeModule>().next()
}

/// Returns its functions, sorted by name.
pub(super) fn functions() -> Vec<RustlerNif> {
    let mut functions: Vec<RustlerNif> = match module() {
        Some(_) => rustler_nifs().collect(),
        None => Vec::new(),
    };
    functions.sort_by_key(|function| (function.name(), function.arity()));
    functions
}

/// Returns the description of the module. Its functions have the ids from `first_id` on.
///
/// # Panics
/// If a function has more arguments than a call of the library takes.
pub(super) fn manifest(module: &NativeModule, functions: &[RustlerNif], first_id: usize) -> Module {
    let function = |(index, function): (usize, &RustlerNif)| {
        let (name, arity) = (function.name(), function.arity());
        assert!(
            arity <= CALLBACK_ARITY,
            "{}:{name}/{arity}: a function has at most {CALLBACK_ARITY} arguments",
            module.name
        );
        let any = || "term()".to_owned();
        Callback {
            id: first_id + index,
            name: name.to_owned(),
            arity,
            doc: String::new(),
            facts: CallbackFacts::default(),
            replies: Vec::new(),
            answer: Vec::new(),
            clauses: Vec::new(),
            signature: Signature {
                arguments: vec![any(); arity],
                returns: vec![any()],
            },
        }
    };
    Module {
        module: module.name.to_owned(),
        behaviour: None,
        rust_path: module.rust_path.to_owned(),
        location: super::manifest::location(module.location),
        doc: String::new(),
        left_out: Vec::new(),
        protocol: None,
        state: None,
        types: Vec::new(),
        callbacks: functions.iter().enumerate().map(function).collect(),
        start: Vec::new(),
        refuses_command_line: None,
        used_names: Vec::new(),
    }
}
