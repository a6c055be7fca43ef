//! `cargo otp test`: builds what a VM loads, then has cargo run the tests. Those that are for a VM boot one.

use std::fs;
use std::path::Path;
use std::process::Command;

use otp_contract::modules::TEST;
use otp_contract::testing::{CARGO_OTP, FEATURES, PREPARED};
use tempfile::TempDir;

use crate::args::Test;
use crate::build::cargo::{self, Profile, Tested};
use crate::build::{Built, Order, build};
use crate::installation::Installation;
use crate::project::Application;
use crate::report::{Error, Result, Ui, catalog};
use crate::vm;

pub(super) fn execute(options: &Test, ui: &Ui) -> Result<()> {
    let otp = Installation::find()?;
    let application = Application::here()?;
    if options.prepare {
        let built = prepare(&application, &otp, options, options.test.as_deref(), ui)?;
        ui.output(&lines(&vm_of(&otp, &application, &built))?);
        return Ok(());
    }
    let prepared = tempfile::tempdir()
        .map_err(|error| Error::io("write in", &std::env::temp_dir(), &error))?;
    if options.test.is_none() && !options.list {
        let built = prepare(&application, &otp, options, None, ui)?;
        let file = prepared.path().join(&built.name);
        fs::write(&file, lines(&vm_of(&otp, &application, &built))?)
            .map_err(|error| Error::io("write", &file, &error))?;
    }
    let mut tests = tests(&application.folder, &prepared, options, ui)?;
    ui.starting(&tests);
    let status = tests.status().map_err(|error| cargo::cannot_run(&error))?;
    match status.success() {
        true => Ok(()),
        false => Err(catalog::TESTS_FAILED.error()),
    }
}

/// Builds the library with the tests in it.
fn prepare(
    application: &Application,
    otp: &Installation,
    options: &Test,
    test: Option<&str>,
    ui: &Ui,
) -> Result<Built> {
    let order = Order {
        profile: Profile::of(options.release),
        tests: Some(Tested {
            test,
            features: &options.features,
        }),
    };
    build(application, otp, &order, ui)
}

/// The VM that runs the tests. Its last argument, which is not among these, is the mark that ends the output of a test.
fn vm_of(otp: &Installation, application: &Application, built: &Built) -> Command {
    let mut erl = vm::erl(otp);
    erl.args(["-boot", "no_dot_erlang"]);
    erl.args(&application.config.vm.flags);
    built.load_into(&mut erl);
    erl.args(["-s", TEST, "main", "-extra", &built.name]);
    erl
}

/// A line for the program, and one for each argument.
fn lines(command: &Command) -> Result<String> {
    let parts = [command.get_program()]
        .into_iter()
        .chain(command.get_args());
    let mut lines = String::new();
    for part in parts {
        match part.to_str().filter(|part| !part.contains('\n')) {
            Some(part) => lines += &format!("{part}\n"),
            None => return Err(catalog::PATH_OF_TESTS.error().at(Path::new(part).display())),
        }
    }
    Ok(lines)
}

/// `cargo test`
fn tests(folder: &Path, prepared: &TempDir, options: &Test, ui: &Ui) -> Result<Command> {
    let mut cargo = cargo::command(folder);
    let own = std::env::current_exe().map_err(|error| cargo::cannot_run(&error))?;
    cargo.arg("test").args(ui.cargo_options());
    if ui.is_json() {
        cargo.arg("--message-format=json");
    }
    cargo.env(PREPARED, prepared.path()).env(CARGO_OTP, own);
    cargo.env(FEATURES, options.features.join(" "));
    if options.release {
        cargo.arg("--release");
    }
    for features in &options.features {
        cargo.args(["--features", features]);
    }
    if let Some(test) = &options.test {
        cargo.args(["--test", test]);
    }
    cargo.args(options.name.iter().chain(&options.filter));
    cargo.arg("--").args(&options.arguments);
    if options.list {
        cargo.arg("--list");
    }
    Ok(cargo)
}
