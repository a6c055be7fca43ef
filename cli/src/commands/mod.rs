//! One file for each command.

mod add;
mod build;
mod check;
mod clean;
mod doctor;
mod explain;
mod forms;
mod gen_types;
mod man;
mod new;
mod observe;
mod protocols;
mod release;
mod run;
mod schema;
mod shell;
mod test;
mod tree;
mod types;
mod upgrade;
mod upgrading;

use std::ffi::OsString;

use crate::args::{self, Command};
use crate::build::cargo::Profile;
use crate::build::{Built, compiled};
use crate::installation::Installation;
use crate::project::Application;
use crate::report::{Result, Ui, catalog};
use crate::vm::declared::{self, Declared, Declaring, Start};

/// Does what was asked.
pub(crate) fn execute(command: Command, ui: &Ui) -> Result<()> {
    match command {
        Command::New(new) => new::execute(&new, ui),
        Command::Add(add) => add::execute(&add, ui),
        Command::Build(build) => build::execute(&build, ui),
        Command::Check(check) => check::execute(&check, ui),
        Command::Run(run) => run::execute(&run, ui),
        Command::Release(release) => release::execute(&release, ui),
        Command::Test(test) => test::execute(&test, ui),
        Command::Tree(tree) => tree::execute(&tree, ui),
        Command::Shell(shell) => shell::execute(&shell, ui),
        Command::Observe(observe) => observe::execute(&observe, ui),
        Command::Doctor(doctor) => doctor::execute(&doctor, ui),
        Command::Protocols(protocols) => protocols::execute(&protocols, ui),
        Command::Clean(clean) => clean::execute(&clean, ui),
        Command::Upgrade(upgrade) => upgrade::execute(&upgrade, ui),
        Command::Upgrading(upgrading) => upgrading::execute(&upgrading, ui),
        Command::Completions(script) => {
            ui.output(&script);
            Ok(())
        }
        Command::Man(pages) => man::execute(&pages, ui),
        Command::Explain(explain) => explain::execute(&explain, ui),
        Command::Forms(forms) => forms::execute(&forms, ui),
        Command::GenTypes(gen_types) => gen_types::execute(&gen_types, ui),
        Command::Types(types) => types::execute(&types, ui),
        Command::Schema(schema) => schema::execute(&schema, ui),
    }
}

/// The profile that a command line asks for.
fn profile(options: &args::BuildArgs) -> Profile {
    match &options.profile {
        Some(name) => Profile::named(name),
        None => Profile::of(options.release),
    }
}

/// The arguments after `--`, which reach the root supervisor as text.
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

/// What the supervisors of a built application, and of those that it needs, say of their children.
fn declared(
    application: &Application,
    built: &Built,
    otp: &Installation,
    arguments: &[String],
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
    };
    let compiled = compiled(otp, &built.target, &[&declared::DECLARED], ui)?;
    ui.during("Asking", "the supervisors", || {
        declared::ask(otp, &declaring, &compiled, |erl| built.load_into(erl))
    })
}

/// Whether the root supervisor can be given the command line. Below the application's own callbacks
/// it may take something else, which only their code knows.
fn takes_command_line(built: &Built) -> bool {
    let root = built.module(&built.root);
    root.is_some_and(|module| module.refuses_command_line.is_none())
}
