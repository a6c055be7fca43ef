//! Starts an Erlang VM, runs it until it ends, and sends requests to a running one.

pub(crate) mod configuration;
pub(crate) mod declared;
mod foreground;
pub(crate) mod link;
pub(crate) mod node;
pub(crate) mod observe;
mod script;
pub(crate) mod shell;
pub(crate) mod tree;
pub(crate) mod upgrade;

use std::io::{self, BufRead, BufReader};
use std::process::{Command, Output, Stdio};

use crate::installation::Installation;
pub(crate) use foreground::{Keyboard, Stop, run};
pub(crate) use script::{RunningNode, Script};

/// Returns `erl` without a terminal. Ctrl-C ends it, like all programs that a command starts.
pub(crate) fn erl(otp: &Installation) -> Command {
    with_keyboard(otp, "+Bd")
}

/// Like `erl`, with a standard input that the command writes to.
pub(crate) fn erl_with_input(otp: &Installation) -> Command {
    let mut erl = program(otp);
    erl.args(["-noshell", "+Bd"]).stdin(Stdio::piped());
    erl.env_remove("ERL_COMPILER_OPTIONS");
    erl
}

/// Like `erl`, in the foreground: [`run`] handles Ctrl-C, and stops the VM in order.
pub(crate) fn erl_in_foreground(otp: &Installation) -> Command {
    with_keyboard(otp, "+Bi")
}

fn with_keyboard(otp: &Installation, flag: &str) -> Command {
    let mut erl = program(otp);
    erl.args(["-noinput", flag]).stdin(Stdio::null());
    erl
}

/// Returns `erl` with an Erlang shell, which owns the terminal.
pub(crate) fn erl_with_shell(otp: &Installation) -> Command {
    let mut erl = program(otp);
    // +Bc: Ctrl-C interrupts the shell's current evaluation.
    erl.arg("+Bc");
    erl
}

fn program(otp: &Installation) -> Command {
    let mut erl = Command::new(&otp.erl);
    // Otherwise the VM writes texts beyond Latin-1 as lists of numbers.
    erl.args(["+pc", "unicode"]).env_remove(node::VARIABLE);
    erl
}

/// Runs a program until it ends. It passes each line of standard output to `take` at once, which
/// returns whether it has handled the line. The result contains the other lines.
pub(crate) fn following(
    program: &mut Command,
    mut take: impl FnMut(&str) -> bool,
) -> io::Result<Output> {
    let mut child = program
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    let mut left = Vec::new();
    let lines = child.stdout.take().map(BufReader::new);
    for line in lines.into_iter().flat_map(BufRead::lines) {
        let line = line?;
        if !take(&line) {
            left.extend_from_slice(line.as_bytes());
            left.push(b'\n');
        }
    }
    let answer = child.wait_with_output()?;
    Ok(Output {
        stdout: left,
        ..answer
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_taken_as_they_come_and_the_others_stay() {
        let mut shell = Command::new("sh");
        shell.args(["-c", "echo 1; echo a; echo 2 >&2; echo 3; exit 4"]);
        let mut taken: Vec<u8> = Vec::new();
        let answer = following(&mut shell, |line| {
            let number: Option<u8> = line.parse().ok();
            taken.extend(number);
            number.is_some()
        });
        let answer = answer.unwrap();
        assert_eq!(taken, [1, 3]);
        assert_eq!(answer.stdout, b"a\n");
        assert_eq!(
            (answer.stderr.as_slice(), answer.status.code()),
            (b"2\n".as_slice(), Some(4))
        );
    }
}
