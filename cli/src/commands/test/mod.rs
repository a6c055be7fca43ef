//! `cargo otp test`: builds the library for a VM, then runs the tests through cargo. Tests for a VM
//! boot one.

mod coverage;

use std::fs;
use std::path::Path;
use std::process::Command;

use otp_contract::modules::TEST;
use otp_contract::testing::{CARGO_OTP, COUNTED, COVERAGE, EXPLORE, FEATURES, PREPARED, SEED};

use crate::args::Test;
use crate::build::cargo::{self, Profile, Tested};
use crate::build::{BuildOptions, Built, build};
use crate::files::Scratch;
use crate::installation::Installation;
use crate::platform::{self, System};
use crate::project::Application;
use crate::report::{Error, Result, Ui, catalog};
use crate::vm;

pub(crate) fn execute(options: &Test, ui: &Ui) -> Result<()> {
    let otp = Installation::find()?;
    let application = Application::find(options.manifest.path.as_deref())?;
    let features = features(options);
    let prepare = |test| prepare(&application, &otp, options, (test, &features), ui);
    let test = options.test.as_deref();
    if options.prepare {
        ui.output(&lines(&vm_of(&otp, &application, &prepare(test)?))?);
        return Ok(());
    }
    let folder = Scratch::new()?;
    let is_prepared = test.is_none() && !options.list;
    let built = (is_prepared || options.coverage)
        .then(|| prepare(test))
        .transpose()?;
    if let Some(built) = built.as_ref().filter(|_| is_prepared) {
        let file = folder.path().join(&built.name);
        fs::write(&file, lines(&vm_of(&otp, &application, built))?)
            .map_err(|error| Error::io("write", &file, &error))?;
    }
    let mut tests = tests(&application.folder, &folder, (options, &features), ui)?;
    // An application cannot have this name.
    let ran = folder.path().join("clauses that have run");
    if options.coverage {
        tests.env(COVERAGE, &ran);
    }
    ui.starting(&tests);
    let status = tests.status().map_err(|error| cargo::cannot_run(&error))?;
    if let Some(built) = built.filter(|_| options.coverage) {
        ui.output(&coverage::report(&built.manifest, &coverage::read(&ran)?));
    }
    if status.success() {
        Ok(())
    } else {
        Err(catalog::TESTS_FAILED.error())
    }
}

/// Returns the features of the package, and the feature of the run time that counts clauses.
fn features(options: &Test) -> Vec<String> {
    let counted = options.coverage.then(|| COUNTED.to_owned());
    options.features.iter().cloned().chain(counted).collect()
}

/// Builds the library with the tests in it.
fn prepare(
    application: &Application,
    otp: &Installation,
    options: &Test,
    (test, features): (Option<&str>, &[String]),
    ui: &Ui,
) -> Result<Built> {
    let order = BuildOptions {
        profile: Profile::of(options.release),
        tests: Some(Tested { test, features }),
    };
    build(application, otp, &order, ui)
}

/// Returns the command of the VM that runs the tests. Its last argument, the mark that ends the
/// output of a test, is added later.
fn vm_of(otp: &Installation, application: &Application, built: &Built) -> Command {
    let mut erl = vm::erl(otp);
    erl.args(["-boot", "no_dot_erlang"]);
    erl.args(&application.config.vm.flags);
    built.load_into(&mut erl);
    erl.args(["-s", TEST, "main", "-extra", &built.name]);
    erl
}

/// Returns a line for the program, and one for each argument.
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
fn tests(
    folder: &Path,
    prepared: &Scratch,
    (options, features): (&Test, &[String]),
    ui: &Ui,
) -> Result<Command> {
    let mut cargo = cargo::command(folder);
    let own = platform::own_program().map_err(|error| cargo::cannot_run(&error))?;
    cargo.arg("test").args(ui.cargo_options());
    cargo.args(System::host().cargo_options());
    if ui.is_json() {
        cargo.arg("--message-format=json");
    }
    cargo.env(PREPARED, prepared.path()).env(CARGO_OTP, own);
    cargo.env(FEATURES, features.join(" "));
    for (variable, number) in [(EXPLORE, options.explore), (SEED, options.seed)] {
        if let Some(number) = number {
            cargo.env(variable, number.to_string());
        }
    }
    if options.release {
        cargo.arg("--release");
    }
    for feature in features {
        cargo.args(["--features", feature]);
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
