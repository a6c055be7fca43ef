//! An Erlang shell in a running node, and the evaluation of expressions in it.

use std::env;
use std::fs;
use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};

use otp_erlang::tools::SHELL;

use super::erl_with_shell;
use super::node::Cookie;
use super::script::RunningNode;
use crate::files::Scratch;
use crate::installation::Installation;
use crate::platform::{self, SIGCHLD, SIGINT};
use crate::report::{Error, Result, catalog};
use crate::signals::OwnSignals;

/// Exit codes of the module.
const RAISED: i32 = 5;
const SYNTAX: i32 = 6;

/// Evaluates expressions in the node. Their output and their value go to standard output.
pub(crate) fn evaluate(
    otp: &Installation,
    node: &RunningNode<'_>,
    expressions: &str,
) -> Result<()> {
    let said = node.by(otp, &[&SHELL], &[expressions.to_owned()], Stdio::inherit())?;
    let why = String::from_utf8_lossy(&said.stderr);
    match said.status.code() {
        Some(0) => Ok(()),
        Some(RAISED) => Err(catalog::RAISED.with(&[&node.name]).detail(why)),
        Some(SYNTAX) => Err(catalog::NOT_AN_EXPRESSION.with(&[&why.trim()])),
        _ => Err(catalog::INTERNAL
            .with(&[&"the node cannot be asked to evaluate"])
            .detail(why)),
    }
}

/// Returns the full name of the node, which must respond.
pub(crate) fn reach(otp: &Installation, node: &RunningNode<'_>) -> Result<String> {
    let said = node.by(otp, &[&SHELL], &[], Stdio::piped())?;
    if said.status.success() {
        Ok(String::from_utf8_lossy(&said.stdout).trim().to_owned())
    } else {
        Err(catalog::INTERNAL
            .with(&[&"the node cannot be reached"])
            .detail(String::from_utf8_lossy(&said.stderr)))
    }
}

/// Checks that there is a terminal for a shell. Without one, Erlang would start a local shell,
/// outside of any node.
pub(crate) fn check_terminal() -> Result<()> {
    let why = match env::var("TERM").unwrap_or_default().as_str() {
        _ if !io::stdin().is_terminal() => "standard input is not one",
        _ if !io::stdout().is_terminal() => "standard output is not one",
        "" => "TERM is not set",
        "dumb" => "TERM is dumb",
        _ => return Ok(()),
    };
    Err(catalog::NO_TERMINAL.with(&[&why]))
}

/// Runs Erlang's own remote shell on the terminal, until the user leaves it.
pub(crate) fn run(otp: &Installation, node: &str, cookie: Option<&Cookie>) -> Result<()> {
    let home = cookie.map(UserFolder::with_cookie).transpose()?;
    let mut erl = remote(otp, node);
    if let Some(home) = &home {
        home.of(&mut erl);
    }
    // This comes before the VM starts, so that no signal is missed.
    let signals = OwnSignals::take(&[SIGCHLD])?;
    let mut child = erl
        .spawn()
        .map_err(|error| Error::io("run", &otp.erl, &error))?;
    let (status, was_asked) = wait(&mut child, &signals).map_err(|error| {
        catalog::INTERNAL.with(&[&format!("the Erlang VM is out of reach: {error}")])
    })?;
    if status.success() || was_asked {
        Ok(())
    } else {
        Err(catalog::SHELL_ENDED.with(&[&status]))
    }
}

/// Returns the command for a hidden node that accepts no connections. Its own name has the other
/// node's host, because this machine may have no long name.
fn remote(otp: &Installation, node: &str) -> Command {
    let host = node.split_once('@').map_or("", |(_, host)| host);
    let names = if host.contains(['.', ':']) {
        "-name"
    } else {
        "-sname"
    };
    let own = format!("otp_rs_shell_{}@{host}", std::process::id());
    let mut erl = erl_with_shell(otp);
    erl.args(["-boot", "no_dot_erlang", names, &own, "-hidden"])
        .args(["-dist_listen", "false", "-remsh", node])
        .env("ERL_CRASH_DUMP_SECONDS", "0");
    erl
}

/// Waits until the VM ends. Ctrl-C goes to the shell. The second value tells whether the VM was
/// asked to end.
fn wait(child: &mut Child, signals: &OwnSignals) -> io::Result<(ExitStatus, bool)> {
    let mut was_asked = false;
    for signal in signals.forever() {
        match signal {
            SIGINT => {}
            SIGCHLD => {
                if let Some(status) = child.try_wait()? {
                    return Ok((status, was_asked));
                }
            }
            _ => {
                was_asked = true;
                platform::ask_to_end(child)?;
            }
        }
    }
    Ok((child.wait()?, was_asked))
}

/// A folder that the VM uses as the user's home, in which it finds the cookie. On a command line,
/// every user of the machine could read the cookie.
struct UserFolder(Scratch);

impl UserFolder {
    fn with_cookie(cookie: &Cookie) -> Result<Self> {
        let file = cookie.file();
        let cookie = fs::read_to_string(file).map_err(|error| Error::io("read", file, &error))?;
        let folder = Scratch::new()?;
        let own = folder.path().join(".erlang.cookie");
        platform::write_secret(&own, cookie.trim())
            .map_err(|error| Error::io("write", &own, &error))?;
        Ok(UserFolder(folder))
    }

    /// Makes the VM use it. The history of the shell keeps its usual place.
    fn of(&self, erl: &mut Command) {
        erl.env("HOME", self.0.path());
        if let (None, Some(home)) = (env::var_os("XDG_CACHE_HOME"), env::home_dir()) {
            let cache: PathBuf = home.join(".cache");
            erl.env("XDG_CACHE_HOME", cache);
        }
    }
}
