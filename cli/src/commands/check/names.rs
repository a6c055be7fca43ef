//! Compares processes that callbacks name by a static, such as `cx.call(&STORE, Get)`, with the
//! processes that the supervisors start.

use std::path::Path;

use otp_contract::callback::CallbackKind;
use otp_contract::manifest::{Module, UsedName};

use super::calls::{Call, RustSources};
use super::checked::Checked;
use super::shown;
use crate::build::Built;
use crate::report::{Error, at_line, catalog};
use crate::vm::tree::{Process, SupervisionTree, TreeRow};

/// A use of a name, and its context.
pub(super) struct Use<'a> {
    pub(super) module: &'a Module,
    pub(super) used: &'a UsedName,
    pub(super) trees: &'a [SupervisionTree],
    built: &'a Built,
    sources: &'a RustSources,
}

/// A process of a tree, with its position.
type TreeProcess<'a> = (&'a SupervisionTree, usize, &'a Process);

/// Returns all uses in callbacks.
pub(super) fn uses<'a>(checked: &'a Checked<'_>) -> Vec<Use<'a>> {
    let trees = &checked.declared.trees.applications;
    let new = |built, module, used| Use {
        module,
        used,
        trees,
        built,
        sources: checked.sources,
    };
    let libraries = checked.built.all().into_iter();
    let references = libraries.flat_map(|built| {
        let modules = built.manifest.modules.iter();
        modules.flat_map(move |module| {
            let all = module.used_names.iter();
            all.map(move |used| new(built, module, used))
        })
    });
    let modules = &checked.built.manifest.modules;
    let shown = checked.shown.iter().filter_map(|(block, used)| {
        let module = shown::module_of(modules, block)?;
        Some(new(checked.built, module, used))
    });
    references.chain(shown).collect()
}

impl<'a> Use<'a> {
    /// Locates an error at the use.
    pub(super) fn at(&self, error: Error) -> Error {
        at_line(error, Path::new(&self.built.workspace), &self.used.location)
    }

    /// Returns the kind of the callback.
    fn kind(&self) -> Option<CallbackKind> {
        let mut callbacks = self.module.callbacks.iter();
        let callback = callbacks.find(|it| it.name == self.used.callback)?;
        Some(callback.facts.kind)
    }

    /// Returns whether the callback replies to calls: that of a server, or for events of a machine.
    fn answers_calls(&self) -> bool {
        let mut callbacks = self.module.callbacks.iter();
        let facts = callbacks
            .find(|it| it.name == self.used.callback)
            .map(|it| it.facts);
        facts.is_some_and(|it| it.kind == CallbackKind::Call || it.event_type.is_some())
    }

    fn processes(&self) -> impl Iterator<Item = TreeProcess<'a>> + use<'a> {
        self.trees.iter().flat_map(|tree| {
            let all = tree.entries.iter().enumerate();
            all.filter_map(move |(index, entry)| match &entry.kind {
                TreeRow::Process(process) => Some((tree, index, process)),
                TreeRow::Omitted(_) => None,
            })
        })
    }

    /// Returns the process with the name, if a supervisor starts it.
    pub(super) fn named(&self) -> Option<TreeProcess<'a>> {
        self.processes()
            .find(|(.., it)| registered(it) == self.used.name)
    }
}

/// The name belongs to a process with another callback module.
pub(super) fn of_another_type(it: &Use<'_>) -> Option<Error> {
    let (.., named) = it.named()?;
    let is_known = !named.module.is_empty() && !it.used.module.is_empty();
    let is_other = is_known && named.module != it.used.module;
    is_other
        .then(|| catalog::NAME_OF_ANOTHER.with(&[&it.used.name, &named.module, &it.used.module]))
}

/// A supervisor answers when it has started all of its children. Before that, a later child has no
/// name yet, and a call of the name ends with `noproc`.
const AFTER_ALL: &str = "let the supervisor start it first; or call it in `handle_start`, when the supervisor has \
    answered `cx.which_children`";

