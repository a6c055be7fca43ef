//! Functions in Erlang that the sources call by their names: `cx.apply("lists", "sum", (list,))`,
//! and modules with bindings.

use std::collections::BTreeSet;
use std::path::Path;

use otp_contract::manifest::Location;
use proc_macro2::{Delimiter, TokenTree};

use super::calls::{Call, RustSources};
use super::checked::Checked;
use super::tokens::arguments;
use crate::build::installed_at;
use crate::report::{Error, at_line, catalog};
use crate::vm::declared::{Answer, Question};

/// Functions with which code starts applications itself.
const STARTING: [&str; 2] = ["ensure_all_started", "ensure_started"];

/// A question for the VM, and where it comes from.
pub(super) struct Asked {
    pub(super) question: Question,
    location: Location,
}

/// Returns the functions and modules in the sources.
pub(super) fn asked(sources: &RustSources) -> Vec<Asked> {
    let calls = sources.calls.iter().filter_map(|call| {
        Some(Asked {
            question: function(call)?,
            location: call.location.clone(),
        })
    });
    let bindings = sources.bindings.iter().map(|(module, location)| Asked {
        question: Question {
            module: module.clone(),
            function: None,
        },
        location: location.clone(),
    });
    calls.chain(bindings).collect()
}

/// Returns the function of `cx.apply("module", "function", (arguments,))`.
fn function(call: &Call) -> Option<Question> {
    let is_context = call.is_of("cx");
    let [_, _, given] = &call.arguments[..] else {
        return None;
    };
    let (module, function) = (call.text(0)?, call.text(1)?);
    let tuple = match &given[..] {
        [TokenTree::Group(group)] if group.delimiter() == Delimiter::Parenthesis => group,
        _ => return None,
    };
    let given: Vec<TokenTree> = tuple.stream().into_iter().collect();
    let is_plain = [&module, &function]
        .iter()
        .all(|it| !it.is_empty() && !it.contains(['\t', '\n']));
    // Modules in Elixir belong to the system that the application is part of.
    let is_ours = is_context && call.is_method && call.function == "apply";
    (is_ours && is_plain && !module.starts_with("Elixir.")).then(|| Question {
        module,
        function: Some((function, arguments(&given).len())),
    })
}

/// Returns functions that do not exist.
pub(super) fn missing(checked: &Checked<'_>) -> Vec<Error> {
    let missing = answers(checked).filter(|(_, answer)| {
        // Other applications may have the module.
        let is_known = !checked.has_others || !answer.problem.starts_with("there is no module");
        !answer.problem.is_empty() && is_known
    });
    missing
        .map(|(asked, answer)| {
            let error = catalog::NO_SUCH_FUNCTION.with(&[&answer.problem]);
            at_line(error, Path::new(&checked.built.workspace), &asked.location)
        })
        .collect()
}

/// Returns modules of applications that are not started.
pub(super) fn of_other_applications(checked: &Checked<'_>) -> Vec<Error> {
    let sources = checked.sources;
    let starts = |name: &&str| sources.texts.contains(*name) || sources.names.contains_key(*name);
    if STARTING.iter().any(starts) {
        return Vec::new();
    }
    let mut seen = BTreeSet::new();
    let others = answers(checked).filter(|(_, answer)| {
        !answer.application.is_empty()
            && answer.problem.is_empty()
            && seen.insert(answer.application.clone())
    });
    others
        .map(|(asked, answer)| {
            let values: [&dyn std::fmt::Display; 2] = [&asked.question.module, &answer.application];
            let error = catalog::APPLICATION_NOT_LISTED.with(&values);
            let error = at_line(error, Path::new(&checked.built.workspace), &asked.location);
            error.help(format!(
                "add it to [application] in otp.toml: applications = [\"{}\"]",
                answer.application
            ))
        })
        .collect()
}

fn answers<'c>(checked: &'c Checked<'_>) -> impl Iterator<Item = (&'c Asked, &'c Answer)> {
    checked.asked.iter().zip(&checked.declared.answers)
}

/// Returns environments of applications that are not installed.
pub(super) fn environments(checked: &Checked<'_>) -> Vec<Error> {
    let environments = checked.sources.environments.iter();
    let unknown = environments.filter(|(name, _)| {
        let is_ours = checked.built.all().iter().any(|it| it.name == *name);
        let mut dependencies = checked.built.dependencies.iter();
        let is_dependency = dependencies.any(|it| it.name == *name);
        !is_ours && !is_dependency && installed_at(name, &checked.otp).is_none()
    });
    unknown
        .map(|(name, location)| {
            let error = catalog::NO_SUCH_APPLICATION.with(&[name]);
            at_line(error, Path::new(&checked.built.workspace), location)
        })
        .collect()
}

/// Returns options of sockets for headers that no packet has.
pub(super) fn packets(checked: &Checked<'_>) -> Vec<Error> {
    let packets = checked.sources.packets.iter();
    let wrong = packets.filter(|(number, _)| ![0, 1, 2, 4].contains(number));
    wrong
        .map(|(number, location)| {
            let error = catalog::NO_SUCH_PACKET.with(&[number]);
            at_line(error, Path::new(&checked.built.workspace), location)
        })
        .collect()
}
