//! The command lines. Nothing else knows clap.

mod application;
mod cargo_otp;
mod completions;
mod doctor;
mod gen_types;
mod man;
mod nodes;
mod observe;
mod otp_rs;
mod output;
mod protocols;
mod upgrade;

use std::ffi::OsString;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Args, CommandFactory, Parser};

use crate::report::nearest;
pub(crate) use application::{BuildArgs, Manifest};
pub(crate) use cargo_otp::{Add, Build, Check, Clean, New, Node, Release, Run, Test, Upgrading};
use cargo_otp::{CargoOtp, CargoOtpVerb};
use completions::Completions;
pub(crate) use doctor::Doctor;
pub(crate) use gen_types::{CodePath, ConfigArgs, From, GenTypes};
use man::Man;
pub(crate) use man::Pages;
pub(crate) use nodes::{Shell, Tree, TreeFormat};
pub(crate) use observe::Observe;
pub(crate) use otp_rs::{Forms, FormsFormat, Schema, Types};
use otp_rs::{OtpRs, OtpRsVerb};
pub(crate) use output::{MessageFormat, Output};
pub(crate) use protocols::{Protocols, ProtocolsFormat};
pub(crate) use upgrade::Upgrade;

/// What a command line came to.
pub(crate) enum Parsed {
    /// A command to execute, and what it says meanwhile.
    Command(Box<Command>, Output),
    /// Help or the version, for standard output.
    Text(String),
    /// A mistake in the command line, for standard error.
    Mistake(String),
    /// Nothing was asked for: help, for standard error.
    Nothing(String),
}

/// Everything that can be asked for.
pub(crate) enum Command {
    /// `cargo otp new`
    New(New),
    /// `cargo otp add`
    Add(Add),
    /// `cargo otp build`
    Build(Build),
    /// `cargo otp check`
    Check(Check),
    /// `cargo otp run`
    Run(Run),
    /// `cargo otp test`
    Test(Test),
    /// `cargo otp release`
    Release(Release),
    /// `cargo otp tree`
    Tree(Tree),
    /// `cargo otp shell`
    Shell(Shell),
    /// `cargo otp observe`
    Observe(Observe),
    /// `cargo otp doctor`
    Doctor(Doctor),
    /// `cargo otp schema`
    Protocols(Protocols),
    /// `cargo otp clean`
    Clean(Clean),
    /// `cargo otp upgrade`
    Upgrade(Upgrade),
    /// `cargo otp upgrading`
    Upgrading(Upgrading),
    /// `cargo otp completions` and `otp-rs completions`: the script.
    Completions(String),
    /// `cargo otp man` and `otp-rs man`
    Man(Pages),
    /// `otp-rs forms`
    Forms(Forms),
    /// `otp-rs gen-types`
    GenTypes(GenTypes),
    /// `otp-rs types`
    Types(Types),
    /// `otp-rs schema`
    Schema(Schema),
    /// `otp-rs explain` and `cargo otp explain`
    Explain(Explain),
}

/// Explain errors and warnings by their codes, or list all of them.
#[derive(Args)]
#[command(after_help = "\
Examples:
  otp-rs explain E0902
  otp-rs explain E0301 E0501
  otp-rs explain

An error shows its code in brackets: error[E0902]. Without a CODE, all codes are listed with what
they say. `cargo otp explain` is the same.")]
pub(crate) struct Explain {
    /// Codes to explain
    #[arg(value_name = "CODE")]
    pub(crate) codes: Vec<String>,
}

/// Reads `cargo-otp otp VERB …`, as cargo calls it, or `cargo-otp VERB …`.
pub(crate) fn parse_cargo_otp(arguments: impl Iterator<Item = OsString>) -> Parsed {
    let mut arguments: Vec<OsString> = arguments.collect();
    if arguments.get(1).is_some_and(|first| first == "otp") {
        arguments.remove(1);
    }
    let line = CargoOtp::try_parse_from(arguments);
    let line = line.map_err(|error| with_suggestion(error, &CargoOtp::command()));
    parsed(line, |line| {
        let command = match line.verb {
            CargoOtpVerb::New(new) => Command::New(new),
            CargoOtpVerb::Add(add) => Command::Add(add),
            CargoOtpVerb::Build(build) => Command::Build(build),
            CargoOtpVerb::Check(check) => Command::Check(check),
            CargoOtpVerb::Run(run) => Command::Run(run),
            CargoOtpVerb::Test(test) => Command::Test(test),
            CargoOtpVerb::Release(release) => Command::Release(release),
            CargoOtpVerb::Tree(tree) => Command::Tree(tree),
            CargoOtpVerb::Shell(shell) => Command::Shell(shell),
            CargoOtpVerb::Observe(observe) => Command::Observe(observe),
            CargoOtpVerb::Doctor(doctor) => Command::Doctor(doctor),
            CargoOtpVerb::Schema(protocols) => Command::Protocols(protocols),
            CargoOtpVerb::Clean(clean) => Command::Clean(clean),
            CargoOtpVerb::Upgrade(upgrade) => Command::Upgrade(upgrade),
            CargoOtpVerb::Upgrading(upgrading) => Command::Upgrading(upgrading),
            CargoOtpVerb::Explain(explain) => Command::Explain(explain),
            CargoOtpVerb::Completions(of) => {
                Command::Completions(completions::cargo_otp(&of, CargoOtp::command()))
            }
            CargoOtpVerb::Man(man) => {
                Command::Man(man::pages(man, CargoOtp::command(), "cargo-otp"))
            }
        };
        (command, line.output)
    })
}

