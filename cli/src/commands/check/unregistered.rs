//! Names of processes that no process registers: those of statics, of `pg` scopes and of event
//! managers, and those that otp.toml lists.

use std::collections::BTreeSet;
use std::path::Path;

use otp_contract::manifest::UsedName;

use super::calls::{Call, RustSources};
use super::checked::Checked;
use super::shown::{self, MANAGER, SCOPE};
use crate::report::{Error, at_line, catalog, nearest};
use crate::vm::tree::TreeRow;

/// Functions that give a process a name. Their first argument is the name.
const REGISTERING: [&str; 5] = [
    "registered",
    "start_link_registered",
    "child_spec",
    "register",
    "register_name",
];

/// Returns the names that callbacks and functions use.
pub(super) fn used(checked: &Checked<'_>) -> Vec<Error> {
    let Some(names) = Names::of(checked) else {
        return Vec::new();
    };
    let modules = checked.built.manifest.modules.iter();
    let statics = modules.flat_map(|module| &module.used_names);
    let statics = statics.filter(|it| names.lacks(it, &names.words_of(it)));
    let shown = checked.shown.iter().map(|(_, used)| used);
    // Code that starts processes of the application from outside may start these as well.
    let is_started_outside = !checked.started_by_nothing().is_empty();
    let shown = shown.filter(|it| {
        !is_started_outside && names.lacks(it, &[]) && !is_started_by_kernel(it, checked)
    });
    let mut seen = BTreeSet::new();
    let used = statics.chain(shown);
    used.filter(|it| seen.insert(&it.name))
        .map(|it| {
            let error = catalog::NAME_OF_NOTHING.with(&[&it.name]);
            let error = at_line(error, Path::new(&checked.built.workspace), &it.location);
            let near = nearest(&it.name, names.registered.iter().copied(), 1);
            error.suggest(&near).help(remedy(it))
        })
        .collect()
}

/// Returns the names in `registered` of otp.toml.
pub(super) fn listed(checked: &Checked<'_>) -> Vec<Error> {
    let Some(names) = Names::of(checked) else {
        return Vec::new();
    };
    let config = &checked.application.config;
    let listed = config.related.registered.iter();
    let unknown = listed.filter(|name| {
        let is_text = names.sources.texts.contains(name.as_str());
        !is_text && !names.has(&shown::quoted(name))
    });
    unknown
        .map(|name| {
            let error = catalog::NAME_OF_NOTHING.with(&[name]);
            let near = nearest(name, names.registered.iter().copied(), 1);
            error
                .at(config.path.display())
                .suggest(&near)
                .help("remove it from `registered`, or start a process with this name")
        })
        .collect()
}

/// All names that processes have.
struct Names<'c> {
    registered: BTreeSet<&'c str>,
    sources: &'c RustSources,
    /// The calls that give names.
    registering: Vec<&'c Call>,
}

impl<'c> Names<'c> {
    /// Returns nothing if other processes than those of the tree may have names.
    fn of(checked: &'c Checked<'_>) -> Option<Self> {
        let declared = checked.declared;
        let entries = || {
            declared
                .trees
                .applications
                .iter()
                .flat_map(|it| &it.entries)
        };
        let is_complete = declared.silent.is_empty()
            && !checked.has_others
            && checked.built.others.is_empty()
            && entries().all(|it| matches!(it.kind, TreeRow::Process(_)));
        let calls = &checked.sources.calls;
        let registering = calls.iter().filter(|it| is_registering(it));
        let registering: Vec<&Call> = registering.collect();
        if !is_complete || registering.iter().any(|it| is_computed(it)) {
            return None;
        }
        let tree = entries().filter_map(|it| match &it.kind {
            TreeRow::Process(process) => Some(process.declared.as_ref()?.registered.as_str()),
            TreeRow::Omitted(_) => None,
        });
        let known = declared.known.iter().chain(&declared.atoms);
        Some(Names {
            registered: tree.chain(known.map(String::as_str)).collect(),
            sources: checked.sources,
            registering,
        })
    }

    fn has(&self, name: &str) -> bool {
        self.registered.contains(name)
    }

    /// Returns whether no process has the name, and no code that mentions one of these words gives
    /// it to one.
    fn lacks(&self, used: &UsedName, words: &[String]) -> bool {
        let plain = used.name.trim_matches('\'');
        let gives = |call: &&&Call| {
            let is_text = |at: usize| call.text(at).is_some_and(|text| text == plain);
            let names = || {
                let arguments = 0..call.arguments.len();
                arguments.flat_map(|at| call.names(at))
            };
            (0..call.arguments.len()).any(is_text)
                || names().any(|name| words.contains(&name))
                || words.iter().any(|word| call.is_of(word))
        };
        !self.has(&used.name) && !self.registering.iter().any(|call| gives(&call))
    }

    /// Returns the statics and types in the first argument of the call that uses the name.
    fn words_of(&self, used: &UsedName) -> Vec<String> {
        let mut calls = self.sources.calls.iter();
        let at = |call: &&Call| call.is_at(&used.location);
        let names = calls.find(at).map(|call| call.names(0)).unwrap_or_default();
        let is_own = |name: &String| name.starts_with(char::is_uppercase) && name != "Server";
        names.into_iter().filter(is_own).collect()
    }
}

/// Returns whether the call gives a name to a process. `Server::registered()` only makes one.
fn is_registering(call: &Call) -> bool {
    let function = call.function.as_str();
    let is_child = call.is_method && matches!(function, "child" | "child_with");
    is_child || REGISTERING.contains(&function) && !call.arguments.is_empty()
}

/// Returns whether only the running program knows the name.
fn is_computed(call: &Call) -> bool {
    let is_child = matches!(call.function.as_str(), "child" | "child_with");
    let is_known = |at: usize| {
        let is_static = |name: &String| !name.contains(char::is_lowercase);
        call.text(at).is_some() || call.names(at).iter().any(is_static)
    };
    // The name is that of the module.
    call.function == "start_link_registered"
        || !is_child && !(0..call.arguments.len()).any(is_known)
}

/// The kernel starts the scope `pg` if its environment says so.
fn is_started_by_kernel(used: &UsedName, checked: &Checked<'_>) -> bool {
    let config = &checked.application.config;
    let is_default = used.module == SCOPE && used.name == SCOPE;
    is_default && (config.text.contains("start_pg") || config.release.config.is_some())
}

fn remedy(used: &UsedName) -> String {
    let name = used.name.trim_matches('\'');
    match used.module.as_str() {
        SCOPE if name == SCOPE => {
            "add the scope to a supervisor: ChildSpec::erlang(atom!(\"pg\"), start_link, ())"
                .to_owned()
        }
        SCOPE => format!(
            "add the scope to a supervisor: ChildSpec::erlang(atom!(\"pg\"), start_link, (atom!(\"{name}\"),))"
        ),
        MANAGER => {
            format!("add the manager to a supervisor: Manager::child_spec(atom!(\"{name}\"))")
        }
        _ => "give the name to a child: ChildSpec::of::<…>(…).registered(&NAME)".to_owned(),
    }
}
