//! The command lines. Only this module uses clap.

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
use cargo_otp::CargoOtp;
pub(crate) use cargo_otp::{
    Add, Build, CargoOtpVerb, Check, Clean, New, Node, PackageArgs, Release, Run, Template, Test,
    Upgrading,
};
pub(crate) use completions::Completions;
pub(crate) use doctor::Doctor;
pub(crate) use gen_types::{CodePath, ConfigArgs, From, GenTypes};
pub(crate) use man::{Man, Pages};
pub(crate) use nodes::{Shell, Tree, TreeFormat};
pub(crate) use observe::Observe;
use otp_rs::OtpRs;
pub(crate) use otp_rs::{
    Forms, FormsFormat, OtpRsVerb, Schema, Term, TermFormat, TermSource, Types,
};
pub(crate) use output::{MessageFormat, Output};
pub(crate) use protocols::{Protocols, ProtocolsFormat};
pub(crate) use upgrade::Upgrade;

/// The result of parsing a command line.
pub(crate) enum Parsed<Verb> {
    /// A command to execute, and the options for its output.
    Command(Box<Verb>, Output),
    /// Help or the version, for standard output.
    Text(String),
    /// A mistake in the command line, for standard error.
    Mistake(String),
    /// An empty command line: help, for standard error.
    Nothing(String),
}

/// Explain errors and warnings by their codes, or list all of them.
#[derive(Args)]
#[command(after_help = "\
Examples:
  otp-rs explain E0902
  otp-rs explain E0301 E0501
  otp-rs explain

Errors show their code in brackets: error[E0902]. Without a CODE, the command lists all codes with their
messages. `cargo otp explain` does the same as `otp-rs explain`.")]
pub(crate) struct Explain {
    /// Codes to explain
    #[arg(value_name = "CODE")]
    pub(crate) codes: Vec<String>,
}

/// Reads `cargo-otp otp VERB …`, as cargo calls it, or `cargo-otp VERB …`.
pub(crate) fn cargo_otp(arguments: impl Iterator<Item = OsString>) -> Parsed<CargoOtpVerb> {
    let mut arguments: Vec<OsString> = arguments.collect();
    if arguments.get(1).is_some_and(|first| first == "otp") {
        arguments.remove(1);
    }
    parsed(arguments, |line: CargoOtp| (line.verb, line.output))
}

/// Reads `otp-rs VERB …`.
pub(crate) fn otp_rs(arguments: impl Iterator<Item = OsString>) -> Parsed<OtpRsVerb> {
    parsed(arguments, |line: OtpRs| (line.verb, Output::default()))
}

/// Returns the script of `cargo otp completions`.
pub(crate) fn cargo_otp_completions(of: &Completions) -> String {
    completions::cargo_otp(of, CargoOtp::command())
}

/// Returns the script of `otp-rs completions`.
pub(crate) fn otp_rs_completions(of: &Completions) -> String {
    completions::otp_rs(of, OtpRs::command())
}

/// Returns the pages of `cargo otp man`.
pub(crate) fn cargo_otp_pages(man: Man) -> Pages {
    man::pages(man, CargoOtp::command(), "cargo-otp")
}

/// Returns the pages of `otp-rs man`.
pub(crate) fn otp_rs_pages(man: Man) -> Pages {
    man::pages(man, OtpRs::command(), "otp-rs")
}

fn parsed<Line: Parser, Verb>(
    arguments: impl IntoIterator<Item = OsString>,
    parts: impl FnOnce(Line) -> (Verb, Output),
) -> Parsed<Verb> {
    let line = Line::try_parse_from(arguments);
    match line.map_err(|error| with_suggestion(error, &Line::command())) {
        Ok(line) => {
            let (verb, output) = parts(line);
            Parsed::Command(Box::new(verb), output)
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

/// Adds a suggestion for swapped letters, as in `rnu`, because clap finds none.
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
        let Parsed::Mistake(text) = cargo_otp(line.into_iter()) else {
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
            let Parsed::Command(command, _) = cargo_otp(words(line).into_iter()) else {
                panic!("{line}");
            };
            let CargoOtpVerb::Run(run) = *command else {
                panic!("{line}");
            };
            assert_eq!(run.arguments, ["-x", "--help"]);
        }
    }
}
