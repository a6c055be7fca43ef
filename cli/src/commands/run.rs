//! `cargo otp run`: builds, then runs the application until it ends or is asked to stop.

use std::process::Command;

use otp_contract::modules;

use crate::args::Run;
use crate::build::cargo::Profile;
use crate::build::{Built, build};
use crate::installation::Installation;
use crate::project::Application;
use crate::report::{Result, Ui, catalog};
use crate::vm;

pub(super) fn execute(options: &Run, ui: &Ui) -> Result<()> {
    check_arguments(options)?;
    let otp = Installation::find()?;
    let profile = Profile::of(options.release);
    let built = build(&Application::here()?, &otp, profile, ui)?;
    ui.status("Running", &format!("`{}` (Ctrl-C stops it)", built.name));
    vm::run(command(&otp, &built, options), &built.name, ui)
}

/// The arguments reach the root supervisor as text.
fn check_arguments(options: &Run) -> Result<()> {
    match options
        .arguments
        .iter()
        .find(|argument| argument.to_str().is_none())
    {
        Some(argument) => Err(catalog::ARGUMENT_TEXT
            .error()
            .detail(argument.to_string_lossy())),
        None => Ok(()),
    }
}

fn command(otp: &Installation, built: &Built, options: &Run) -> Command {
    let mut erl = vm::erl(otp);
    // +fnu: arguments are UTF-8, whatever the locale.
    erl.args(["+fnu", "-pa"])
        .arg(&built.ebin)
        // All modules are loaded now: one that is loaded later could be of a newer build than the library.
        .args(["-s", "code", "ensure_modules_loaded"])
        .args(&built.modules)
        .args(["-s", &modules::run(&built.name), "main", "-extra"])
        .args(&options.arguments);
    erl
}
