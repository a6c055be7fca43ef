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

use crate::args::{Built, Command};
use crate::build::cargo::Profile;
use crate::report::{Result, Ui, catalog};

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
fn profile(options: &Built) -> Profile {
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
