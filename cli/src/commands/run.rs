//! `cargo otp run`: builds, then runs the application until it ends or is asked to stop.

use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use signal_hook::consts::{SIGCHLD, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

use super::build::{self, Built};
use crate::application::Application;
use crate::args::Run;
use crate::error::{Error, Result};
use crate::installation::Installation;
use crate::ui::Ui;

/// One request can arrive as two signals (a terminal or `timeout` signals the whole group).
const SAME_REQUEST: Duration = Duration::from_millis(300);

pub(super) fn execute(options: &Run, ui: &Ui) -> Result<()> {
    check_arguments(options)?;
    let otp = Installation::find()?;
    let built = build::build(
        &Application::here()?,
        &otp,
        build::profile(options.release),
        ui,
    )?;
    ui.status("Running", &format!("`{}` (Ctrl-C stops it)", built.name));
    // Before the VM starts: no request to stop and no end of it can be missed.
    let mut signals = Signals::new([SIGCHLD, SIGINT, SIGTERM])
        .map_err(|error| Error::ours(format!("signals cannot be received: {error}")))?;
    let mut child = command(&otp, &built, options)
        .spawn()
        .map_err(|error| Error::io("run", &otp.erl, &error))?;
    let ended = wait(&mut child, &mut signals, &built.name, ui)
        .map_err(|error| Error::ours(format!("the Erlang VM is out of reach: {error}")))?;
    ended.judge(&built.name)
}

/// They reach the root supervisor as text.
fn check_arguments(options: &Run) -> Result<()> {
    match options
        .arguments
        .iter()
        .find(|argument| argument.to_str().is_none())
    {
        Some(argument) => Err(Error::user("an argument after `--` is no UTF-8 text")
            .detail(argument.to_string_lossy())
            .help("pass such data by a file, or encode it")),
        None => Ok(()),
    }
}

fn command(otp: &Installation, built: &Built, options: &Run) -> Command {
    let mut erl = Command::new(&otp.erl);
    // +Bi: Ctrl-C is ours to handle. +fnu: arguments are UTF-8, whatever the locale.
    erl.args(["-noinput", "+Bi", "+fnu", "-pa"])
        .arg(&built.ebin)
        // All modules now: one that is loaded later could be of a newer build than the library.
        .args(["-s", "code", "ensure_modules_loaded"])
        .args(&built.modules)
        .args(["-s", &format!("{}_run", built.name), "main", "-extra"])
        .args(&options.arguments)
        .stdin(Stdio::null());
    erl
}

/// How the VM ended.
struct Ended {
    status: ExitStatus,
    /// It was asked to stop.
    asked: bool,
    /// It was killed for not stopping.
    killed: bool,
}

/// Passes requests to stop on to the VM. Only this thread reaps it, so its pid stays its own.
fn wait(child: &mut Child, signals: &mut Signals, name: &str, ui: &Ui) -> std::io::Result<Ended> {
    let mut asked: Option<Instant> = None;
    let mut killed = false;
    for signal in signals.forever() {
        if signal == SIGCHLD {
            if let Some(status) = child.try_wait()? {
                return Ok(Ended {
                    status,
                    asked: asked.is_some(),
                    killed,
                });
            }
            continue;
        }
        match asked {
            None => {
                ui.status(
                    "Stopping",
                    &format!("`{name}` in order (once more: at once)"),
                );
                if let Some(pid) = Pid::from_raw(child.id().cast_signed()) {
                    kill_process(pid, Signal::TERM)?;
                }
                asked = Some(Instant::now());
            }
            Some(first) if first.elapsed() > SAME_REQUEST => {
                killed = true;
                child.kill()?;
            }
            Some(_) => {}
        }
    }
    let status = child.wait()?;
    Ok(Ended {
        status,
        asked: asked.is_some(),
        killed,
    })
}

impl Ended {
    /// 0: by itself or in order. 1: the application failed, or was not let finish. 2: the VM died.
    fn judge(&self, name: &str) -> Result<()> {
        let failed = |what: String| Err(Error::user(what));
        match (self.status.code(), self.status.signal()) {
            _ if self.killed => failed(format!("`{name}` was stopped at once, not in order")),
            (Some(0), _) => Ok(()),
            // The request came before the VM had a handler for it: nothing was running yet.
            (_, Some(signal)) if self.asked && signal == SIGTERM => Ok(()),
            (Some(1), _) => failed(format!("`{name}` failed; its reason stands above")),
            (Some(code), _) => failed(format!("`{name}` ended the VM with status {code}")),
            (None, Some(signal)) if FATAL.contains(&signal) => Err(Error::ours(format!(
                "the Erlang VM died of signal {signal}"
            ))),
            (None, signal) => failed(format!(
                "the Erlang VM was killed from outside, by signal {}",
                signal.unwrap_or_default()
            )),
        }
    }
}

/// Signals that a process raises by its own fault: SIGILL, SIGABRT, SIGBUS, SIGFPE, SIGSEGV.
const FATAL: [i32; 5] = [
    signal_hook::consts::SIGILL,
    signal_hook::consts::SIGABRT,
    signal_hook::consts::SIGBUS,
    signal_hook::consts::SIGFPE,
    signal_hook::consts::SIGSEGV,
];

#[cfg(test)]
mod tests {
    use super::*;

    fn code(raw: i32, asked: bool, killed: bool) -> u8 {
        let ended = Ended {
            status: ExitStatus::from_raw(raw),
            asked,
            killed,
        };
        ended.judge("x").err().map_or(0, |error| error.exit_code())
    }

    #[test]
    fn the_exit_status_tells_how_it_ended() {
        assert_eq!(code(0, false, false), 0);
        assert_eq!(code(0, true, false), 0);
        assert_eq!(code(1 << 8, false, false), 1);
        assert_eq!(code(7 << 8, false, false), 1);
        assert_eq!(code(SIGTERM, true, false), 0);
        assert_eq!(code(SIGTERM, false, false), 1);
        assert_eq!(code(9, true, true), 1);
        assert_eq!(code(11, false, false), 2);
        assert_eq!(code(6, true, false), 2);
    }
}
