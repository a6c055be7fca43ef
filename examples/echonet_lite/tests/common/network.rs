//! Networks for the tests: two hosts with a cable between them, isolated from all others. ECHONET
//! Lite has a fixed port and a fixed group, so a network of its own is necessary to keep other
//! nodes of the machine from answering.

use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

/// Addresses of our host: the controller's and the nodes'.
pub const OURS: [&str; 3] = ["10.77.0.1", "10.77.0.2", "10.77.0.3"];
/// Address of the other host.
pub const THEIRS: &str = "10.77.0.9";

/// The host that a program runs on.
pub enum Host {
    /// The network of the test itself.
    Here,
    /// A network namespace.
    Namespace(String),
}

impl Host {
    pub fn command(&self, program: impl Into<PathBuf>) -> Command {
        let program = program.into();
        match self {
            Host::Here => Command::new(program),
            Host::Namespace(name) => {
                let mut ip = Command::new("ip");
                ip.args(["netns", "exec", name]).arg(program);
                ip
            }
        }
    }
}

/// A network of two hosts. It is removed when the value is dropped.
pub struct Network {
    pub ours: Host,
    pub theirs: Host,
    names: [String; 2],
}

impl Network {
    /// Creates a network. If this user may not do that, prints a message and returns `None`.
    pub fn or_say() -> Option<Self> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let names = ["a", "b"].map(|side| format!("echonet-{}-{number}{side}", std::process::id()));
        let network = Network {
            ours: Host::Namespace(names[0].clone()),
            theirs: Host::Namespace(names[1].clone()),
            names,
        };
        if network.make().is_none() {
            println!("SKIPPED: no networks of its own, which need Linux, iproute2 and root");
            return None;
        }
        Some(network)
    }

    fn make(&self) -> Option<()> {
        let [a, b] = &self.names;
        for name in [a, b] {
            ip(&["netns", "add", name])?;
            ip(&["-n", name, "link", "set", "lo", "up"])?;
        }
        ip(&[
            "-n", a, "link", "add", "cable", "type", "veth", "peer", "cable", "netns", b,
        ])?;
        for address in OURS {
            ip(&[
                "-n",
                a,
                "addr",
                "add",
                &format!("{address}/24"),
                "dev",
                "cable",
            ])?;
        }
        ip(&[
            "-n",
            b,
            "addr",
            "add",
            &format!("{THEIRS}/24"),
            "dev",
            "cable",
        ])?;
        for name in [a, b] {
            ip(&["-n", name, "link", "set", "cable", "up"])?;
            ip(&["-n", name, "route", "add", "224.0.0.0/4", "dev", "cable"])?;
        }
        Some(())
    }
}

impl Drop for Network {
    fn drop(&mut self) {
        for name in &self.names {
            let _ = ip(&["netns", "del", name]);
        }
    }
}

fn ip(arguments: &[&str]) -> Option<()> {
    let status = Command::new("ip")
        .args(arguments)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    status.is_ok_and(|it| it.success()).then_some(())
}
