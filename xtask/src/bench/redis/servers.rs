//! The compared servers.

use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use super::USAGE;
use crate::bench::machine::processor_time;
use crate::step::{Outcome, cargo, root, run, say, target};

/// The server that the others are compared with.
pub(super) const REFERENCE: &str = "redis-server";
pub(super) const PORT: u16 = 7391;
/// More clients than any load has.
const MAX_CLIENTS: &str = "12000";
/// A constant of mini-redis.
const MAX_CLIENTS_OF_MINI_REDIS: u32 = 250;

/// Builds a server and returns the command that starts it at a port.
type Build = fn(u16) -> Outcome<Command>;

/// A running server. It is stopped when this value is dropped.
pub(super) struct Server {
    pub(super) name: &'static str,
    pub(super) port: u16,
    /// Whether the server supports more commands than `SET`, `GET` and `PING`.
    pub(super) is_whole: bool,
    /// The maximum number of clients. Further clients wait for ever.
    pub(super) most_clients: u32,
    child: Child,
    process: u32,
}

impl Drop for Server {
    fn drop(&mut self) {
        // `cargo otp run` shuts its VM down properly.
        let _ = Command::new("kill")
            .arg(self.child.id().to_string())
            .status();
        let _ = self.child.wait();
    }
}

/// Starts all servers, the reference first. Skips the servers named in `without`, and servers that
/// cannot be built.
pub(super) fn start_all(without: &[&str]) -> Outcome<Vec<Server>> {
    build_ours()?;
    let mut servers = vec![
        Server::start(REFERENCE, PORT, true, &mut reference(PORT))?,
        Server::start("one reactor", PORT + 1, true, &mut reactors(PORT + 1, "1"))?,
        Server::start("two reactors", PORT + 2, true, &mut reactors(PORT + 2, "2"))?,
    ];
    let peers: [(_, _, Build); 3] = [
        ("mini-redis", PORT + 3, mini_redis),
        ("redcon", PORT + 4, redcon),
        ("erlang", PORT + 5, erlang),
    ];
    for (name, port, build) in peers {
        if without.contains(&name) {
            continue;
        }
        let started = build(port).and_then(|it| Server::start(name, port, false, &mut { it }));
        match started {
            Ok(server) => servers.push(server),
            Err(error) => say(&format!("{name} is left out: {error}\n")),
        }
    }
    Ok(servers)
}

/// Builds examples/redis.
pub(super) fn build_ours() -> Outcome {
    run(&mut cargo(root(), &["build", "--package", "otp-cli"]))?;
    run(&mut ours(&["build", "--release"]))
}

pub(super) fn reference(port: u16) -> Command {
    let mut command = Command::new(REFERENCE);
    command.args(["--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]);
    command.args(["--maxclients", MAX_CLIENTS, "--port", &port.to_string()]);
    command
}

/// Returns a `cargo otp` command in the example's folder.
fn ours(arguments: &[&str]) -> Command {
    let mut command = Command::new(target().join("debug/cargo-otp"));
    command
        .arg("otp")
        .args(arguments)
        .current_dir(root().join("examples/redis"));
    command
}

pub(super) fn reactors(port: u16, count: &str) -> Command {
    let mut command = ours(&["run", "--release", "--", "--port", &port.to_string()]);
    command.args(["--reactors", count, "--maxclients", MAX_CLIENTS]);
    command
}

/// Builds a program of peers, and returns its path.
pub(super) fn peer(package: &str) -> Outcome<PathBuf> {
    let folder = root().join("peers");
    let build = ["build", "--release", "--package", package];
    let built = target().join("peers");
    run(cargo(&folder, &build).env("CARGO_TARGET_DIR", &built))?;
    Ok(built.join("release").join(package))
}

/// The crate's own server, in Rust.
fn mini_redis(port: u16) -> Outcome<Command> {
    let mut command = Command::new(peer("mini-redis-peer")?);
    command.arg(port.to_string());
    Ok(command)
}

/// The module redcon, in Go.
fn redcon(port: u16) -> Outcome<Command> {
    let program = target().join("bench/redcon");
    let mut build = Command::new("go");
    build.args(["build", "-o"]).arg(&program).arg(".");
    run(build.current_dir(root().join("peers/redcon")))?;
    let mut command = Command::new(program);
    command.arg(port.to_string());
    Ok(command)
}

/// Plain Erlang.
fn erlang(port: u16) -> Outcome<Command> {
    let folder = target().join("bench/redis_plain");
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut compile = Command::new("erlc");
    compile.arg("-o").arg(&folder);
    run(compile.arg(root().join("peers/erlang/redis_plain.erl")))?;
    let mut command = Command::new("erl");
    // Uses the flags of examples/redis, for the same reason.
    command.args(["+sbwt", "none", "+sbwtdcpu", "none", "+sbwtdio", "none"]);
    command.args(["-noinput", "-pa"]).arg(&folder);
    command.args(["-run", "redis_plain", "main", "-extra"]);
    command.arg(port.to_string());
    Ok(command)
}

impl Server {
    /// Starts a server, and waits until it listens.
    pub(super) fn start(
        name: &'static str,
        port: u16,
        is_whole: bool,
        command: &mut Command,
    ) -> Outcome<Self> {
        let child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn();
        let child = child.map_err(|error| format!("{name} does not start ({error})\n\n{USAGE}"))?;
        let process = child.id();
        let mut server = Server {
            name,
            port,
            is_whole,
            most_clients: match name {
                "mini-redis" => MAX_CLIENTS_OF_MINI_REDIS,
                _ => u32::MAX,
            },
            child,
            process,
        };
        for _ in 0..600 {
            if TcpStream::connect(("127.0.0.1", port)).is_ok() {
                server.find_process()?;
                return Ok(server);
            }
            sleep(Duration::from_millis(100));
        }
        Err(format!("{name} does not listen"))
    }

    /// `cargo otp run` starts the VM as a separate process.
    fn find_process(&mut self) -> Outcome {
        if !self.is_whole {
            return Ok(());
        }
        let text = self.ask("INFO server")?;
        let line = text
            .lines()
            .find_map(|line| line.strip_prefix("process_id:"));
        let number = line.and_then(|line| line.trim().parse().ok());
        self.process = number.ok_or("the server does not say its process")?;
        Ok(())
    }

    /// Returns the whole answer to one inline command.
    pub(super) fn ask(&self, command: &str) -> Outcome<String> {
        let asked = || {
            let mut stream = TcpStream::connect(("127.0.0.1", self.port))?;
            stream.write_all(format!("{command}\r\nQUIT\r\n").as_bytes())?;
            let mut text = String::new();
            stream.read_to_string(&mut text)?;
            Ok(text.trim_end().trim_end_matches("+OK").to_owned())
        };
        asked().map_err(|error: std::io::Error| format!("{}: {error}", self.name))
    }

    /// Returns the processor time of the server, in seconds.
    pub(super) fn processor_time(&self) -> Outcome<f64> {
        processor_time(self.process)
    }

    /// Returns the memory of the server, in bytes.
    pub(super) fn resident(&self) -> Outcome<f64> {
        let text = self.file("status")?;
        let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        let kib = line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<f64>().ok());
        Ok(1024.0 * kib.ok_or("/proc has no VmRSS")?)
    }

    fn file(&self, name: &str) -> Outcome<String> {
        let file = format!("/proc/{}/{name}", self.process);
        fs::read_to_string(&file).map_err(|error| format!("{file}: {error}"))
    }
}