const AFTER_INIT: &str =
    "call it in `handle_start`, which comes when `init` has returned, and before any message";

const BEFORE_IT: &str = "let the supervisor start it first; or wait until it has started all of its children: \
    `cx.which_children(&SUPERVISOR).await?`";

/// `init` waits for a process that waits for it, or that has not started yet; `handle_start` waits
/// for one that may not have started yet; or `terminate` waits for a process that waits for it, or
/// that has already ended.
pub(super) fn never_answered(it: &Use<'_>) -> Option<Error> {
    if !it.used.waits || it.is_after_all() {
        return None;
    }
    let (problem, help) = match it.kind()? {
        CallbackKind::Init => it.own_beside(|place| match place {
            Beside::Above => Some((
                "a supervisor that waits until this `init` has returned",
                AFTER_INIT,
            )),
            Beside::Itself => Some((
                "which is the process itself",
                "no process answers during its `init`: use the state that `init` makes",
            )),
            Beside::Later => Some(("which is started later", AFTER_ALL)),
        }),
        CallbackKind::Start => it.own_beside(|place| match place {
            Beside::Later => Some(("which is started later", BEFORE_IT)),
            Beside::Above | Beside::Itself => None,
        }),
        CallbackKind::End => it.own_beside(|place| match place {
            Beside::Above => Some(("a supervisor that waits until this process has ended", "")),
            Beside::Itself => Some(("which is the process itself", "")),
            Beside::Later => Some(("which is started later, and so stopped before", "")),
        }),
        _ => None,
    }?;
    let module = it.module;
    let values: [&dyn std::fmt::Display; 4] =
        [&it.used.callback, &module.module, &it.used.name, &problem];
    let error = catalog::START_WAITS.with(&values);
    let has_start = !module.start.is_empty() && module.behaviour.as_deref() != Some("supervisor");
    let needs_start = [AFTER_INIT, AFTER_ALL].contains(&help);
    Some(match help.is_empty() || needs_start && !has_start {
        true => error,
        false => error.help(help),
    })
}

/// `init` or `handle_start` sends to a process that has not started yet.
pub(super) fn sent_too_early(it: &Use<'_>) -> Option<Error> {
    let used = it.used;
    let is_early = matches!(it.kind(), Some(CallbackKind::Init | CallbackKind::Start));
    if !is_early || used.waits || used.is_in_closure || it.is_after_all() {
        return None;
    }
    it.own_beside(|place| matches!(place, Beside::Later).then_some(()))?;
    Some(catalog::SENT_TOO_EARLY.with(&[&used.callback, &it.module.module, &used.name]))
}

/// A callback waits for its own process.
pub(super) fn waits_for_itself(it: &Use<'_>) -> Option<Error> {
    let is_other = matches!(it.kind(), Some(CallbackKind::Init | CallbackKind::End));
    if !it.used.waits || is_other || !it.is_name_of(it.module) {
        return None;
    }
    Some(deadlock(it, "which is the process itself"))
}

/// A clause waits for a process whose clause for the request waits for this one, directly or
/// through a third process.
pub(super) fn waits_in_a_circle(it: &Use<'_>, all: &[Use<'_>]) -> Option<Error> {
    if !it.used.waits || it.used.message.is_empty() || it.used.module == it.module.module {
        return None;
    }
    let next = |from: &Use<'_>| -> Vec<usize> {
        let to = (&from.used.module, &from.used.message);
        let is_next = |use_: &Use<'_>| {
            let clause = (&use_.module.module, &use_.used.clause);
            let is_sure = use_.used.waits && !use_.used.is_conditional;
            is_sure && use_.answers_calls() && clause == to
        };
        (0..all.len())
            .filter(|index| is_next(&all[*index]))
            .collect()
    };
    let returns =
        |use_: &Use<'_>| use_.used.module == it.module.module && use_.is_name_of(it.module);
    for second in next(it).into_iter().map(|index| &all[index]) {
        if returns(second) {
            return Some(deadlock(
                it,
                "whose clause for the request waits for this process",
            ));
        }
        if next(second).into_iter().any(|index| returns(&all[index])) {
            let problem = format!(
                "whose clause for the request waits for `{}`, which waits for this process",
                second.used.name
            );
            return Some(deadlock(it, &problem));
        }
    }
    None
}

