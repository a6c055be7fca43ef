//! The Erlang module for one Rust type that implements a behaviour, or for one Rust module with
//! functions.

use otp_contract::callback::CallbackKind;
use otp_contract::library::{CALLBACK, MARK};
use otp_contract::manifest::{
    Callback, LeftOut, MODULE_ARGUMENT, Module, Protocol, START_ARGUMENT, Signature, StartFunction,
};
use otp_contract::modules::{self, ANNOUNCE, ANNOUNCED, HELPER, STATES};

use super::code_change::CodeChange;
use super::documentation::Documentation;
use super::head;
use super::library_module::waiting;
use super::specification::{spec, types};
use super::start::Start;
use super::tasks::Tasks;
use crate::text::atom;

/// Returns the text of the Erlang module for `module` in `application`.
pub fn callback_module(application: &str, module: &Module, format: Documentation) -> String {
    let mut text = head(&format!("`{}`", module.rust_path));
    text += &format.before_module(&module.doc);
    text += &format!("-module({}).\n", atom(&module.module));
    text += &format.in_module(&module.doc);
    if let Some(behaviour) = &module.behaviour {
        text += &format!("-behaviour({}).\n", atom(behaviour));
    }
    text += &format!("-{HELPER}({}).\n", modules::library(application));
    if is_told_of_upgrades(module) {
        text += &format!("-{ANNOUNCE}(true).\n");
    }
    text += &module.protocol.as_ref().map(attribute).unwrap_or_default();
    text += &exports(module);
    text += &types(module, format);
    text += &module
        .protocol
        .as_ref()
        .map(implementation)
        .unwrap_or_default();
    for start in &module.start {
        let behaviour = module.behaviour.as_deref().unwrap_or_default();
        text += &start_without_options(start).unwrap_or_default();
        text += &start_function(behaviour, start);
    }
    let (start, tasks) = (Start::of(module), Tasks::of(application, module));
    let library = modules::library(application);
    let change = CodeChange::of(module, &library);
    for callback in &module.callbacks {
        if let Some(change) = change.as_ref().filter(|it| it.is_it(callback)) {
            text += &format.of_function(&callback.doc);
            text += &change.function(Some(&|arguments| {
                returned(application, callback, arguments, None)
            }));
            continue;
        }
        let added = (start.as_ref(), tasks.as_ref());
        let of = (application, module.behaviour.as_deref());
        text += &callback_function(of, callback, added, format);
    }
    text += &tasks.and_then(|it| it.function()).unwrap_or_default();
    text += &start.and_then(|it| it.function()).unwrap_or_default();
    if let Some(change) = change.filter(|it| it.added().is_some()) {
        text += &change.function(None);
    }
    if let Some(status) = shows_state(module) {
        text += &format_status(application, status);
    }
    text
}

/// Returns whether a clause for messages takes the announcements of an upgrade.
fn is_told_of_upgrades(module: &Module) -> bool {
    let text = |name: &str| {
        let name = name.strip_suffix("()").unwrap_or(name);
        module.types.iter().find(|it| it.name == name)
    };
    let is_it = |ty: &str| ty == ANNOUNCED || text(ty).is_some_and(|it| it.text == ANNOUNCED);
    module.callbacks.iter().any(|callback| {
        let takes = matches!(
            callback.facts.kind,
            CallbackKind::Info | CallbackKind::Event
        );
        let arguments = callback.clauses.iter().filter_map(|clause| {
            let index = callback.facts.message.filter(|_| takes)?;
            clause.signature.arguments.get(index)
        });
        arguments.into_iter().any(|ty| is_it(ty))
    })
}

fn exports(module: &Module) -> String {
    let starts = module.start.iter().flat_map(|start| {
        let taken = start.arguments.len() - 1;
        let plain = without_options(start).map(|_| (start.name.as_str(), 1));
        plain.into_iter().chain([(start.name.as_str(), taken)])
    });
    let callbacks = module.callbacks.iter();
    // OTP calls it through another function.
    let callbacks = callbacks.filter(|it| it.facts.kind != CallbackKind::Start);
    let callbacks = callbacks.map(|callback| (callback.name.as_str(), callback.arity));
    let of_start = Start::of(module).and_then(|start| start.added());
    let of_tasks = Tasks::of("", module).and_then(|tasks| tasks.added());
    let added = [of_start, of_tasks].into_iter().flatten();
    let callbacks = callbacks.chain(added.map(name_of));
    let change = CodeChange::of(module, "").and_then(|it| it.added());
    let callbacks = callbacks.chain(change);
    let protocol = module.protocol.as_ref().map(|_| (IMPLEMENTATION, 1));
    let list = |functions: Vec<(&str, usize)>| {
        if functions.is_empty() {
            return String::new();
        }
        let names: Vec<String> = functions
            .iter()
            .map(|(f, n)| format!("{}/{n}", atom(f)))
            .collect();
        format!("-export([{}]).\n", names.join(", "))
    };
    list(starts.collect())
        + &list(
            callbacks
                .chain(shows_state(module).map(name_of))
                .chain(protocol)
                .collect(),
        )
}

