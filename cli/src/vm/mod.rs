//! Starting an Erlang VM, running it until its end, and asking one that runs.

mod asking;
pub(crate) mod configuration;
pub(crate) mod declared;
mod foreground;
pub(crate) mod node;
pub(crate) mod shell;
pub(crate) mod tree;

use std::ffi::OsString;
use std::process::{Command, Stdio};

use crate::installation::Installation;
use crate::report::{Result, catalog};
pub(crate) use asking::Asked;
pub(crate) use foreground::{Keyboard, run};

/// `erl` without a terminal.
pub(crate) fn erl(otp: &Installation) -> Command {
    let mut erl = Command::new(&otp.erl);
    // +Bi: the VM does not handle Ctrl-C.
    erl.args(["-noinput", "+Bi"]).stdin(Stdio::null());
    erl
}

/// `erl` with an Erlang shell, which has the terminal.
pub(crate) fn erl_with_shell(otp: &Installation) -> Command {
    let mut erl = Command::new(&otp.erl);
    // +Bc: Ctrl-C interrupts what the shell does.
    erl.arg("+Bc");
    erl
}

/// The arguments of the command line reach the root supervisor as text.
pub(crate) fn check_arguments(arguments: &[OsString]) -> Result<()> {
    match arguments
        .iter()
        .find(|argument| argument.to_str().is_none())
    {
        Some(argument) => Err(catalog::ARGUMENT_TEXT
            .error()
            .detail(argument.to_string_lossy())),
        None => Ok(()),
    }
}
