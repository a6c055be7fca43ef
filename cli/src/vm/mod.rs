//! Starting an Erlang VM, running it until its end, and asking one that runs.

pub(crate) mod configuration;
mod foreground;
pub(crate) mod node;
pub(crate) mod tree;

use std::process::{Command, Stdio};

use crate::installation::Installation;
pub(crate) use foreground::{Keyboard, run};

/// For `erl -eval`: compiles a module in the VM that runs its `main/1`. After `-extra` follow its source and the
/// arguments.
pub(crate) const COMPILE_AND_RUN: &str = "\
    [File | Arguments] = init:get_plain_arguments(), \
    {ok, Module, Beam} = compile:file(File, [binary]), \
    {module, _} = code:load_binary(Module, File, Beam), \
    Module:main(Arguments).";

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
