//! Observes a running node: a separate VM loads a small web server into the node, and removes it at
//! the end.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, ExitStatus};
use std::time::Instant;

use otp_erlang::ErlangSource;
use otp_erlang::tools::{OBSERVER, SUPERVISION};

use super::foreground::SAME_REQUEST;
use super::script::{RunningNode, RunningScript, UNREACHABLE};
use crate::files::Scratch;
use crate::installation::Installation;
use crate::platform::SIGCHLD;
use crate::report::{Error, Result, Ui, catalog};
use crate::signals::OwnSignals;

/// Files of the folder `observe/page`.
macro_rules! files {
    ($($name:literal)*) => {
        [$(($name, include_str!(concat!("observe/page/", $name)))),*]
    };
}

const PAGE: [(&str, &str); 9] = files! {
    "page.html" "page.css" "parts.css" "page.js" "state.js" "text.js" "tree.js" "details.js" "log.js"
};

/// Exit codes of the module.
const OBSERVED: i32 = 5;
const PORT: i32 = 6;

/// The options of an observation.
pub(crate) struct ObserveOptions<'a> {
    pub(crate) node: RunningNode<'a>,
    /// Whether the page may change processes.
    pub(crate) may_write: bool,
    /// 0 means any free port.
    pub(crate) port: u16,
}

/// An observer on a node. It ends when this value is dropped, or this program ends.
pub(crate) struct Observer<'a> {
    order: &'a ObserveOptions<'a>,
    /// The node's full name.
    pub(crate) node: String,
    /// An address that a browser can open once.
    pub(crate) address: String,
    script: RunningScript,
    /// Set up before there is anything to remove.
    signals: OwnSignals,
    /// When this input ends, the VM ends the observation.
    input: Option<ChildStdin>,
    _page: Scratch,
}

/// Makes the node serve the page.
pub(crate) fn begin<'a>(otp: &Installation, order: &'a ObserveOptions<'a>) -> Result<Observer<'a>> {
    let page = page()?;
    let mode = if order.may_write { "write" } else { "read" };
    let folder = page.path().join(PAGES).to_string_lossy().into_owned();
    let arguments = [order.port.to_string(), mode.to_owned(), folder];
    let modules: Vec<&ErlangSource> = [&SUPERVISION].into_iter().chain(&OBSERVER).collect();
    let mut script = order.node.begin(otp, &modules, &arguments)?;
    let secrets = [secret()?, secret()?, secret()?];
    let mut input = script.vm.stdin.take();
    if let Some(input) = &mut input {
        // If the VM has ended, its exit code has the reason.
        let _ = input.write_all((secrets.join("\n") + "\n").as_bytes());
    }
    let output = script.vm.stdout.take();
    match output.and_then(first_line) {
        Some((node, port)) => Ok(Observer {
            order,
            node,
            address: format!("http://127.0.0.1:{port}/?token={}", secrets[0]),
            script,
            signals: OwnSignals::take(&[SIGCHLD])?,
            input,
            _page: page,
        }),
        None => {
            let ended = script.vm.wait();
            let ended = ended.map_err(|error| out_of_reach(&error))?;
            Err(order.failed(ended, &mut script.vm))
        }
    }
}

/// The folder of the page's files.
const PAGES: &str = "pages";

/// Writes the files of the page, for the VM to read.
fn page() -> Result<Scratch> {
    let scratch = Scratch::new()?;
    let folder = scratch.path().join(PAGES);
    fs::create_dir(&folder).map_err(|error| Error::io("create", &folder, &error))?;
    for (name, content) in PAGE {
        let file = folder.join(name);
        fs::write(&file, content).map_err(|error| Error::io("write", &file, &error))?;
    }
    Ok(scratch)
}

/// Returns 256 random bits of the system, in hexadecimal digits.
fn secret() -> Result<String> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).map_err(|error| {
        catalog::INTERNAL.with(&[&format!("the system gives no random numbers: {error}")])
    })?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Reads the node and the port.
fn first_line(output: ChildStdout) -> Option<(String, u16)> {
    let mut line = String::new();
    BufReader::new(output).read_line(&mut line).ok()?;
    let (node, port) = line.trim_end().split_once('\t')?;
    Some((node.to_owned(), port.parse().ok()?))
}

impl Observer<'_> {
    /// Waits for Ctrl-C or another request to end, and then until everything is removed from the
    /// node. A second request does not wait for that.
    pub(crate) fn wait(mut self, ui: &Ui) -> Result<()> {
        let mut asked: Option<Instant> = None;
        // It may have ended before its end could be noticed.
        let mut end = self.script.vm.try_wait();
        while let Ok(None) = end {
            match (self.signals.forever().next(), asked) {
                (Some(SIGCHLD), _) => {}
                (_, None) => {
                    ui.status("Removing", &format!("the observer from `{}`", self.node));
                    asked = Some(Instant::now());
                    self.input = None;
                }
                (_, Some(first)) if first.elapsed() > SAME_REQUEST => {
                    self.script
                        .vm
                        .kill()
                        .map_err(|error| out_of_reach(&error))?;
                }
                (_, Some(_)) => {}
            }
            end = self.script.vm.try_wait();
        }
        match end {
            Ok(Some(status)) if status.success() => Ok(()),
            Ok(Some(status)) => Err(self.order.failed(status, &mut self.script.vm)),
            Ok(None) => Ok(()),
            Err(error) => Err(out_of_reach(&error)),
        }
    }
}

impl ObserveOptions<'_> {
    /// Returns why the VM has ended.
    fn failed(&self, status: ExitStatus, vm: &mut Child) -> Error {
        let mut why = Vec::new();
        if let Some(errors) = &mut vm.stderr {
            let _ = errors.read_to_end(&mut why);
        }
        let text = String::from_utf8_lossy(&why);
        let name = self.node.name;
        match status.code() {
            Some(UNREACHABLE) => self.node.unreachable(&why),
            Some(OBSERVED) => catalog::OBSERVED.with(&[&name, &text.trim()]),
            Some(PORT) => catalog::NO_PAGE.with(&[&name, &self.port, &text.trim()]),
            _ if text.trim().is_empty() => catalog::OBSERVER_ENDED.with(&[&name, &status]),
            _ => catalog::OBSERVER_ENDED.with(&[&name, &text.trim()]),
        }
    }
}

fn out_of_reach(error: &std::io::Error) -> Error {
    catalog::INTERNAL.with(&[&format!("the Erlang VM is out of reach: {error}")])
}
