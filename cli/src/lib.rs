//! cargo otp (an application's life) and otp-rs (types, schemas, docs): one program, two names.
//!
//! [`cargo_otp`] and [`otp_rs`] are the two entry points. Each verb has its file under `commands`;
//! code that several verbs share is in a folder beside it. Every line that the user sees goes
//! through `report`, and every failure is a `report::Error` that states what went wrong, where, and
//! what to do.

mod args;
mod build;
mod commands;
mod files;
mod generator;
mod installation;
mod package;
mod platform;
mod project;
mod protocol;
mod release;
mod report;
mod signals;
mod sources;
mod terms;
mod vm;

use std::ffi::OsString;
use std::process::ExitCode;

// Terms are read and written without a VM.
use otp_bridge_novm as _;

use args::{CargoOtpVerb, MessageFormat, OtpRsVerb, Output, Parsed};
use report::{Result, Settings, Ui};

/// `cargo otp …`. Exit codes: 0, 1 for the user's mistake, 2 for ours.
pub fn cargo_otp(arguments: impl Iterator<Item = OsString>) -> ExitCode {
    if build::wrapper::is_called() {
        return build::wrapper::call(arguments);
    }
    finish(args::cargo_otp(arguments), cargo_otp_verb)
}

/// `otp-rs …`. Exit codes as for [`cargo_otp`].
pub fn otp_rs(arguments: impl Iterator<Item = OsString>) -> ExitCode {
    finish(args::otp_rs(arguments), otp_rs_verb)
}

/// Reads a text as otp.toml in every way. For the fuzz target `otp_toml`, which expects that no
/// input causes a panic.
#[doc(hidden)]
pub fn __read_otp_toml(text: &str) {
    project::config::read_in_every_way(text);
}

/// Reads a text as the name of a module or of a part of one. For the fuzz target `typed`.
#[doc(hidden)]
pub fn __read_name(text: &str) {
    let _ = sources::QualifiedName::read(text);
}

fn cargo_otp_verb(verb: CargoOtpVerb, ui: &Ui) -> Result<()> {
    match verb {
        CargoOtpVerb::New(new) => commands::new::execute(&new, ui),
        CargoOtpVerb::Add(add) => commands::add::execute(&add, ui),
        CargoOtpVerb::Build(build) => commands::build::execute(&build, ui),
        CargoOtpVerb::Check(check) => commands::check::execute(&check, ui),
        CargoOtpVerb::Run(run) => commands::run::execute(&run, ui),
        CargoOtpVerb::Test(test) => commands::test::execute(&test, ui),
        CargoOtpVerb::Package(package) => commands::package::execute(&package, ui),
        CargoOtpVerb::Release(release) => commands::release::execute(&release, ui),
        CargoOtpVerb::Tree(tree) => commands::tree::execute(&tree, ui),
        CargoOtpVerb::Shell(shell) => commands::shell::execute(&shell, ui),
        CargoOtpVerb::Observe(observe) => commands::observe::execute(&observe, ui),
        CargoOtpVerb::Doctor(doctor) => commands::doctor::execute(&doctor, ui),
        CargoOtpVerb::Schema(protocols) => commands::protocols::execute(&protocols, ui),
        CargoOtpVerb::Clean(clean) => commands::clean::execute(&clean, ui),
        CargoOtpVerb::Upgrade(upgrade) => commands::upgrade::execute(&upgrade, ui),
        CargoOtpVerb::Upgrading(upgrading) => commands::upgrading::execute(&upgrading, ui),
        CargoOtpVerb::Explain(explain) => commands::explain::execute(&explain, ui),
        CargoOtpVerb::Completions(of) => {
            ui.output(&args::cargo_otp_completions(&of));
            Ok(())
        }
        CargoOtpVerb::Man(man) => commands::man::execute(&args::cargo_otp_pages(man), ui),
    }
}

fn otp_rs_verb(verb: OtpRsVerb, ui: &Ui) -> Result<()> {
    match verb {
        OtpRsVerb::Forms(forms) => commands::forms::execute(&forms, ui),
        OtpRsVerb::GenTypes(gen_types) => commands::gen_types::execute(&gen_types, ui),
        OtpRsVerb::Types(types) => commands::types::execute(&types, ui),
        OtpRsVerb::Schema(schema) => commands::schema::execute(&schema, ui),
        OtpRsVerb::Term(term) => commands::term::execute(&term, ui),
        OtpRsVerb::Explain(explain) => commands::explain::execute(&explain, ui),
        OtpRsVerb::Completions(of) => {
            ui.output(&args::otp_rs_completions(&of));
            Ok(())
        }
        OtpRsVerb::Man(man) => commands::man::execute(&args::otp_rs_pages(man), ui),
    }
}

fn finish<Verb>(parsed: Parsed<Verb>, execute: impl FnOnce(Verb, &Ui) -> Result<()>) -> ExitCode {
    let ui = Ui::new(Settings::default());
    match parsed {
        Parsed::Command(command, output) => {
            signals::receive_all();
            let ui = Ui::new(settings(output));
            outcome(&ui, execute(*command, &ui))
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

/// Returns the exit code of a command. Output that could not be written is a failure, too.
fn outcome(ui: &Ui, result: Result<()>) -> ExitCode {
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
