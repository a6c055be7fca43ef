//! `-type` and `-spec` lines.

use super::manifest::{Module, Signature, TypeDefinition};
use crate::text::atom;

/// How long a line may be before a union has a line for each member.
const WIDTH: usize = 100;

/// `-export_type([…]).` and the definitions; nothing for a module without types.
pub(super) fn types(module: &Module) -> String {
    let names = module
        .state
        .iter()
        .chain(module.types.iter().map(|ty| &ty.name));
    let exported: Vec<String> = names.map(|name| format!("{}/0", atom(name))).collect();
    if exported.is_empty() {
        return String::new();
    }
    let mut text = format!("-export_type([{}]).\n\n", exported.join(", "));
    if let Some(state) = &module.state {
        // What the library gave for the Rust value: nobody else can look into it.
        text += &format!("-opaque {}() :: reference().\n", atom(state));
    }
    for TypeDefinition { name, text: body } in &module.types {
        text += &format!("-type {}() :: {body}.\n", atom(name));
    }
    text
}

/// The `-spec` of a function.
pub(super) fn spec(function: &str, signature: &Signature) -> String {
    let head = format!(
        "-spec {}({}) ->",
        atom(function),
        signature.arguments.join(", ")
    );
    let members = &signature.returns;
    let line = format!("{head} {}.\n", members.join(" | "));
    if line.len() <= WIDTH {
        return line;
    }
    format!("{head}\n    {}.\n", members.join("\n  | "))
}
