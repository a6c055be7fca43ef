//! The facts about an application that the rules compare.

use std::collections::BTreeSet;
use std::fmt::Display;
use std::fs;

use otp_contract::callback::CallbackKind;
use otp_contract::manifest::{Module, UsedName};

use super::calls::RustSources;
use super::functions::Asked;
use super::mentions::Mentions;
use crate::build::Built;
use crate::installation::{Applications, Installation};
use crate::project::Application;
use crate::report::{Error, at_attribute, catalog, nearest, quoted};
use crate::vm::declared::{Declared, OWN, Silent, Why};
use crate::vm::tree::{Process, TreeRow};

/// The facts about the application.
pub(super) struct Checked<'a> {
    pub(super) built: &'a Built,
    pub(super) declared: &'a Declared,
    pub(super) application: &'a Application,
    pub(super) sources: &'a RustSources,
    /// Names of processes that the sources show, each with the type in whose block it is.
    pub(super) shown: Vec<(&'a str, UsedName)>,
    /// The questions that `declared` answers.
    pub(super) asked: &'a [Asked],
    pub(super) otp: Applications,
    /// Whether applications that are not of OTP run beside it, whose code is unknown here.
    pub(super) has_others: bool,
}

impl Checked<'_> {
    /// Returns applications that are needed but not installed.
    pub(super) fn missing(&self) -> Vec<Error> {
        let path = self.application.config.path.display();
        let missing = self.declared.missing.iter().map(|(by, name)| {
            let error = catalog::NO_SUCH_APPLICATION.with(&[name]);
            match *by == self.built.name {
                true => error.at(&path),
                false => error,
            }
        });
        missing.collect()
    }

    /// Returns children that OTP refuses.
    pub(super) fn refused(&self) -> Vec<Error> {
        let refused = self.declared.silent.iter().filter_map(|it| match &it.why {
            Why::Refused(why) => {
                let error = catalog::CHILDREN_REFUSED.with(&[&it.module, why]);
                Some(self.at(error, &it.module))
            }
            Why::Failed { .. } | Why::Own => None,
        });
        refused.collect()
    }

    /// Returns the main supervisor, if its `init` fails.
    pub(super) fn failed(&self) -> Vec<Error> {
        let silent = self.declared.silent.iter();
        silent
            .filter(|it| self.is_failed_main(it))
            .filter_map(|it| self.unknown(it))
            .collect()
    }

    /// Returns other supervisors whose children are unknown.
    pub(super) fn silent(&self) -> Vec<Error> {
        let silent = self.declared.silent.iter();
        silent
            .filter(|it| !self.is_failed_main(it))
            .filter_map(|it| self.unknown(it))
            .collect()
    }

    pub(super) fn is_failed_main(&self, silent: &Silent) -> bool {
        matches!(silent.why, Why::Failed { .. }) && self.declared.is_main(silent)
    }

    /// Returns all processes, each with its supervisor.
    pub(super) fn processes(&self) -> impl Iterator<Item = (&Process, Option<&Process>)> {
        let trees = self.declared.trees.applications.iter();
        trees.flat_map(|tree| {
            let process = |index: usize| match &tree.entries[index].kind {
                TreeRow::Process(process) => Some(process),
                TreeRow::Omitted(_) => None,
            };
            let all = 0..tree.entries.len();
            all.filter_map(move |index| {
                Some((process(index)?, tree.parent(index).and_then(process)))
            })
        })
    }

    /// Returns children whose function does not exist.
    pub(super) fn broken(&self) -> Vec<Error> {
        let broken = self.processes().filter_map(|(child, supervisor)| {
            let problem = &child.declared.as_ref()?.problem;
            let supervisor = &supervisor?.module;
            if problem.is_empty() {
                return None;
            }
            let values: [&dyn Display; 3] = [&child.id, supervisor, problem];
            let error = self.at(catalog::CHILD_CANNOT_START.with(&values), supervisor);
            let known = self.built.modules.iter().map(String::as_str);
            Some(match self.built.modules.contains(&child.module) {
                true => error,
                false => error.suggest(&nearest(&child.module, known, 1)),
            })
        });
        broken.collect()
    }

    /// Returns children whose `terminate` is not called when their supervisor stops them.
    pub(super) fn ended_without_terminate(&self) -> Vec<Error> {
        let all = self.built.all();
        let modules = all.iter().flat_map(|of| {
            let modules = of.manifest.modules.iter();
            modules.map(move |module| (of, module))
        });
        let unheard = modules.filter(|(of, module)| {
            let mut callbacks = module.callbacks.iter();
            callbacks.any(|it| it.facts.kind == CallbackKind::End && !it.clauses.is_empty())
                && self.is_stopped_child(&module.module)
                && !traps_exits(of, module)
        });
        let warning = |(of, module): (&&Built, &Module)| {
            let error = catalog::TERMINATE_UNHEARD.with(&[&module.module]);
            at_attribute(error, &of.workspace, module)
        };
        unheard.map(warning).collect()
    }

    /// Returns whether a supervisor stops processes of this module by a signal that they can trap.
    pub(super) fn is_stopped_child(&self, module: &str) -> bool {
        self.processes().any(|(it, above)| {
            let declared = it.declared.as_ref();
            let is_killed = declared.is_some_and(|it| it.shutdown == "brutal_kill");
            above.is_some() && it.module == module && !is_killed
        })
    }

    /// Returns the error for a supervisor whose children are unknown.
    pub(super) fn unknown(&self, Silent { module, why, .. }: &Silent) -> Option<Error> {
        let error = |why: &str| self.at(catalog::CHILDREN_UNKNOWN.with(&[module, &why]), module);
        match why {
            Why::Refused(_) => None,
            Why::Own => Some(error(OWN)),
            Why::Failed { told, .. } => Some(error(told).help(
                "arguments after `--` are those of the root supervisor: cargo otp check -- ARGS",
            )),
        }
    }

    /// Returns processes that are not children, and that no other code of the application mentions.
    pub(super) fn started_by_nothing(&self) -> Vec<Error> {
        let processes = self.processes();
        let mut started: BTreeSet<&str> = processes.map(|(it, _)| it.module.as_str()).collect();
        started.extend(self.declared.atoms.iter().map(String::as_str));
        let modules = self.built.manifest.modules.iter();
        let left: Vec<&Module> = modules
            .filter(|it| is_started_by_code(it) && !started.contains(it.module.as_str()))
            .collect();
        if left.is_empty() {
            return Vec::new();
        }
        let mentions = Mentions::below(&self.application.folder.join("src"));
        let left = left.into_iter().filter(|it| !mentions.has(&it.rust_path));
        let warning = |module: &Module| {
            let behaviour = module.behaviour.as_deref().unwrap_or_default();
            let error = catalog::NOTHING_STARTS.with(&[&module.rust_path, &behaviour]);
            at_attribute(error, &self.built.workspace, module)
        };
        left.map(warning).collect()
    }

    /// Locates an error at the attribute of a module, if it belongs to a library.
    pub(super) fn at(&self, error: Error, module: &str) -> Error {
        let mut all = self.built.all().into_iter();
        match all.find_map(|one| Some((one, one.module(module)?))) {
            Some((of, module)) => at_attribute(error, &of.workspace, module),
            None => error,
        }
    }

    /// `` `shop`: 2 supervisors with 5 children, 1 warning ``
    pub(super) fn summary(&self, warnings: usize) -> String {
        let count = |number: usize, one: &str, several: &str| match number {
            1 => format!("1 {one}"),
            _ => format!("{number} {several}"),
        };
        let said = self
            .processes()
            .filter(|(it, _)| it.has_said_its_children());
        let supervisors = count(said.count(), "supervisor", "supervisors");
        let children = self.processes().filter(|(_, above)| above.is_some());
        let children = count(children.count(), "child", "children");
        let warnings = count(warnings, "warning", "warnings");
        format!(
            "{}: {supervisors} with {children}, {warnings}",
            quoted(&[&self.built.name])
        )
    }
}

