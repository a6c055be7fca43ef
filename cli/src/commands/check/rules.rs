//! The rules of `cargo otp check`: facts about the whole program. Each rule has its subject, the
//! function that finds violations, and a name that the tests use to select a program that violates
//! it and one that does not (`cli/tests/it/check_rules.rs`). docs/checks.md lists the rules.

use super::checked::Checked;
use super::names::{self, Use};
use super::{functions, pools, unregistered};
use crate::report::Error;

/// A rule.
pub(super) struct Rule {
    /// The rule as the page states it.
    #[expect(dead_code, reason = "a test compares it with the page")]
    pub(super) name: &'static str,
    /// Whether a program that violates it fails when it runs. Otherwise, the violation may be a
    /// mistake.
    pub(super) is_error: bool,
    pub(super) find: Find,
}

/// The subject of a rule, and the function that finds violations.
pub(super) enum Find {
    /// The whole application.
    Application(fn(&Checked<'_>) -> Vec<Error>),
    /// Each use of a process's name.
    Name(fn(&Use<'_>) -> Option<Error>),
    /// Each use of a process's name, beside all others.
    Names(fn(&Use<'_>, &[Use<'_>]) -> Option<Error>),
}

impl Find {
    pub(super) fn of(&self, checked: &Checked<'_>) -> Vec<Error> {
        let find: &dyn Fn(&Use<'_>, &[Use<'_>]) -> Option<Error> = match self {
            Find::Application(find) => return find(checked),
            Find::Name(find) => &|it, _| find(it),
            Find::Names(find) => find,
        };
        let uses = names::uses(checked);
        uses.iter()
            .filter_map(|it| Some(it.at(find(it, &uses)?)))
            .collect()
    }
}

/// All rules. For each use of a name, only the first violated rule is reported.
pub(super) const RULES: &[Rule] = &[
    error(
        "an application that is needed is installed",
        Find::Application(|it| it.missing()),
    ),
    error(
        "OTP takes the children of a supervisor",
        Find::Application(|it| it.refused()),
    ),
    error(
        "the `init` of the main supervisor returns",
        Find::Application(|it| it.failed()),
    ),
    error(
        "the function that starts a child exists",
        Find::Application(|it| it.broken()),
    ),
    error(
        "a static is the name of a process of its type",
        Find::Name(names::of_another_type),
    ),
    error(
        "what `init`, `handle_start` and `terminate` wait for answers",
        Find::Name(names::never_answered),
    ),
    error(
        "what `init` and `handle_start` send to is there",
        Find::Name(names::sent_too_early),
    ),
    error(
        "a callback does not wait for its own process",
        Find::Name(names::waits_for_itself),
    ),
    error(
        "no processes wait for each other in a circle",
        Find::Names(names::waits_in_a_circle),
    ),
    error(
        "an isolated child uses no name of this VM",
        Find::Name(names::of_another_vm),
    ),
    error(
        "an isolated child uses no pool and no table of this VM",
        Find::Application(pools::of_another_vm),
    ),
    error(
        "a process has each name that is used",
        Find::Application(unregistered::used),
    ),
    error(
        "a process has each name that otp.toml lists",
        Find::Application(unregistered::listed),
    ),
    error(
        "a function that is called by its name exists",
        Find::Application(functions::missing),
    ),
    error(
        "a socket's `packet` has a header of 1, 2 or 4 bytes",
        Find::Application(functions::packets),
    ),
    error(
        "the application of a used module is started",
        Find::Application(functions::of_other_applications),
    ),
    error(
        "the application of an environment is installed",
        Find::Application(functions::environments),
    ),
    error(
        "a pool with tasks has workers",
        Find::Application(pools::without_workers),
    ),
    error(
        "a worker of a pool is restarted alone",
        Find::Application(pools::restarted_together),
    ),
    warning(
        "the children of every supervisor are known",
        Find::Application(|it| it.silent()),
    ),
    warning(
        "something starts each process",
        Find::Application(|it| it.started_by_nothing()),
    ),
    warning(
        "a supervisor lets a child terminate",
        Find::Application(|it| it.ended_without_terminate()),
    ),
];

const fn error(name: &'static str, find: Find) -> Rule {
    Rule {
        name,
        is_error: true,
        find,
    }
}

const fn warning(name: &'static str, find: Find) -> Rule {
    Rule {
        name,
        is_error: false,
        find,
    }
}
