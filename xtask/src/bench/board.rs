//! `cargo xtask bench board`: examples/board beside "hello, world" of the same axum, under wrk.
//!
//! Both run at once and wait, and are asked in turn, a round of each request after the other. What
//! is read is compared with as many bytes of the same axum, too: the rest is the board's own work.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use super::machine::Machine;
use super::statistics::{Sample, Samples, Spread};
use crate::erlang;
use crate::step::{Outcome, applications_target, cargo, heading, root, run, say, target};

pub(crate) const USAGE: &str = "\
Usage: cargo xtask bench board [--rounds N]

  --rounds N   Rounds of each request, 5 if it is not said

Needs wrk (a package of this name on Debian), and Linux.
";

const PORT: u16 = 7491;
/// As in S4's comparison.
const CONNECTIONS: &str = "1000";
/// Each run has far more than 10^5 requests in all rounds.
const SECONDS: &str = "6";
/// Messages on the page that is read.
const MESSAGES: usize = 50;
const HELLO: &str = "hello, world";
const AS_LONG: &str = "as many bytes";
const MESSAGE: &str =
    "{\"author\":\"Ada\",\"text\":\"A message of some words, as people write them.\"}";

/// What is asked: a name, a path of the board, and whether it writes.
const REQUESTS: [(&str, &str, bool); 4] = [
    ("a message", "/boards/0/0", false),
    ("the list of boards", "/", false),
    ("a board with 50 messages", "/boards/0", false),
    ("a message is written", "/api/boards/1/messages", true),
];

/// A server that runs until this is dropped.
struct Server(Child);

impl Drop for Server {
    fn drop(&mut self) {
        // `cargo otp run` ends its VM in order.
        let _ = Command::new("kill").arg(self.0.id().to_string()).status();
        let _ = self.0.wait();
    }
}

pub(crate) fn board(options: &[&str]) -> Outcome {
    let rounds = match options {
        [] => 5,
        ["--rounds", rounds] => rounds.parse().map_err(|_| USAGE.to_owned())?,
        _ => return Err(USAGE.to_owned()),
    };
    erlang::to_run()?;
    run(&mut cargo(root(), &["build", "--package", "otp-cli"]))?;
    let example = root().join("examples/board");
    let mut hello = cargo(&example, &["build", "--release", "--example", "hello"]);
    run(hello.env("CARGO_TARGET_DIR", applications_target()))?;
    let folder = target().join("bench-board");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let data = folder.join("data").display().to_string();
    let port = PORT.to_string();
    let mut ours = Command::new(target().join("debug/cargo-otp"));
    ours.args([
        "otp",
        "run",
        "--release",
        "--",
        "--port",
        &port,
        "--folder",
        &data,
    ]);
    let _ours = start(ours.current_dir(&example))?;
    let hello = PORT + 1;
    let program = applications_target().join("release/examples/hello");
    let _hello = start(Command::new(program).arg(hello.to_string()))?;
    fill()?;
    let script = folder.join("post.lua");
    let lua = format!(
        "wrk.method = \"POST\"\nwrk.body = '{MESSAGE}'\nwrk.headers[\"Content-Type\"] = \"application/json\"\n"
    );
    fs::write(&script, lua).map_err(|error| format!("{}: {error}", script.display()))?;
    let machine = Machine::look()?;
    let samples = interleaved(rounds, hello, &script)?;
    heading(&format!(
        "{CONNECTIONS} connections, {rounds} rounds of {SECONDS} s: × {HELLO}, median and quartiles"
    ));
    machine.say();
    table(&samples);
    Ok(())
}

/// Both servers in turn, for each request.
fn interleaved(rounds: u32, hello: u16, script: &Path) -> Outcome<Samples> {
    let mut samples = Samples::default();
    for round in 0..rounds {
        for (name, path, writes) in REQUESTS {
            let script = writes.then_some(script);
            let mut variants = vec![
                ("board", PORT, path.to_owned()),
                (HELLO, hello, "/".to_owned()),
            ];
            if !writes {
                variants.push((AS_LONG, hello, format!("/{}", length(path)?)));
            }
            for (variant, port, path) in variants {
                let address = format!("http://127.0.0.1:{port}{path}");
                for (figure, value) in measured(&address, script)? {
                    let case = format!("{name}, {figure}");
                    let variant = variant.to_owned();
                    samples.add(Sample {
                        case,
                        variant,
                        round,
                        value,
                    });
                }
            }
        }
        say(&format!("round {} of {rounds}\n", round + 1));
    }
    Ok(samples)
}