/// Returns whether applications in Erlang or Elixir that are not of OTP run beside this one: its
/// dependencies, others that otp.toml names, and a project that it is part of.
pub(super) fn has_others(application: &Application, built: &Built, otp: &Installation) -> bool {
    let installed = Applications::of(otp);
    let mut folders = application.folder.ancestors().take(3);
    let is_part =
        folders.any(|it| it.join("mix.exs").is_file() || it.join("rebar.config").is_file());
    let mut named = application.config.related.applications.iter();
    is_part
        || named.any(|it| installed.folder(it).is_none())
        || built.dependencies.iter().any(|it| !it.is_of(otp))
}

/// Returns whether a module has a clause for exit signals, which it receives only if it traps
/// exits, or its file mentions that.
fn traps_exits(of: &Built, module: &Module) -> bool {
    let mut clauses = module.callbacks.iter().flat_map(|it| &it.clauses);
    if clauses.any(|it| it.message.ends_with("ExitSignal")) {
        return true;
    }
    let text = fs::read_to_string(of.workspace.join(&module.location.file));
    text.is_ok_and(|text| text.contains("trap_exit"))
}

/// Returns whether processes of a module are started by code of the application. Handlers of
/// `gen_event` are added to a process, and OTP starts an `application`.
fn is_started_by_code(module: &Module) -> bool {
    let behaviours = [
        "gen_server",
        "gen_statem",
        "supervisor",
        "supervisor_bridge",
    ];
    let behaviour = module.behaviour.as_deref();
    behaviour.is_some_and(|behaviour| behaviours.contains(&behaviour))
}
