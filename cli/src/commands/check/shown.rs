//! Names of processes that are not references with a type: scopes of `pg`, event managers, and
//! servers without a type. The sources show them as literals:
//! `Group::in_scope(atom!("chat"), …)`, `cx.call(&Server::local(atom!("store")), Get)`.

use otp_contract::manifest::{Module, UsedName};

use super::calls::{Call, RustSources};

/// The callback modules of such processes.
pub(super) const SCOPE: &str = "pg";
pub(super) const MANAGER: &str = "gen_event";

/// Methods of a group that call its scope.
const OF_A_GROUP: [&str; 7] = [
    "join",
    "leave",
    "cast",
    "send",
    "members",
    "local_members",
    "monitor",
];

/// Methods whose caller waits for a manager.
const OF_A_MANAGER: [&str; 5] = [
    "sync_notify",
    "add_handler",
    "add_sup_handler",
    "call_handler",
    "delete_handler",
];

/// Methods whose caller waits for a server, and others that send to it.
const CALLS: [&str; 2] = ["call", "call_within"];
const SENDS: [&str; 4] = ["cast", "send", "send_request", "monitor"];

/// Returns the uses of such names, each with the name of the type in whose block it is.
pub(super) fn names(sources: &RustSources) -> Vec<(&str, UsedName)> {
    let named = sources.calls.iter().filter_map(|call| {
        let (name, module) = named(call)?;
        Some((call.block.as_str(), used(call, name, module)))
    });
    named.collect()
}

fn named(call: &Call) -> Option<(String, &'static str)> {
    match call.function.as_str() {
        "in_scope" if call.is_of("Group") => Some((call.text(0)?, SCOPE)),
        "new" if !call.is_method && call.before.starts_with("Group") => {
            Some((SCOPE.to_owned(), SCOPE))
        }
        "monitor_groups" if call.is_method => Some((call.text(0)?, SCOPE)),
        "local" if call.is_of("Manager") => Some((call.text(0)?, MANAGER)),
        // With a type, it is among the names that the library reports.
        "local" if call.before.starts_with("Server :") && !call.before.contains('<') => {
            let outer = call.outer.as_str();
            let is_used = CALLS.contains(&outer) || SENDS.contains(&outer);
            is_used.then(|| Some((call.text(0)?, ""))).flatten()
        }
        _ => None,
    }
}

fn used(call: &Call, name: String, module: &str) -> UsedName {
    let method = match module {
        MANAGER | "" => call.outer.as_str(),
        _ if call.function == "monitor_groups" => "monitor",
        _ => call.next.as_str(),
    };
    let waits = match module {
        MANAGER => OF_A_MANAGER.contains(&method),
        "" => CALLS.contains(&method),
        _ => OF_A_GROUP.contains(&method),
    };
    let is_used = waits || method == "notify" || SENDS.contains(&method);
    UsedName {
        name: quoted(&name),
        module: module.to_owned(),
        callback: call.within.clone(),
        clause: String::new(),
        method: method.to_owned(),
        message: String::new(),
        waits: waits && !call.is_in_closure,
        // A name that is only made is not used yet.
        is_in_closure: call.is_in_closure || !is_used,
        is_conditional: false,
        location: call.location.clone(),
    }
}

/// Returns the atom as Erlang writes it.
pub(super) fn quoted(atom: &str) -> String {
    let is_plain = atom.starts_with(|it: char| it.is_ascii_lowercase())
        && atom
            .chars()
            .all(|it| it.is_ascii_alphanumeric() || it == '_' || it == '@');
    match is_plain {
        true => atom.to_owned(),
        false => format!("'{atom}'"),
    }
}

/// Returns the module of a type, if one module has this name in its path.
pub(super) fn module_of<'m>(modules: &'m [Module], block: &str) -> Option<&'m Module> {
    let mut found = modules
        .iter()
        .filter(|it| it.rust_path.rsplit("::").next() == Some(block));
    match (found.next(), found.next()) {
        (Some(module), None) => Some(module),
        _ => None,
    }
}
