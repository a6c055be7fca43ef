//! cargo otp (an application's life) and otp-rs (types, schemas, docs): one program, two names.
//!
//! [`cargo_otp`] and [`otp_rs`] are the two entries. Each verb has its file under `commands`;
//! every line that the user sees goes through `ui`, every failure is an `error::Error` that says
//! what, where and what to do, and every file is written through `changes`, all or nothing.

mod agreement;
mod application;
mod args;
mod cargo;
mod changes;
mod commands;
mod config;
mod diagnostics;
mod erlang;
mod erlang_layout;
mod error;
mod headers;
mod home;
mod installation;
mod names;
mod output;
mod own_erlang;
mod parallel;
mod place;
mod problems;
mod rust_items;
mod sources;
mod templates;
mod tree;
mod ui;
mod wanted;

use std::ffi::OsString;
use std::process::ExitCode;

use args::Parsed;
use ui::Ui;

/// `cargo otp …`. Exit codes: 0, 1 for the user's mistake, 2 for ours.
pub fn cargo_otp(arguments: impl Iterator<Item = OsString>) -> ExitCode {
    finish(args::parse_cargo_otp(arguments))
}

/// `otp-rs …`. Exit codes as for [`cargo_otp`].
pub fn otp_rs(arguments: impl Iterator<Item = OsString>) -> ExitCode {
    finish(args::parse_otp_rs(arguments))
}

fn finish(parsed: Parsed) -> ExitCode {
    let ui = Ui::new();
    match parsed {
        Parsed::Command(command) => match commands::execute(command, &ui) {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                ui.error(&error);
                ExitCode::from(error.exit_code())
            }
        },
        Parsed::Text(text) => {
            ui.output(&text);
            ExitCode::SUCCESS
        }
        Parsed::Mistake(text) => {
            ui.raw_error(&text);
            ExitCode::from(1)
        }
    }
}
