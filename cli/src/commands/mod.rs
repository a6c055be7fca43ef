//! One file for each command.

pub(crate) mod add;
pub(crate) mod build;
pub(crate) mod check;
pub(crate) mod clean;
pub(crate) mod doctor;
pub(crate) mod explain;
pub(crate) mod forms;
pub(crate) mod gen_types;
pub(crate) mod man;
pub(crate) mod new;
pub(crate) mod observe;
pub(crate) mod package;
pub(crate) mod protocols;
pub(crate) mod release;
pub(crate) mod run;
pub(crate) mod schema;
pub(crate) mod shell;
pub(crate) mod term;
pub(crate) mod test;
pub(crate) mod tree;
pub(crate) mod types;
pub(crate) mod upgrade;
pub(crate) mod upgrading;

use std::ffi::OsString;

use otp_erlang::tools::DECLARED;

use crate::args;
use crate::build::cargo::Profile;
use crate::build::{Built, compiled};
use crate::installation::Installation;
use crate::project::Application;
use crate::report::{Result, Ui, catalog};
use crate::vm::declared::{self, Declared, Declaring, Question, Start};

/// Returns the profile of a command line.
fn profile(options: &args::BuildArgs) -> Profile {
    match &options.profile {
        Some(name) => Profile::named(name),
        None => Profile::of(options.release),
    }
}

/// Returns the arguments after `--`, which reach the root supervisor as text.
fn texts(arguments: &[OsString]) -> Result<Vec<String>> {
    let text = |argument: &OsString| {
        argument.to_str().map(str::to_owned).ok_or_else(|| {
            catalog::ARGUMENT_TEXT
                .error()
                .detail(argument.to_string_lossy())
        })
    };
    arguments.iter().map(text).collect()
}

/// Returns the children that the supervisors of a built application, and of those that it needs,
/// declare.
fn declared(
    application: &Application,
    built: &Built,
    otp: &Installation,
    arguments: &[String],
    questions: &[Question],
    ui: &Ui,
) -> Result<Declared> {
    let included = &application.config.related.included_applications;
    let all = built.all();
    let all = all.iter().map(|one| declared::DeclaredApplication {
        name: &one.name,
        root: &one.root,
        start: match (included.contains(&one.name), takes_command_line(one)) {
            (true, _) => Start::Included,
            (false, true) => Start::Usual,
            (false, false) => Start::Own,
        },
    });
    let declaring = Declaring {
        applications: all.collect(),
        modules: &built.sources,
        arguments,
        questions,
    };
    let compiled = compiled(otp, &built.target, &[&DECLARED], ui)?;
    ui.during("Asking", "the supervisors", || {
        declared::ask(otp, &declaring, &compiled, |erl| built.load_into(erl))
    })
}

/// Returns whether the root supervisor can receive the command line. If the application has its own
/// callbacks, they may start it with something else, which only their code knows.
fn takes_command_line(built: &Built) -> bool {
    let root = built.module(&built.root);
    root.is_some_and(|module| module.refuses_command_line.is_none())
}