fn name_of(added: &LeftOut) -> (&str, usize) {
    (added.name.as_str(), added.arity)
}

/// The function, and the attribute, that Elixir uses to find the implementations of protocols.
const IMPLEMENTATION: &str = "__impl__";

/// Returns the attribute that Elixir reads when it consolidates the protocol.
fn attribute(implemented: &Protocol) -> String {
    let (protocol, target) = (atom(&implemented.protocol), atom(&implemented.target));
    format!(
        "-{}([{{protocol, {protocol}}}, {{for, {target}}}]).\n",
        atom(IMPLEMENTATION)
    )
}

/// Returns the function that a protocol calls if it is not consolidated.
fn implementation(implemented: &Protocol) -> String {
    let (protocol, target) = (atom(&implemented.protocol), atom(&implemented.target));
    let name = atom(IMPLEMENTATION);
    format!(
        "
-spec {name}(for | protocol | target) -> module().
{name}(for) -> {target};
{name}(protocol) -> {protocol};
{name}(target) -> ?MODULE.
"
    )
}

/// `start_link(Args, Options) -> gen_server:start_link(?MODULE, Args, Options).`
fn start_function(behaviour: &str, start: &StartFunction) -> String {
    let taken: Vec<&str> = start
        .arguments
        .iter()
        .map(String::as_str)
        .filter(|name| *name != MODULE_ARGUMENT)
        .collect();
    let passed: Vec<&str> = start
        .arguments
        .iter()
        .map(|name| {
            if name == MODULE_ARGUMENT {
                "?MODULE"
            } else {
                name.as_str()
            }
        })
        .collect();
    format!(
        "\n{spec}{name}({taken}) ->\n    {behaviour}:{name}({passed}).\n",
        spec = spec(&start.name, &annotated(&start.signature, &taken)),
        name = atom(&start.name),
        taken = taken.join(", "),
        behaviour = atom(behaviour),
        passed = passed.join(", "),
    )
}

/// Returns `start_link(Args) -> start_link(Args, []).` if the behaviour's function takes options
/// after the arguments. The template of a supervisor passes only the arguments.
fn start_without_options(start: &StartFunction) -> Option<String> {
    let signature = without_options(start)?;
    Some(format!(
        "\n{spec}{name}({START_ARGUMENT}) ->\n    {name}({START_ARGUMENT}, []).\n",
        spec = spec(&start.name, &annotated(&signature, &[START_ARGUMENT])),
        name = atom(&start.name),
    ))
}

/// Returns the types of the function without options, if this one takes the start argument and
/// options.
fn without_options(start: &StartFunction) -> Option<Signature> {
    match start.arguments.as_slice() {
        [module, argument, _] if module == MODULE_ARGUMENT && argument == START_ARGUMENT => {
            let mut signature = start.signature.clone();
            signature.arguments.truncate(1);
            Some(signature)
        }
        _ => None,
    }
}

/// `Name :: type` for each argument.
fn annotated(signature: &Signature, names: &[&str]) -> Signature {
    let arguments = signature.arguments.iter().zip(names);
    Signature {
        arguments: arguments
            .map(|(ty, name)| format!("{name} :: {ty}"))
            .collect(),
        returns: signature.returns.clone(),
    }
}

