//! Other implementations of ECHONET Lite. Each runs as a program that reads commands from lines:
//!
//! ```text
//! build FRAME             the bytes of a frame, in hexadecimal digits
//! parse BYTES             the frame of such bytes, or `malformed`
//! ask NODE FRAME          sends a frame; the frame that answers it, or `none`
//! discover NODE           the devices of a node that was found by multicast: 029001,029002
//! read NODE EOJ EPC       a value, by what the implementation has for it
//! write NODE EOJ EPC EDT  `ok` or `refused`
//! announce EOJ EPC EDT    announces a value of its device
//! ```
//! A frame is written `TID SEOJ DEOJ ESV LIST`, with one list or two. A list is `80:31,b0:` or `-`.
//! A program answers `unsupported` if its implementation lacks a feature.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::Program;
use super::network::{Host, THEIRS};
use super::shell::target;

/// Another implementation, with its package registry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Peer {
    /// PyPI, a controller.
    Pychonet,
    /// PyPI.
    Uecho,
    /// npm.
    EchonetLite,
    /// npm, a controller.
    NodeEchonetLite,
    /// crates.io.
    Echonet,
}

impl Peer {
    pub const ALL: [Peer; 5] = [
        Peer::Pychonet,
        Peer::Uecho,
        Peer::EchonetLite,
        Peer::NodeEchonetLite,
        Peer::Echonet,
    ];

    /// Starts the program. If it cannot be installed here, prints a message and returns `None`.
    pub fn or_say(self, host: &Host) -> Option<Program> {
        let Some(mut command) = self.installed(host) else {
            println!("SKIPPED: {self:?} could not be installed from its registry");
            return None;
        };
        let mut program = Program::start(&mut command).expect("it was installed");
        program.line(|line| line == "ready");
        Some(program)
    }

    fn installed(self, host: &Host) -> Option<Command> {
        let script = |name: &str| {
            Path::new(env!("CARGO_MANIFEST_DIR"))
                .join("tests/peers")
                .join(name)
        };
        let mut command = match self {
            Peer::Pychonet => python(host, "pychonet==2.8.2", &script("pychonet_peer.py"))?,
            Peer::Uecho => python(host, "uecho==1.0.3", &script("uecho_peer.py"))?,
            Peer::EchonetLite => node(
                host,
                // This package does not declare the second one as a dependency.
                &["echonet-lite@2.16.2", "date-utils@1.2.21"],
                &script("echonet_lite_peer.js"),
            )?,
            Peer::NodeEchonetLite => node(
                host,
                &["node-echonet-lite@0.6.0"],
                &script("node_echonet_lite_peer.js"),
            )?,
            Peer::Echonet => host.command(of_crate()?),
        };
        command.arg(THEIRS);
        Some(command)
    }
}

/// Returns a folder that keeps installed packages from one run to the next.
fn folder(name: &str) -> PathBuf {
    target().join("echonet_peers").join(name)
}

fn python(host: &Host, package: &str, script: &Path) -> Option<Command> {
    let folder = folder(package);
    let python = folder.join("bin/python");
    if !folder.join("done").exists() {
        done(
            Command::new("python3")
                .args(["-m", "venv", "--clear"])
                .arg(&folder),
        )?;
        let pip = [
            "-m",
            "pip",
            "install",
            "--quiet",
            "--disable-pip-version-check",
            package,
        ];
        done(Command::new(&python).args(pip))?;
        std::fs::write(folder.join("done"), "").ok()?;
    }
    let mut command = host.command(python);
    command.arg(script);
    Some(command)
}

fn node(host: &Host, packages: &[&str], script: &Path) -> Option<Command> {
    let folder = folder(&packages.join("+"));
    if !folder.join("done").exists() {
        std::fs::create_dir_all(&folder).ok()?;
        let npm = [
            "install",
            "--silent",
            "--no-audit",
            "--no-fund",
            "--ignore-scripts",
            "--prefix",
        ];
        done(Command::new("npm").args(npm).arg(&folder).args(packages))?;
        std::fs::write(folder.join("done"), "").ok()?;
    }
    let mut command = host.command("node");
    command
        .arg(script)
        .env("NODE_PATH", folder.join("node_modules"));
    Some(command)
}

fn of_crate() -> Option<PathBuf> {
    let peers = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../peers");
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo
        .args(["build", "--quiet", "--locked", "--package", "echonet-peer"])
        .current_dir(peers)
        .env("CARGO_TARGET_DIR", target());
    done(&mut cargo)?;
    Some(target().join("debug/echonet-peer"))
}

fn done(command: &mut Command) -> Option<()> {
    let status = command.stdin(Stdio::null()).stdout(Stdio::null()).status();
    status.is_ok_and(|it| it.success()).then_some(())
}
