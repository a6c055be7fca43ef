//! The messages and replies of an application's processes: a type for each message, in the module
//! of its process.

mod asyncapi;
mod messages;

use otp_contract::erlang::quote_atom;
use otp_contract::manifest::{Callback, Module as Described};
use otp_specs::types::{Module, Type, TypeDef, TypeKind};

use asyncapi::key;
pub(crate) use asyncapi::{About, asyncapi};
use messages::{ClauseTypes, taken};

/// How a message is sent to a process.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum MessageKind {
    /// `gen_server:call/2`, `gen_statem:call/2`, `gen_event:call/3`
    Call,
    /// `gen_server:cast/2`, `gen_statem:cast/2`
    Cast,
    /// `gen_event:notify/2`
    Event,
    /// `!`
    Info,
}

impl MessageKind {
    pub(crate) fn name(self) -> &'static str {
        match self {
            MessageKind::Call => "call",
            MessageKind::Cast => "cast",
            MessageKind::Event => "event",
            MessageKind::Info => "info",
        }
    }

    /// Returns the word for it in a sentence.
    fn word(self) -> &'static str {
        match self {
            MessageKind::Call => "call",
            MessageKind::Cast => "cast",
            MessageKind::Event => "notification",
            MessageKind::Info => "message",
        }
    }
}

/// A message that a process takes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ProcessMessage {
    pub(crate) kind: MessageKind,
    /// Its name among those of its kind.
    pub(crate) name: String,
    /// The name of its type, which was added to the module.
    pub(crate) ty: String,
    /// The name of the type of its reply, if that is known.
    pub(crate) reply: Option<String>,
}

/// A process's module.
#[derive(Debug)]
pub(crate) struct Protocol {
    /// The module, with the types of its messages added.
    pub(crate) module: Module,
    /// Its purpose, in Markdown; may be empty.
    pub(crate) doc: String,
    pub(crate) messages: Vec<ProcessMessage>,
}

/// Returns whether a module's processes take messages that its own code handles.
pub(crate) fn has_protocol(module: &Described) -> bool {
    let left_out = module.left_out.iter().map(|it| it.facts);
    let mut all = module.callbacks.iter().map(|it| it.facts).chain(left_out);
    all.any(|facts| messages::kind(facts.kind).is_some())
}

/// Returns the name of the type that carries a clause. It contains a space, which no type of a
/// module has in its name.
fn carrier(callback: &Callback, clause: usize) -> String {
    format!("{} {clause}", callback.name)
}

/// Returns the module's types as Erlang source, and for each clause a tuple of its argument types
/// and its return type.
pub(crate) fn source(module: &Described) -> String {
    let mut source = format!("-module({}).\n", quote_atom(&module.module));
    // Types of other modules may refer to them.
    let types = module.types.iter();
    let types = types.map(|definition| format!("{}/0", quote_atom(&definition.name)));
    let types: Vec<String> = types.collect();
    source += &format!("-export_type([{}]).\n", types.join(", "));
    let mut define = |name: &str, body: &str| {
        source += &format!("-type {}() :: {body}.\n", quote_atom(name));
    };
    for definition in &module.types {
        define(&definition.name, &definition.text);
    }
    if let Some(state) = &module.state {
        define(state, "reference()");
    }
    for callback in &module.callbacks {
        for (index, clause) in callback.clauses.iter().enumerate() {
            let clause = &clause.signature;
            let returns = match clause.returns.as_slice() {
                [] => "none()".to_owned(),
                returns => returns.join(" | "),
            };
            let parts: Vec<&str> = clause.arguments.iter().map(String::as_str).collect();
            let parts = [parts.as_slice(), &[&returns]].concat();
            define(
                &carrier(callback, index),
                &format!("{{{}}}", parts.join(", ")),
            );
        }
    }
    source
}

/// Returns the protocol of a module whose [`source`] has been read.
pub(crate) fn protocol(described: &Described, mut module: Module) -> Protocol {
    let mut found = Vec::new();
    for callback in &described.callbacks {
        for index in 0..callback.clauses.len() {
            let name = carrier(callback, index);
            let clause = take(&mut module, &name).and_then(ClauseTypes::of);
            found.extend(clause.into_iter().flat_map(|it| taken(callback, &it)));
        }
    }
    let mut messages: Vec<ProcessMessage> = Vec::new();
    for (kind, ty, reply) in found {
        add(&mut module, &mut messages, kind, ty, reply);
    }
    for kind in [
        MessageKind::Call,
        MessageKind::Cast,
        MessageKind::Event,
        MessageKind::Info,
    ] {
        let of_kind: Vec<Type> = messages
            .iter()
            .filter(|message| message.kind == kind)
            .filter_map(|message| body(&module, &message.ty).cloned())
            .collect();
        if !of_kind.is_empty() {
            let all = format!("Each of its {}s.", kind.word());
            define(&mut module, kind.name(), union(of_kind), &all);
        }
    }
    Protocol {
        module,
        doc: described.doc.clone(),
        messages,
    }
}

/// Adds a message, or its reply to an existing one.
fn add(
    module: &mut Module,
    messages: &mut Vec<ProcessMessage>,
    kind: MessageKind,
    ty: Type,
    reply: Option<Type>,
) {
    let of_kind = || messages.iter().filter(|message| message.kind == kind);
    let same = of_kind().position(|message| body(module, &message.ty) == Some(&ty));
    if same.is_some() {
        // A state machine takes it in several states.
        return;
    }
    let wanted = messages::name(&ty).unwrap_or_else(|| (of_kind().count() + 1).to_string());
    let mut name = wanted.clone();
    let mut number = 1;
    // Names must be distinct in AsyncAPI as well.
    while of_kind().any(|message| key(&message.name) == key(&name)) {
        number += 1;
        name = format!("{wanted}_{number}");
    }
    let named = format!("{} {name}", kind.name());
    define(module, &named, ty, &format!("A {}.", kind.word()));
    let reply = reply.map(|reply| {
        let of = format!("{named} reply");
        define(module, &of, reply, &format!("The reply to `{name}`."));
        of
    });
    messages.push(ProcessMessage {
        kind,
        name,
        ty: named,
        reply,
    });
}

fn define(module: &mut Module, name: &str, body: Type, description: &str) {
    module.types.push(TypeDef {
        name: name.to_owned(),
        params: Vec::new(),
        kind: TypeKind::Transparent,
        exported: true,
        body,
        erlang: description.to_owned(),
        header: None,
    });
}

fn body<'a>(module: &'a Module, name: &str) -> Option<&'a Type> {
    let found = module.types.iter().find(|ty| ty.name == name);
    found.map(|ty| &ty.body)
}

fn take(module: &mut Module, name: &str) -> Option<Type> {
    let index = module.types.iter().position(|ty| ty.name == name)?;
    Some(module.types.remove(index).body)
}

/// Returns the union of one or more types.
fn union(mut types: Vec<Type>) -> Type {
    let mut members = Vec::new();
    for ty in types.drain(..) {
        if !members.contains(&ty) {
            members.push(ty);
        }
    }
    match members.len() {
        1 => members.remove(0),
        _ => Type::Union(members),
    }
}