/// Starts a server, and waits until it says where it is.
fn start(command: &mut Command) -> Outcome<Server> {
    let child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn();
    let mut child = child.map_err(|error| format!("{command:?} does not start ({error})"))?;
    let lines = child.stdout.take().map(BufReader::new).map(BufRead::lines);
    let mut lines = lines.into_iter().flatten().map_while(Result::ok);
    let server = Server(child);
    if !lines.by_ref().any(|line| line.starts_with("http://")) {
        return Err(format!("{command:?} does not say where it listens"));
    }
    std::thread::spawn(move || lines.for_each(drop));
    Ok(server)
}

/// Two boards, of which the first one has messages.
fn fill() -> Outcome {
    for name in ["read", "written"] {
        post("/api/boards", &format!("{{\"name\":\"{name}\"}}"))?;
    }
    (0..MESSAGES).try_for_each(|_| post("/api/boards/0/messages", MESSAGE))
}

/// The length of a page of the board.
fn length(path: &str) -> Outcome<usize> {
    let asked = || -> std::io::Result<String> {
        let mut stream = TcpStream::connect(("127.0.0.1", PORT))?;
        let request = format!("GET {path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n");
        stream.write_all(request.as_bytes())?;
        let mut reply = String::new();
        stream.read_to_string(&mut reply)?;
        Ok(reply)
    };
    let reply = asked().map_err(|error| format!("GET {path}: {error}"))?;
    let page = reply.split_once("\r\n\r\n").map(|(_, page)| page.len());
    page.ok_or_else(|| format!("GET {path} is not answered"))
}

fn post(path: &str, text: &str) -> Outcome {
    let asked = || -> std::io::Result<String> {
        let mut stream = TcpStream::connect(("127.0.0.1", PORT))?;
        let request = format!(
            "POST {path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-type: application/json\r\n\
             content-length: {}\r\n\r\n{text}",
            text.len()
        );
        stream.write_all(request.as_bytes())?;
        let mut reply = String::new();
        stream.read_to_string(&mut reply)?;
        Ok(reply)
    };
    for _ in 0..100 {
        if asked().is_ok_and(|reply| reply.starts_with("HTTP/1.1 201")) {
            return Ok(());
        }
        sleep(Duration::from_millis(50));
    }
    Err(format!("POST {path} is not answered"))
}

/// Requests in a second, and the 99th percentile of their times in milliseconds.
fn measured(address: &str, script: Option<&Path>) -> Outcome<[(&'static str, f64); 2]> {
    let mut wrk = Command::new("wrk");
    wrk.args([
        "-t",
        "1",
        "-c",
        CONNECTIONS,
        "-d",
        SECONDS,
        "--latency",
        "--timeout",
        "10s",
    ]);
    if let Some(script) = script {
        wrk.arg("-s").arg(script);
    }
    let output = wrk.arg(address).output();
    let output = output.map_err(|error| format!("wrk does not start ({error})\n\n{USAGE}"))?;
    let printed = String::from_utf8_lossy(&output.stdout);
    let of = |key: &str| {
        let mut lines = printed.lines().map(str::trim);
        lines.find_map(|line| line.strip_prefix(key)).map(str::trim)
    };
    let wrong = printed.contains("Non-2xx") || printed.contains("Socket errors");
    let rate = of("Requests/sec:").and_then(|it| it.parse().ok());
    match (rate, of("99%").and_then(milliseconds)) {
        (Some(rate), Some(p99)) if !wrong => Ok([("requests/s", rate), ("p99 in ms", p99)]),
        _ => Err(format!("{address}: wrk says\n{printed}")),
    }
}

/// `12.30us`, `4.56ms` or `1.20s` in milliseconds.
fn milliseconds(text: &str) -> Option<f64> {
    let units = [("us", 0.001), ("ms", 1.0), ("s", 1000.0), ("m", 60_000.0)];
    units.into_iter().find_map(|(unit, factor)| {
        let number: f64 = text.strip_suffix(unit)?.parse().ok()?;
        Some(number * factor)
    })
}

fn table(samples: &Samples) {
    for (name, ..) in REQUESTS {
        for figure in ["requests/s", "p99 in ms"] {
            for other in [HELLO, AS_LONG] {
                row(samples, &format!("{name}, {figure}"), other);
            }
        }
    }
}

fn row(samples: &Samples, case: &str, other: &str) {
    let ratio = samples.pairs(case, [other, "board"], |theirs, ours| ours / theirs);
    let absolute = samples
        .median(case, "board")
        .zip(samples.median(case, other));
    if let (Some(Spread { low, median, high }), Some((ours, theirs))) = (ratio, absolute) {
        say(&format!(
            "  {case:<38} {median:.2} ({low:.2} to {high:.2}): {ours:.0} beside {theirs:.0}, {other}\n"
        ));
    }
}
