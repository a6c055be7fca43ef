//! `cargo xtask bench redis`: examples/redis beside redis-server, under redis-benchmark.
//!
//! All servers run at once and wait, and are asked in turn, a round of each after the other. Processor time is that of the
//! server's process, from `/proc`.

use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use super::machine::Machine;
use super::statistics::{Sample, Samples, Spread};
use crate::erlang;
use crate::step::{Outcome, cargo, heading, root, run, say, target};

pub(crate) const USAGE: &str = "\
Usage: cargo xtask bench redis [--rounds N]

  --rounds N   Rounds of each server and each number of commands in a packet, 10 if it is not said

Needs redis-server and redis-benchmark (on Debian the packages redis-server and redis-tools), and Linux.
";

/// The server that the others are compared with.
const REFERENCE: &str = "redis-server";
const PORT: u16 = 7391;
/// How many clients there are, as in S3's comparison.
const CLIENTS: &str = "50";
/// Commands in a packet, and requests in a round.
const PIPELINES: [(&str, u32); 2] = [("1", 50_000), ("16", 400_000)];
/// What is measured of each test.
const FIGURES: [(&str, &str); 3] = [
    ("rps", "requests/s"),
    ("p99", "p99"),
    ("cpu", "processor time a request"),
];

/// A server that runs until this is dropped.
struct Server {
    name: &'static str,
    port: u16,
    child: Child,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub(crate) fn redis(options: &[&str]) -> Outcome {
    let rounds = match options {
        [] => 10,
        ["--rounds", rounds] => rounds.parse().map_err(|_| USAGE.to_owned())?,
        _ => return Err(USAGE.to_owned()),
    };
    erlang::to_run()?;
    run(&mut cargo(root(), &["build", "--package", "otp-cli"]))?;
    let mut build = ours(&["build", "--release"]);
    run(&mut build)?;
    let servers = [
        start(REFERENCE, PORT, &mut reference(PORT))?,
        start("one reactor", PORT + 1, &mut reactors(PORT + 1, "1"))?,
        start("two reactors", PORT + 2, &mut reactors(PORT + 2, "2"))?,
    ];
    let machine = Machine::look()?;
    let mut samples = Samples::default();
    for round in 0..rounds {
        for (pipeline, requests) in PIPELINES {
            for server in &servers {
                for sample in measured(server, pipeline, requests, round)? {
                    samples.add(sample);
                }
            }
        }
        say(&format!("round {} of {rounds}\n", round + 1));
    }
    heading(&format!(
        "{CLIENTS} clients, {rounds} rounds: × redis-server, median and quartiles"
    ));
    machine.say();
    servers[1..]
        .iter()
        .for_each(|server| table(server.name, &samples));
    Ok(())
}

fn reference(port: u16) -> Command {
    let mut command = Command::new("redis-server");
    command.args(["--save", "", "--appendonly", "no", "--port"]);
    command.arg(port.to_string());
    command
}

/// `cargo otp` in the example's folder.
fn ours(arguments: &[&str]) -> Command {
    let mut command = Command::new(target().join("debug/cargo-otp"));
    command
        .arg("otp")
        .args(arguments)
        .current_dir(root().join("examples/redis"));
    command
}

fn reactors(port: u16, count: &str) -> Command {
    let port = port.to_string();
    ours(&[
        "run",
        "--release",
        "--",
        "--port",
        &port,
        "--reactors",
        count,
    ])
}

fn start(name: &'static str, port: u16, command: &mut Command) -> Outcome<Server> {
    let child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    let child = child.map_err(|error| format!("{name} does not start ({error})\n\n{USAGE}"))?;
    let server = Server { name, port, child };
    for _ in 0..600 {
        if TcpStream::connect(("127.0.0.1", port)).is_ok() {
            return Ok(server);
        }
        sleep(Duration::from_millis(100));
    }
    Err(format!("{name} does not listen"))
}

/// The samples of one run of redis-benchmark.
fn measured(server: &Server, pipeline: &str, requests: u32, round: u32) -> Outcome<Vec<Sample>> {
    let (port, count) = (server.port.to_string(), requests.to_string());
    let before = processor_time(server.port)?;
    let benchmark = Command::new("redis-benchmark")
        .args(["-p", &port, "-c", CLIENTS, "-n", &count, "-P", pipeline])
        .args(["-t", "set,get", "--csv"])
        .output()
        .map_err(|error| format!("redis-benchmark does not start ({error})\n\n{USAGE}"))?;
    let used = processor_time(server.port)? - before;
    let sample = |test: &str, figure: &str, value: f64| Sample {
        case: format!("{test} -P {pipeline} {figure}"),
        variant: server.name.to_owned(),
        round,
        value,
    };
    let mut samples = vec![sample("both", "cpu", used / (2.0 * f64::from(requests)))];
    let printed = String::from_utf8_lossy(&benchmark.stdout).replace('"', "");
    for line in printed.lines() {
        let cells: Vec<&str> = line.split(',').collect();
        if let [test @ ("SET" | "GET"), rps, _, _, _, _, p99, _] = cells[..]
            && let (Ok(rps), Ok(p99)) = (rps.parse(), p99.parse())
        {
            samples.push(sample(test, "rps", rps));
            samples.push(sample(test, "p99", p99));
        }
    }
    match samples.len() {
        5 => Ok(samples),
        _ => Err(format!(
            "redis-benchmark printed something else:\n{printed}"
        )),
    }
}

/// The seconds of processor time that the server at a port has used.
fn processor_time(port: u16) -> Outcome<f64> {
    /// Clock ticks in a second, which Linux does not change.
    const TICKS: f64 = 100.0;
    let process = process_of(port).ok_or("the server does not say its process")?;
    let file = format!("/proc/{process}/stat");
    let text = fs::read_to_string(&file).map_err(|error| format!("{file}: {error}"))?;
    // The second field may have blanks, and ends with a bracket.
    let fields = text.rsplit(") ").next().unwrap_or_default();
    let times = fields.split(' ').skip(11).take(2);
    let ticks = times.filter_map(|field| field.parse::<f64>().ok());
    Ok(ticks.sum::<f64>() / TICKS)
}

/// The number of the process, which INFO has.
fn process_of(port: u16) -> Option<u32> {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).ok()?;
    stream.write_all(b"INFO server\r\nQUIT\r\n").ok()?;
    let mut text = String::new();
    stream.read_to_string(&mut text).ok()?;
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix("process_id:"))?;
    line.trim().parse().ok()
}

fn table(name: &str, samples: &Samples) {
    say(&format!("{name}\n"));
    for (pipeline, _) in PIPELINES {
        for test in ["SET", "GET", "both"] {
            for (figure, text) in FIGURES {
                let case = format!("{test} -P {pipeline} {figure}");
                let pairs = samples.pairs(&case, [REFERENCE, name], |theirs, ours| ours / theirs);
                if let Some(Spread { low, median, high }) = pairs {
                    let what = format!("{test} -P {pipeline}, {text}");
                    say(&format!(
                        "  {what:<40} {median:.2} ({low:.2} to {high:.2})\n"
                    ));
                }
            }
        }
    }
}
