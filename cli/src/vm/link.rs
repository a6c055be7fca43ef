//! The connection from `cargo otp run --watch` to the VM that it has started: a socket in a folder
//! that only its user can enter. The VM need not be a node.

use std::fs;
use std::io::{ErrorKind, Read, Write};
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use otp_erlang::tools::{UPGRADER, WATCH};

use super::upgrade::{UpgradeReport, read};
use crate::files::Scratch;
use crate::platform::{self, Listener, Stream};
use crate::report::{Error, Result, catalog};

/// Compiles the modules while the application starts, and connects.
const CONNECT: &str = "\
    spawn(fun() -> \
        {ok, [[Folder | Ebins]]} = init:get_argument(otp_rs_watch), \
        Load = fun(Name) -> \
            {ok, Module, Beam} = compile:noenv_file(filename:join(Folder, Name), [binary]), \
            {module, Module} = code:load_binary(Module, Name, Beam) \
        end, \
        lists:foreach(Load, [\"otp_rs_upgrader\", \"otp_rs_watch\"]), \
        otp_rs_watch:main(Folder, Ebins) \
    end).";

/// The timeout for a VM to connect.
const CONNECTING: Duration = Duration::from_secs(30);
/// The interval between checks.
const PAUSE: Duration = Duration::from_millis(20);
/// The time for callbacks and tasks to finish.
const BUSY: Duration = Duration::from_secs(5);
/// Maximum length of an answer.
const MOST: u64 = 16 << 20;

/// Waits, and returns whether the VM is still running.
pub(crate) type Wait<'a> = &'a dyn Fn(Duration) -> bool;

/// The command's end of the connection.
pub(crate) struct Link {
    folder: Scratch,
    listener: Listener,
    connected: Option<Stream>,
}

impl Link {
    /// Creates the socket, for a VM that is started later.
    pub(crate) fn new() -> Result<Self> {
        let folder = Scratch::new()?;
        for module in [&UPGRADER, &WATCH] {
            let file = folder.path().join(format!("{}.erl", module.name));
            fs::write(&file, module.source).map_err(|error| Error::io("write", &file, &error))?;
        }
        let socket = folder.path().join("socket");
        let listener = Listener::bind(&socket)
            .and_then(|it| it.set_nonblocking(true).map(|()| it))
            .map_err(|error| Error::io("listen on", &socket, &error))?;
        Ok(Self {
            folder,
            listener,
            connected: None,
        })
    }

    /// Makes the VM connect when it starts. `ebins` are the folders of the applications' modules.
    pub(crate) fn told_to<'a>(&self, erl: &mut Command, ebins: impl Iterator<Item = &'a Path>) {
        erl.arg("-otp_rs_watch").arg(self.folder.path()).args(ebins);
        erl.args(["-eval", CONNECT]);
    }

    /// Switches the VM to the build of an application. Returns `None` if the VM has ended.
    pub(crate) fn upgrade(
        &mut self,
        application: &str,
        ebin: &Path,
        wait: Wait<'_>,
    ) -> Result<Option<UpgradeReport>> {
        let timeout = BUSY.as_millis().to_string();
        let request = [
            application.as_bytes(),
            platform::bytes(ebin.as_os_str()),
            timeout.as_bytes(),
        ]
        .join(&0);
        let Some(vm) = self.vm(application, wait)? else {
            return Ok(None);
        };
        // A VM that ends closes the socket.
        let Ok(answer) = answer(vm, &request) else {
            return Ok(None);
        };
        let (outcome, text) = answer.split_once('\n').unwrap_or((&answer, ""));
        let failed =
            |why: &dyn std::fmt::Display| catalog::OLD_CODE_RUNS.with(&[&application, why]);
        match outcome {
            "ok" => read(text).map(Some),
            "refused" | "busy" => Ok(Some(UpgradeReport {
                is_refused: true,
                ..read(text)?
            })),
            _ => Err(failed(&text.trim())),
        }
    }

    /// Returns the VM's end of the connection, once it has connected.
    fn vm(&mut self, application: &str, wait: Wait<'_>) -> Result<Option<&mut Stream>> {
        let begun = Instant::now();
        while self.connected.is_none() {
            match self.listener.accept() {
                Ok((vm, _)) if vm.set_nonblocking(false).is_ok() => self.connected = Some(vm),
                Err(error) if error.kind() != ErrorKind::WouldBlock => {
                    return Err(catalog::OLD_CODE_RUNS.with(&[&application, &error]));
                }
                _ if begun.elapsed() > CONNECTING => {
                    let why = "the VM has not connected to this command";
                    return Err(catalog::OLD_CODE_RUNS.with(&[&application, &why]));
                }
                _ if !wait(PAUSE) => return Ok(None),
                _ => {}
            }
        }
        Ok(self.connected.as_mut())
    }
}

/// Sends a request and reads its answer, each with its length in front.
fn answer(vm: &mut Stream, request: &[u8]) -> std::io::Result<String> {
    let length = u32::try_from(request.len()).map_err(std::io::Error::other)?;
    vm.write_all(&[&length.to_be_bytes(), request].concat())?;
    let mut length = [0; 4];
    vm.read_exact(&mut length)?;
    let length = u64::from(u32::from_be_bytes(length)).min(MOST);
    let mut text = String::new();
    vm.take(length).read_to_string(&mut text)?;
    Ok(text)
}
