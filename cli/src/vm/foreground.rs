//! Runs a VM in the foreground until it ends or is stopped.

use std::fs;
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use crate::files::Scratch;
use crate::platform::{self, SIGCHLD, SIGHUP, SIGINT, SIGTERM};
use crate::report::{Error, Result, Ui, catalog};
use crate::signals::OwnSignals;

/// The time within which signals count as one request: a terminal or `timeout` signals the whole
/// process group.
pub(super) const SAME_REQUEST: Duration = Duration::from_millis(300);

/// The recipient of Ctrl-C.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Keyboard {
    /// Ctrl-C stops the application.
    Signals,
    /// Ctrl-C goes to the Erlang shell, like all other keys.
    Shell,
}

/// The means to stop a VM in order. A booting VM loses SIGTERM until its kernel application is
/// running; therefore `<application>_run`, which it starts afterwards, looks for a file.
pub(crate) struct Stop {
    folder: Scratch,
}

impl Stop {
    /// Makes a VM look for the file, which is created when the VM has to stop. Without a shell,
    /// which would own the terminal, the VM also stops when this program is gone: its standard
    /// input then ends.
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
        // The file comes first, because a VM that loses the signal looks for it later. A running VM
        // does not need the file, so that a full disk does not matter.
        let _ = fs::write(self.file(), "");
        platform::ask_to_end(vm)
    }
}

/// Starts a VM with the application `name` in it and waits until it ends.
pub(crate) fn run(
    mut erl: Command,
    name: &str,
    keyboard: Keyboard,
    stop: &Stop,
    ui: &Ui,
) -> Result<()> {
    // This comes before other programs can know that the VM is starting, so that no signal is
    // missed.
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
    /// Whether it was asked to stop.
    asked: bool,
    /// Whether it was killed because it did not stop.
    killed: bool,
}

/// Passes requests to stop on to the VM. Only this thread reaps it, so its pid cannot be reused.
/// `Child::wait` is not called, because it would close the VM's standard input.
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
            // A terminal's Ctrl-C reaches the VM as well.
            _ if signal == SIGINT && keyboard == Keyboard::Shell => {}
            None => {
                let what = format!("`{name}` (press Ctrl-C again to stop at once)");
                ui.status("Stopping", &what);
                stop.ask(child)?;
                asked = Some(Instant::now());
            }
            // When a terminal is closed, both the terminal and its shell send the signal.
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
            // The request arrived before the VM had a handler for it, so no application was
            // running. A terminal's Ctrl-C and hangup reach the VM as well.
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