fn callback_function(
    (application, behaviour): (&str, Option<&str>),
    callback: &Callback,
    (start, tasks): (Option<&Start<'_>>, Option<&Tasks<'_>>),
    format: Documentation,
) -> String {
    if !callback.answer.is_empty() {
        return answer(callback);
    }
    let arguments: Vec<String> = (1..=callback.arity).map(|n| format!("A{n}")).collect();
    let is_init = callback.facts.kind == CallbackKind::Init;
    let start_after = start.filter(|_| is_init);
    let tasks_around = tasks.filter(|_| start_after.is_none());
    let event = tasks_around.and_then(|tasks| tasks.event(callback));
    let returned = returned(application, callback, &arguments, event);
    let body = match (start_after, tasks_around) {
        (Some(start), _) => start.after_init(&returned),
        (None, Some(tasks)) => tasks.around(callback, returned),
        (None, None) if is_init && behaviour == Some("supervisor") => {
            prepared(&callback.name, &returned)
        }
        (None, None) => returned,
    };
    let clause = start.and_then(|start| start.clause(callback));
    let signature = match start.filter(|_| clause.is_some()) {
        Some(start) => start.signature(callback),
        None => callback.signature.clone(),
    };
    let signature = match tasks {
        Some(tasks) => tasks.signature(callback, signature),
        None => signature,
    };
    format!(
        "
{doc}{spec}{clause}{name}({arguments}) ->
    {body}.
",
        doc = format.of_function(&callback.doc),
        spec = spec(&callback.name, &signature),
        clause = clause.unwrap_or_default(),
        name = atom(&callback.name),
        arguments = arguments.join(", "),
    )
}

/// Returns the expression for the library's result of a callback with these arguments. If the
/// callback waits, this function is left by a tail call; otherwise, an upgrade would find its
/// process in old code. The event's timeout is recorded if there is an event.
fn returned(
    application: &str,
    callback: &Callback,
    arguments: &[String],
    event: Option<&str>,
) -> String {
    let library = modules::library(application);
    let passed = match arguments.split_last() {
        Some((last, others)) if callback.facts.kind == CallbackKind::Status => {
            let shown = shown_state(&library, callback.arity, last);
            [others, &[shown]].concat()
        }
        _ => arguments.to_vec(),
    };
    let id = std::iter::once(callback.id.to_string());
    let waiting = waiting(&callback.name);
    let (event, ended) = match event {
        Some(event) => (
            format!("{event}, "),
            format!("{library}:handled({event}, Return)"),
        ),
        None => (String::new(), "Return".to_owned()),
    };
    format!(
        "case {library}:{callback}({passed}) of
        {{{mark}, Pending}} -> {library}:{waiting}({event}Pending);
        Return -> {ended}
    end",
        callback = CALLBACK.to_str().unwrap_or_default(),
        mark = atom(MARK),
        passed = id.chain(passed).collect::<Vec<_>>().join(", "),
    )
}

/// A supervisor of OTP switches to another build by calling its `init`, and the upgrade has already
/// made the process prepare the result.
fn prepared(name: &str, returned: &str) -> String {
    format!(
        "case {STATES}:prepared({{{name}, A1}}) of
        {{ok, Prepared}} -> Prepared;
        none ->
            {returned}
    end",
        returned = returned.replace('\n', "\n        ")
    )
}

/// Returns a callback with a constant result.
fn answer(callback: &Callback) -> String {
    let atoms: Vec<String> = callback.answer.iter().map(|text| atom(text)).collect();
    format!(
        "\n{spec}{name}() ->\n    [{atoms}].\n",
        spec = spec(&callback.name, &callback.signature),
        name = atom(&callback.name),
        atoms = atoms.join(", "),
    )
}

/// Returns `format_status/1` if the behaviour has it (since OTP 25) and the module implements
/// neither it nor its older form.
fn shows_state(module: &Module) -> Option<&LeftOut> {
    let is_implemented = module.callback(CallbackKind::Status).is_some();
    let mut left_out = module.left_out.iter();
    let newer = left_out.find(|it| it.facts.kind == CallbackKind::Status && it.arity == 1);
    newer.filter(|_| !is_implemented)
}

/// Returns `format_status`, so that crash reports and `sys:get_status/1` show the Rust value, not
/// the resource that contains it.
fn format_status(application: &str, status: &LeftOut) -> String {
    let (name, spec) = (atom(&status.name), spec(&status.name, &status.signature));
    let library = modules::library(application);
    let shown = shown_state(&library, 1, "Status");
    format!("\n{spec}{name}(Status) ->\n    {shown}.\n")
}

/// Returns the last argument of `format_status`, with the `Debug` text of the Rust value instead of
/// the resource that contains it. The value is in a map (`format_status/1`) or a list
/// (`format_status/2`); any other term is unchanged.
fn shown_state(library: &str, arity: usize, argument: &str) -> String {
    match arity {
        1 => format!("{library}:shown_status({argument})"),
        _ => format!("[{library}:shown(Part) || Part <- {argument}]"),
    }
}
