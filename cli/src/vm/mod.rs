//! The Erlang VM: how it is started, and how it is let run to its end.

mod foreground;

use std::process::{Command, Stdio};

use crate::installation::Installation;
pub(crate) use foreground::run;

/// `erl` without a terminal.
pub(crate) fn erl(otp: &Installation) -> Command {
    let mut erl = Command::new(&otp.erl);
    // +Bi: Ctrl-C is not the VM's to handle.
    erl.args(["-noinput", "+Bi"]).stdin(Stdio::null());
    erl
}