/// Reads `otp-rs VERB …`.
pub(crate) fn parse_otp_rs(arguments: impl Iterator<Item = OsString>) -> Parsed {
    let line = OtpRs::try_parse_from(arguments);
    let line = line.map_err(|error| with_suggestion(error, &OtpRs::command()));
    parsed(line, |line| {
        let command = match line.verb {
            OtpRsVerb::Forms(forms) => Command::Forms(forms),
            OtpRsVerb::GenTypes(gen_types) => Command::GenTypes(gen_types),
            OtpRsVerb::Types(types) => Command::Types(types),
            OtpRsVerb::Schema(schema) => Command::Schema(schema),
            OtpRsVerb::Explain(explain) => Command::Explain(explain),
            OtpRsVerb::Completions(of) => {
                Command::Completions(completions::otp_rs(&of, OtpRs::command()))
            }
            OtpRsVerb::Man(man) => Command::Man(man::pages(man, OtpRs::command(), "otp-rs")),
        };
        (command, Output::default())
    })
}

/// clap finds no name for letters that have changed places, as in `rnu`.
fn with_suggestion(mut error: clap::Error, command: &clap::Command) -> clap::Error {
    let given = match error.get(ContextKind::InvalidSubcommand) {
        Some(ContextValue::String(given))
            if error.get(ContextKind::SuggestedSubcommand).is_none() =>
        {
            given.clone()
        }
        _ => return error,
    };
    let names = command.get_subcommands().map(clap::Command::get_name);
    let near: Vec<String> = nearest(&given, names, 2)
        .into_iter()
        .map(str::to_owned)
        .collect();
    if !near.is_empty() {
        error.insert(
            ContextKind::SuggestedSubcommand,
            ContextValue::Strings(near),
        );
    }
    error
}

fn parsed<T>(
    result: Result<T, clap::Error>,
    command: impl FnOnce(T) -> (Command, Output),
) -> Parsed {
    match result {
        Ok(line) => {
            let (command, output) = command(line);
            Parsed::Command(Box::new(command), output)
        }
        Err(error) => match error.kind() {
            ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => Parsed::Text(error.to_string()),
            ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
                Parsed::Nothing(error.to_string())
            }
            _ => Parsed::Mistake(error.to_string()),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_definitions_are_sound() {
        CargoOtp::command().debug_assert();
        OtpRs::command().debug_assert();
    }

    #[test]
    fn letters_that_have_changed_places_are_seen() {
        let line = ["cargo-otp", "otp", "rnu"].map(OsString::from);
        let Parsed::Mistake(text) = parse_cargo_otp(line.into_iter()) else {
            panic!("it is a mistake");
        };
        assert!(text.contains("'run'"), "{text}");
    }

    #[test]
    fn every_behaviour_with_a_template_is_named() {
        let mut command = CargoOtp::command();
        let add = command.find_subcommand_mut("add").expect("add");
        let help = add.render_long_help().to_string();
        for behaviour in otp_codegen::BRIDGE_BEHAVIOURS {
            assert!(help.contains(behaviour), "{behaviour}");
        }
    }

    #[test]
    fn every_command_has_examples() {
        for program in [CargoOtp::command(), OtpRs::command()] {
            for mut command in program.get_subcommands().cloned().chain([program.clone()]) {
                let help = command.render_long_help().to_string();
                assert!(help.contains("Examples:"), "{}", command.get_name());
            }
        }
    }

    #[test]
    fn cargo_passes_its_own_word_first() {
        let words = |line: &str| line.split(' ').map(OsString::from).collect::<Vec<_>>();
        for line in [
            "cargo-otp otp run -- -x --help",
            "cargo-otp run -- -x --help",
        ] {
            let Parsed::Command(command, _) = parse_cargo_otp(words(line).into_iter()) else {
                panic!("{line}");
            };
            let Command::Run(run) = *command else {
                panic!("{line}");
            };
            assert_eq!(run.arguments, ["-x", "--help"]);
        }
    }
}
