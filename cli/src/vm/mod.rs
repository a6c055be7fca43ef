//! Starting an Erlang VM, running it until its end, and asking one that runs.

mod asking;
pub(crate) mod configuration;
pub(crate) mod declared;
mod foreground;
pub(crate) mod link;
pub(crate) mod node;
pub(crate) mod observe;
pub(crate) mod shell;
pub(crate) mod tree;
pub(crate) mod upgrade;

use std::process::{Command, Stdio};

use crate::installation::Installation;
pub(crate) use asking::{Asked, Module, Question};
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
