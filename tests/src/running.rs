//! An application that runs until it is stopped, as an operating system's service does.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use crate::application::text;

/// How long anything may take on a busy machine.
pub const PATIENCE: Duration = Duration::from_mins(10);

/// An Erlang VM that runs an application. It is killed with this value, unless it has been stopped.
pub struct Running {
    vm: Child,
    lines: Receiver<String>,
}

impl Running {
    /// Starts the application whose modules are in `ebin`, with a command line.
    ///
    /// # Panics
    /// When `erl` cannot be started.
    pub fn start(name: &str, ebin: &Path, arguments: &[&str]) -> Self {
        Self::start_vm(name, ebin, &[], arguments)
    }

    /// The same on a node of a cluster on this machine. Nobody elsewhere can connect to it.
    ///
    /// # Panics
    /// When `erl` cannot be started.
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
    /// When `erl` cannot be started.
    pub fn start_vm(name: &str, ebin: &Path, flags: &[&str], arguments: &[&str]) -> Self {
        let mut vm = Command::new("erl")
            // A daemon that this VM starts listens on this machine only.
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
        // Read to its end, so that the VM never waits for a full pipe. What it prints may not be
        // UTF-8.
        thread::spawn(move || {
            for line in BufReader::new(output).split(b'\n').map_while(Result::ok) {
                let _ = sender.send(text(&line));
            }
        });
        Running { vm, lines }
    }

    /// The rest of the first line that begins with `start`.
    ///
    /// # Panics
    /// When there is none in time.
    pub fn line(&self, start: &str) -> String {
        loop {
            let line = self.lines.recv_timeout(PATIENCE);
            let line = line.unwrap_or_else(|error| panic!("no line `{start}…`: {error}"));
            if let Some(rest) = line.strip_prefix(start) {
                return rest.to_owned();
            }
        }
    }

    /// Ends the VM as `kill PID` does. Returns its exit status and the lines that nobody has read.
    ///
    /// # Panics
    /// When there is no `kill`, or the VM cannot be waited for.
    pub fn stop(self) -> (ExitStatus, Vec<String>) {
        let pid = self.vm.id().to_string();
        let killed = Command::new("kill").arg(pid).status().expect("kill runs");
        assert!(killed.success());
        self.wait()
    }

    /// Waits until the application has ended by itself. Returns the same.
    ///
    /// # Panics
    /// When the VM cannot be waited for.
    pub fn wait(mut self) -> (ExitStatus, Vec<String>) {
        let status = self.vm.wait().expect("it ends");
        (status, self.lines.iter().collect())
    }
}

impl Running {
    /// Ends the VM as a power cut does.
    ///
    /// # Panics
    /// When it has ended already.
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
