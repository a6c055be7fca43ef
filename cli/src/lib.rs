//! cargo otp (an application's life) and otp-rs (types, schemas, docs): one program, two names.
//!
//! [`cargo_otp`] and [`otp_rs`] are the two entries. Each verb has its file under `commands`; what
//! several verbs need stands in a room beside it. Every line that the user sees goes through
//! `report`, and every failure is a `report::Error` that says what, where and what to do.

mod args;
mod build;
mod commands;
mod files;
mod generator;
mod installation;
mod platform;
mod project;
mod protocol;
mod release;
mod report;
mod signals;
mod sources;
mod vm;

use std::ffi::OsString;
use std::process::ExitCode;

use args::{MessageFormat, Output, Parsed};
use report::{Settings, Ui};

/// `cargo otp …`. Exit codes: 0, 1 for the user's mistake, 2 for ours.
pub fn cargo_otp(arguments: impl Iterator<Item = OsString>) -> ExitCode {
    if build::wrapper::is_called() {
        return build::wrapper::call(arguments);
    }
    finish(args::parse_cargo_otp(arguments))
}

/// `otp-rs …`. Exit codes as for [`cargo_otp`].
pub fn otp_rs(arguments: impl Iterator<Item = OsString>) -> ExitCode {
    finish(args::parse_otp_rs(arguments))
}

/// Reads a text as otp.toml in every way. For the fuzz target `otp_toml`, which expects that
/// nothing panics.
#[doc(hidden)]
pub fn __read_otp_toml(text: &str) {
    project::config::read_in_every_way(text);
}

fn finish(parsed: Parsed) -> ExitCode {
    let ui = Ui::new(Settings::default());
    match parsed {
        Parsed::Command(command, output) => {
            signals::receive_all();
            let ui = Ui::new(settings(output));
            outcome(&ui, commands::execute(*command, &ui))
        }
        Parsed::Text(text) => {
            ui.output(&text);
            outcome(&ui, Ok(()))
        }
        Parsed::Mistake(text) => {
            ui.command_line(&text);
            ExitCode::from(1)
        }
        Parsed::Nothing(help) => {
            ui.raw_error(&help);
            ExitCode::from(1)
        }
    }
}

fn settings(output: Output) -> Settings {
    Settings {
        quiet: output.quiet,
        verbose: output.verbose,
        json: output.message_format == MessageFormat::Json,
    }
}

/// The exit code of a command. Output that did not arrive is a failure, too.
fn outcome(ui: &Ui, result: report::Result<()>) -> ExitCode {
    signals::wait_for_the_end();
    let error = result.err().or_else(|| ui.output_error());
    let code = error.as_ref().map_or(0, report::Error::exit_code);
    if let Some(error) = error {
        ui.error(&error);
        if !error.is_shown() {
            ui.for_more();
        }
    }
    ui.finished(code);
    ExitCode::from(code)
}