/// A process in a separate VM uses a name of this VM.
pub(super) fn of_another_vm(it: &Use<'_>) -> Option<Error> {
    let is_isolated = |(.., process): &TreeProcess<'_>| {
        let declared = process.declared.as_ref();
        declared.is_some_and(|it| it.start.starts_with(ISOLATED))
    };
    let named = it.named().filter(|it| !is_isolated(it))?;
    let mut own = it
        .processes()
        .filter(|(.., process)| process.module == it.module.module);
    own.any(|it| is_isolated(&it)).then(|| {
        let module = &it.module.module;
        catalog::NAME_OF_ANOTHER_VM.with(&[module, &it.used.name, &named.2.module])
    })
}

fn deadlock(it: &Use<'_>, problem: &str) -> Error {
    let used = it.used;
    catalog::DEADLOCK.with(&[&used.callback, &it.module.module, &used.name, &problem])
}

/// Methods that `handle_start` calls to let other processes start.
const WAITING: [&str; 3] = ["which_children", "count_children", "sleep"];

/// The module of the process that represents an isolated child.
pub(super) const ISOLATED: &str = "otp_rs_isolated:";

/// The position of a process relative to another.
enum Beside {
    Above,
    Itself,
    Later,
}

impl Use<'_> {
    /// Returns whether the processes may have started, or their absence does not matter. A
    /// supervisor that `handle_start` has called answers after it has started all of its children,
    /// and `handle_start` may handle a call that fails.
    fn is_after_all(&self) -> bool {
        if self.kind() != Some(CallbackKind::Start) {
            return false;
        }
        let mut own = self.sources.calls.iter().filter(|it| self.is_beside(it));
        let takes_time = own.any(|it| WAITING.contains(&it.function.as_str()));
        let mut calls = self.sources.calls.iter();
        let call = calls.find(|it| it.is_at(&self.used.location));
        let is_required = call.is_some_and(|it| it.is_required && !self.used.is_conditional);
        takes_time || self.used.waits && !is_required
    }

    /// Returns whether the call is in the same callback.
    fn is_beside(&self, call: &Call) -> bool {
        let block = self.module.rust_path.rsplit("::").next();
        call.within == self.used.callback && Some(call.block.as_str()) == block
    }

    /// Returns whether the name belongs to the only process of a module.
    fn is_name_of(&self, module: &Module) -> bool {
        let mut all = self
            .processes()
            .filter(|(.., it)| it.module == module.module);
        matches!((all.next(), all.next()), (Some((.., it)), None) if registered(it) == self.used.name)
    }

    /// Returns the first answer for a process of this callback's module, and the relative position
    /// of the named process.
    fn own_beside<T>(&self, answer: impl Fn(Beside) -> Option<T>) -> Option<T> {
        let (tree, called, _) = self.named()?;
        let is_own = |(other, index, process): &TreeProcess<'_>| {
            // Children of a template start on request.
            let starts = process.state != "template" || tree.parent(*index) == Some(called);
            std::ptr::eq(*other, tree) && process.module == self.module.module && starts
        };
        self.processes().filter(is_own).find_map(|(_, own, _)| {
            let mut above = std::iter::successors(tree.parent(own), |index| tree.parent(*index));
            let place = match called {
                _ if above.any(|index| index == called) => Beside::Above,
                _ if called == own => Beside::Itself,
                _ if called > own => Beside::Later,
                _ => return None,
            };
            answer(place)
        })
    }
}

fn registered(process: &Process) -> &str {
    let declared = process.declared.as_ref();
    declared.map_or("", |it| it.registered.as_str())
}
