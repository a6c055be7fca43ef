//! A VM in the foreground: it runs until it ends or is asked to stop.

use std::fs;
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use crate::files::Scratch;
use crate::platform::{self, SIGCHLD, SIGHUP, SIGINT, SIGTERM};
use crate::report::{Error, Result, Ui, catalog};
use crate::signals::OwnSignals;

/// One request can arrive as two signals: a terminal or `timeout` signals the whole process group.
pub(super) const SAME_REQUEST: Duration = Duration::from_millis(300);

/// Whose Ctrl-C is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Keyboard {
    /// It stops the application.
    Signals,
    /// It is the Erlang shell's, as all other keys.
    Shell,
}

/// The way to stop a VM in order. A VM that boots loses SIGTERM until its kernel application runs:
/// what it starts afterwards, `<application>_run`, finds a file.
pub(crate) struct Stop {
    folder: Scratch,
}

impl Stop {
    /// Has a VM look for the file. It is there when the VM is asked to stop. Without a shell, which
    /// has the terminal, the VM also stops when this program is gone: then its standard input ends.
    pub(crate) fn told_to(erl: &mut Command, keyboard: Keyboard) -> Result<Self> {
        let stop = Stop {
            folder: Scratch::new()?,
        };
        erl.arg("-otp_rs_stop").arg(stop.file());
        if keyboard == Keyboard::Signals {
            erl.arg("-otp_rs_follow").stdin(Stdio::piped());
        }
        Ok(stop)
    }

    fn file(&self) -> PathBuf {
        self.folder.path().join("stop")
    }

    fn ask(&self, vm: &Child) -> std::io::Result<()> {
        // First the file: a VM that loses the signal looks later. One that runs needs no file, so a
        // full disk keeps nobody waiting.
        let _ = fs::write(self.file(), "");
        platform::ask_to_end(vm)
    }
}

/// Starts a VM with the application `name` in it and waits for its end.
pub(crate) fn run(
    mut erl: Command,
    name: &str,
    keyboard: Keyboard,
    stop: &Stop,
    ui: &Ui,
) -> Result<()> {
    // This comes before anybody knows that the VM starts, so that no signal can be missed.
    let signals = OwnSignals::take(&[SIGCHLD])?;
    let how = match keyboard {
        Keyboard::Signals => "Ctrl-C stops it",
        Keyboard::Shell => "q(). stops it",
    };
    ui.status("Running", &format!("`{name}` ({how})"));
    ui.starting(&erl);
    let mut child = erl
        .spawn()
        .map_err(|error| Error::io("run", erl.get_program().as_ref(), &error))?;
    let ended =
        wait_for_end(&mut child, &signals, (name, keyboard, stop), ui).map_err(|error| {
            catalog::INTERNAL.with(&[&format!("the Erlang VM is out of reach: {error}")])
        })?;
    ended.judge(name)
}

/// How the VM ended.
struct Ended {
    status: ExitStatus,
    /// It was asked to stop.
    asked: bool,
    /// It was killed because it did not stop.
    killed: bool,
}

/// Passes requests to stop on to the VM. Only this thread reaps it, so its pid stays its own.
/// Nobody waits for it, which would close its standard input.
fn wait_for_end(
    child: &mut Child,
    signals: &OwnSignals,
    (name, keyboard, stop): (&str, Keyboard, &Stop),
    ui: &Ui,
) -> std::io::Result<Ended> {
    let mut asked: Option<Instant> = None;
    let mut killed = false;
    let mut end = None;
    for signal in signals.forever() {
        match asked {
            _ if signal == SIGCHLD => {
                end = child.try_wait()?;
                if end.is_some() {
                    break;
                }
            }
            // A terminal's Ctrl-C reaches the VM, too.
            _ if signal == SIGINT && keyboard == Keyboard::Shell => {}
            None => {
                let what = format!("`{name}` in order (once more: at once)");
                ui.status("Stopping", &what);
                stop.ask(child)?;
                asked = Some(Instant::now());
            }
            // A terminal that is closed and its shell both say so.
            Some(_) if signal == SIGHUP => {}
            Some(first) if first.elapsed() > SAME_REQUEST => {
                killed = true;
                child.kill()?;
            }
            Some(_) => {}
        }
    }
    Ok(Ended {
        status: end.map_or_else(|| child.wait(), Ok)?,
        asked: asked.is_some(),
        killed,
    })
}

impl Ended {
    /// 0: it ended by itself or in order. 1: the application failed, or was killed. 2: the VM died.
    fn judge(&self, name: &str) -> Result<()> {
        let error = match (self.status.code(), platform::signal_of(self.status)) {
            _ if self.killed => catalog::KILLED_BY_USER.with(&[&name]),
            (Some(0), _) => return Ok(()),
            // The request came before the VM had a handler for it: nothing was running yet. A
            // terminal's Ctrl-C and end reach the VM, too.
            (_, Some(SIGINT | SIGTERM | SIGHUP)) if self.asked => return Ok(()),
            (Some(1), _) => catalog::FAILED.with(&[&name]),
            (Some(code), _) => catalog::STATUS.with(&[&name, &code]),
            (None, Some(signal)) if platform::is_crash(signal) => {
                catalog::VM_CRASH.with(&[&signal])
            }
            (None, signal) => catalog::KILLED.with(&[&signal.unwrap_or_default()]),
        };
        Err(error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(raw: i32, asked: bool, killed: bool) -> u8 {
        let ended = Ended {
            status: platform::ended_with(raw),
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
        assert_eq!(code(SIGINT, true, false), 0);
        assert_eq!(code(SIGINT, false, false), 1);
        assert_eq!(code(SIGHUP, true, false), 0);
        assert_eq!(code(9, true, true), 1);
        assert_eq!(code(11, false, false), 2);
        assert_eq!(code(6, true, false), 2);
    }
}
