//! A module as JSON, for `cargo otp build`, which writes its Erlang module from that.

use super::signature::{Signature, type_of_state};
use super::{CallbackEntry, ModuleEntry, StartFunction};
use crate::Definitions;
use crate::term::{quote_atom, words};

#[cfg(test)]
mod tests;

const FORMAT_STATUS: &str = "format_status";

/// What `module` is; its callbacks have the ids from `first_id` on.
pub(super) fn module(module: &ModuleEntry, first_id: usize) -> String {
    let typed = Typed::new(module);
    let own = &typed.definitions;
    let definitions = own.iter().map(|definition| {
        object([
            ("name", string(definition.name())),
            ("text", string(definition.text())),
        ])
    });
    let callbacks = module.callbacks.iter().zip(&typed.callbacks).enumerate();
    let callbacks = callbacks.map(|(place, (callback, signature))| {
        object([
            ("id", (first_id + place).to_string()),
            ("name", string(callback.name)),
            ("arity", callback.arity.to_string()),
            ("answer", strings(callback.answer)),
            ("signature", self::signature(signature)),
        ])
    });
    let start = module.behaviour.start.iter().zip(&typed.start);
    let start = start.map(|(start, signature)| {
        object([
            ("name", string(start.name)),
            ("arguments", strings(start.arguments)),
            ("signature", self::signature(signature)),
        ])
    });
    let shown = typed.shown.as_ref().map(self::signature);
    let state = typed.state.as_deref().map(string);
    object([
        ("module", string(module.name)),
        ("behaviour", string(module.behaviour.name)),
        ("rust_type", string(module.rust_type)),
        ("shows_state", shown.unwrap_or_else(|| "null".to_owned())),
        ("state", state.unwrap_or_else(|| "null".to_owned())),
        ("types", array(definitions)),
        ("callbacks", array(callbacks)),
        ("start", array(start)),
    ])
}

/// The types of a module.
struct Typed {
    /// The name of the state's type, where there is one.
    state: Option<String>,
    callbacks: Vec<Signature>,
    start: Vec<Signature>,
    /// Of `format_status/1`, where the run time shows the state.
    shown: Option<Signature>,
    definitions: Definitions,
}

impl Typed {
    fn new(module: &ModuleEntry) -> Self {
        let state = module.behaviour.state;
        let state_type = words(state);
        let mut types = Definitions::of_behaviour(module.behaviour.name);
        types.reserve(&state_type);
        let bound = [(state, type_of_state(state))];
        let callbacks: Vec<Signature> = module
            .callbacks
            .iter()
            .map(|callback| of_callback(module, callback, &bound, &mut types))
            .collect();
        let start = module.behaviour.start.iter();
        let start = start.map(|start| of_start(module, start, &mut types));
        let start = start.collect();
        let shown = module.shown().map(|form| form.with(&bound));
        let mut forms = module.behaviour.callbacks.iter();
        let has_state = forms.any(|callback| callback.form.mentions(state));
        Typed {
            state: has_state.then_some(state_type),
            callbacks,
            start,
            shown,
            definitions: types,
        }
    }
}

fn of_callback(
    module: &ModuleEntry,
    callback: &CallbackEntry,
    bound: &[(&str, String)],
    types: &mut Definitions,
) -> Signature {
    if !callback.answer.is_empty() {
        let atoms = callback.answer.iter().map(|atom| quote_atom(atom));
        return Signature {
            arguments: Vec::new(),
            returns: vec![format!("[{}, ...]", atoms.collect::<Vec<_>>().join(" | "))],
        };
    }
    if !callback.clauses.is_empty() {
        let clauses = callback.clauses.iter();
        let clauses: Vec<Signature> = clauses.map(|it| (it.signature)(types)).collect();
        return Signature::union(&clauses);
    }
    // Without a clause it refuses whatever the behaviour may call it with.
    let mut known = module.behaviour.callbacks.iter();
    let known = known.find(|known| known.name == callback.name && known.arity == callback.arity);
    match known {
        Some(known) => known.form.with(bound),
        None => Signature {
            arguments: vec!["term()".to_owned(); callback.arity],
            returns: vec!["term()".to_owned()],
        },
    }
}

/// `Module` is the module itself: its function does not take that.
fn of_start(module: &ModuleEntry, start: &StartFunction, types: &mut Definitions) -> Signature {
    let argument = (module.start_argument)(types);
    let mut signature = start.form.with(&[("Args", argument)]);
    let mut names = start.arguments.iter();
    signature
        .arguments
        .retain(|_| names.next().is_some_and(|name| *name != "Module"));
    signature
}

impl ModuleEntry {
    /// The form of `format_status/1`, where the behaviour has it, and this module leaves it and its
    /// older form to the run time.
    fn shown(&self) -> Option<&'static crate::Form> {
        let mut callbacks = self.behaviour.callbacks.iter();
        let form = callbacks.find(|it| it.name == FORMAT_STATUS && it.arity == 1)?;
        let mut own = self.callbacks.iter();
        (!own.any(|own| own.name == FORMAT_STATUS)).then_some(&form.form)
    }
}

fn signature(signature: &Signature) -> String {
    let all = |texts: &[String]| array(texts.iter().map(|text| string(text)));
    object([
        ("arguments", all(&signature.arguments)),
        ("returns", all(&signature.returns)),
    ])
}

fn object<const N: usize>(entries: [(&str, String); N]) -> String {
    let entries = entries.map(|(key, value)| format!("{}:{value}", string(key)));
    format!("{{{}}}", entries.join(","))
}

fn array(elements: impl Iterator<Item = String>) -> String {
    format!("[{}]", elements.collect::<Vec<_>>().join(","))
}

fn strings(texts: &[&str]) -> String {
    array(texts.iter().map(|text| string(text)))
}

fn string(text: &str) -> String {
    let mut json = String::with_capacity(text.len() + 2);
    json.push('"');
    for character in text.chars() {
        match character {
            '"' | '\\' => json.extend(['\\', character]),
            _ if character.is_control() => {
                json.push_str(&format!("\\u{:04x}", u32::from(character)));
            }
            _ => json.push(character),
        }
    }
    json.push('"');
    json
}
