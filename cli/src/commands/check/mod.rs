//! `cargo otp check`: builds, then says what would fail when the application runs.

mod mentions;

use std::collections::BTreeSet;
use std::fmt::Display;

use otp_contract::manifest::Module;

use crate::args::Check;
use crate::build::{Built, Order, at_attribute, build};
use crate::installation::Installation;
use crate::project::Application;
use crate::report::{Error, Result, Ui, catalog, nearest, quoted};
use crate::vm::children::{self, Children, Question};
use crate::vm::configuration;
use mentions::Mentions;

pub(super) fn execute(options: &Check, ui: &Ui) -> Result<()> {
    let arguments = super::texts(&options.arguments)?;
    let otp = Installation::find()?;
    let application = Application::here()?;
    if let Some(file) = &application.config.release.config {
        configuration::check(&otp, &application.folder.join(file))?;
    }
    let order = Order::application(super::profile(&options.built));
    let built = build(&application, &otp, &order, ui)?;
    let root = &application.config.stroot;
    let question = Question {
        application: &built.name,
        root: takes_command_line(&built, root).then_some(root),
        modules: &built.sources,
        arguments: &arguments,
    };
    let children = children::ask(&otp, &question, |erl| built.load_into(erl))?;
    let checked = Checked {
        built: &built,
        children: &children,
        application: &application,
    };
    let warnings = checked.warnings();
    warnings.iter().for_each(|warning| ui.warning(warning));
    ui.all(checked.errors())?;
    ui.status("Checked", &checked.summary(warnings.len()));
    Ok(())
}

/// Whether the root supervisor can be given the command line. Below the application's own callbacks it may take
/// something else, which only their code knows.
fn takes_command_line(built: &Built, root: &str) -> bool {
    let root = built.module(root);
    root.is_some_and(|module| module.refuses_command_line.is_none())
}

/// What is known of the application.
struct Checked<'a> {
    built: &'a Built,
    children: &'a Children,
    application: &'a Application,
}

impl Checked<'_> {
    /// What would fail.
    fn errors(&self) -> Vec<Error> {
        let path = self.application.config.path.display();
        let missing = self.children.missing.iter();
        let missing = missing.map(|name| catalog::NO_SUCH_APPLICATION.with(&[name]).at(&path));
        let refused = self.children.refused.iter().map(|(supervisor, why)| {
            self.at(
                catalog::CHILDREN_REFUSED.with(&[supervisor, why]),
                supervisor,
            )
        });
        missing.chain(refused).chain(self.broken()).collect()
    }

    /// Children whose function is not there.
    fn broken(&self) -> impl Iterator<Item = Error> {
        let children = self.children.children.iter();
        let broken = children.filter(|child| !child.problem.is_empty());
        broken.map(|child| {
            let values: [&dyn Display; 3] = [&child.id, &child.supervisor, &child.problem];
            let error = catalog::CHILD_CANNOT_START.with(&values);
            let error = self.at(error, &child.supervisor);
            let known = self.built.modules.iter().map(String::as_str);
            match self.built.modules.contains(&child.module) {
                true => error,
                false => error.suggest(&nearest(&child.module, known, 1)),
            }
        })
    }

    /// What may be a mistake.
    fn warnings(&self) -> Vec<Error> {
        let unknown = self.children.unknown.iter().map(|(supervisor, why)| {
            let error = catalog::CHILDREN_UNKNOWN.with(&[supervisor, why]);
            self.at(error, supervisor).help(
                "arguments after `--` are those of the root supervisor: cargo otp check -- ARGS",
            )
        });
        let stroot = &self.application.config.stroot;
        let own = (!takes_command_line(self.built, stroot)).then(|| {
            let why = "the application's own `start` gives it its arguments";
            self.at(catalog::CHILDREN_UNKNOWN.with(&[stroot, &why]), stroot)
        });
        own.into_iter()
            .chain(unknown)
            .chain(self.started_by_nothing())
            .collect()
    }

    /// Processes that are not children, and that no other code of the application mentions.
    fn started_by_nothing(&self) -> Vec<Error> {
        let stroot = self.application.config.stroot.as_str();
        let children = self.children.children.iter();
        let mut started: BTreeSet<&str> = children.map(|it| it.module.as_str()).collect();
        started.insert(stroot);
        started.extend(self.children.atoms.iter().map(String::as_str));
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

    /// The error at the attribute of a module, if it is one of the library's.
    fn at(&self, error: Error, module: &str) -> Error {
        match self.built.module(module) {
            Some(module) => at_attribute(error, &self.built.workspace, module),
            None => error,
        }
    }

    /// `` `shop`: 2 supervisors with 5 children, 1 warning ``
    fn summary(&self, warnings: usize) -> String {
        let count = |number: usize, one: &str, several: &str| match number {
            1 => format!("1 {one}"),
            _ => format!("{number} {several}"),
        };
        let supervisors = count(self.children.supervisors.len(), "supervisor", "supervisors");
        let children = count(self.children.children.len(), "child", "children");
        let warnings = count(warnings, "warning", "warnings");
        format!(
            "{}: {supervisors} with {children}, {warnings}",
            quoted(&[&self.built.name])
        )
    }
}

/// Behaviours whose processes somebody's code starts. Handlers of `gen_event` are added to a process, an `application` is
/// started by OTP.
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
