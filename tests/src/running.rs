//! Runs an application until it is stopped, like a service of the operating system.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use crate::application::text;

/// Generous time limit for any step on a busy machine.
pub const PATIENCE: Duration = Duration::from_mins(10);

/// An Erlang VM that runs an application. It is killed when the value is dropped, unless it was
/// stopped before.
pub struct Running {
    vm: Child,
    lines: Receiver<String>,
}

impl Running {
    /// Starts the application with modules in `ebin`, and a command line.
    ///
    /// # Panics
    /// If `erl` cannot be started.
    pub fn start(name: &str, ebin: &Path, arguments: &[&str]) -> Self {
        Self::start_vm(name, ebin, &[], arguments)
    }

    /// Like `start`, on a node of a cluster on this machine. Other machines cannot connect to the
    /// node.
    ///
    /// # Panics
    /// If `erl` cannot be started.
    pub fn start_node(name: &str, ebin: &Path, node: &str, arguments: &[&str]) -> Self {
        let distribution = ["-name", node, "-setcookie", "otp_tests"];
        let interface = ["-kernel", "inet_dist_use_interface", "{127,0,0,1}"];
        Self::start_vm(
            name,
            ebin,
            &[&distribution[..], &interface].concat(),
            arguments,
        )
    }

    /// Starts the application in a VM with these flags.
    ///
    /// # Panics
    /// If `erl` cannot be started.
    pub fn start_vm(name: &str, ebin: &Path, flags: &[&str], arguments: &[&str]) -> Self {
        let mut vm = Command::new("erl")
            // If the VM starts a daemon, that listens on this machine only.
            .env("ERL_EPMD_ADDRESS", "127.0.0.1")
            .args(flags)
            .args(["-noinput", "-pa"])
            .arg(ebin)
            .args(["-s", &format!("{name}_run"), "main", "-extra"])
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .expect("erl starts");
        let (sender, lines) = channel();
        let output = vm.stdout.take().expect("its output is piped");
        // Read the output to its end, so that the VM never blocks on a full pipe. It may not be
        // UTF-8.
        thread::spawn(move || {
            for line in BufReader::new(output).split(b'\n').map_while(Result::ok) {
                let _ = sender.send(text(&line));
            }
        });
        Running { vm, lines }
    }

    /// Returns the rest of the first line that begins with `start`.
    ///
    /// # Panics
    /// If there is no such line in time.
    pub fn line(&self, start: &str) -> String {
        loop {
            let line = self.lines.recv_timeout(PATIENCE);
            let line = line.unwrap_or_else(|error| panic!("no line `{start}…`: {error}"));
            if let Some(rest) = line.strip_prefix(start) {
                return rest.to_owned();
            }
        }
    }

    /// Stops the VM as `kill PID` does. Returns its exit status, and the lines that were not read
    /// yet.
    ///
    /// # Panics
    /// If there is no `kill`, or waiting for the VM fails.
    pub fn stop(self) -> (ExitStatus, Vec<String>) {
        let pid = self.vm.id().to_string();
        let killed = Command::new("kill").arg(pid).status().expect("kill runs");
        assert!(killed.success());
        self.wait()
    }

    /// Waits until the application ends by itself. Returns the same as `stop`.
    ///
    /// # Panics
    /// If waiting for the VM fails.
    pub fn wait(mut self) -> (ExitStatus, Vec<String>) {
        let status = self.vm.wait().expect("it ends");
        (status, self.lines.iter().collect())
    }
}

impl Running {
    /// Kills the VM without warning, like a power cut.
    ///
    /// # Panics
    /// If the VM has already ended.
    pub fn kill(mut self) {
        self.vm.kill().expect("it is killed");
        self.vm.wait().expect("it has ended");
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.vm.kill();
        let _ = self.vm.wait();
    }
}
