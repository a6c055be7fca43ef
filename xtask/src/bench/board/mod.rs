//! `cargo xtask bench board`: compares examples/board with "hello, world" of the same axum, under
//! wrk.
//!
//! Both servers run at once. wrk sends requests to them in turn, one round of each request after
//! the other. A read is also compared with a reply of equal size from the same axum: the rest is
//! the board's own work. A write is compared with lines that the same axum adds to a file,
//! synchronised for all waiting requests.

mod servers;

use std::fs;
use std::path::Path;
use std::process::Command;

use super::machine::{self, Machine};
use super::marked;
use super::statistics::{Sample, Samples, Spread};
use crate::erlang;
use crate::step::{Outcome, heading, say, target};
use servers::{Author, BOARD, HELLO, MESSAGE, Servers, length};

pub(crate) const USAGE: &str = "\
Usage: cargo xtask bench board [--rounds N] [--write]

  --rounds N   Number of rounds of each request, default 5; a round takes two minutes
  --write      Put the table into examples/board/README.md

Needs Linux and wrk (Debian's package wrk).
";

const PAGE: &str = "examples/board/README.md";
/// The number in S4's comparison.
const CONNECTIONS: &str = "1000";
/// Each run has far more than 10^5 requests in all rounds.
const SECONDS: &str = "6";
const OURS: &str = "board";
const SAID: &str = "hello, world";
const AS_LONG: &str = "as many bytes";
const IN_A_FILE: &str = "lines in a file";

/// A request to the board.
struct Request {
    name: &'static str,
    path: &'static str,
    headers: &'static [&'static str],
    kind: Kind,
}

#[derive(PartialEq)]
enum Kind {
    Read,
    /// An author writes during the requests.
    Changes,
    Written,
}

const REQUESTS: [Request; 6] = [
    Request {
        name: "a message",
        path: "/boards/0/0",
        headers: &[],
        kind: Kind::Read,
    },
    Request {
        name: "the list of boards",
        path: "/",
        headers: &[],
        kind: Kind::Read,
    },
    Request {
        name: "a board with 50 messages",
        path: "/boards/0",
        headers: &[],
        kind: Kind::Read,
    },
    Request {
        name: "the same, as a browser asks for it",
        path: "/boards/0",
        headers: &[
            "Accept-Encoding: gzip, deflate, br",
            "Cookie: board=0123456789abcdef0123456789abcdef",
        ],
        kind: Kind::Read,
    },
    Request {
        name: "the same, while others write there",
        path: "/boards/2",
        headers: &[
            "Accept-Encoding: gzip, deflate, br",
            "Cookie: board=0123456789abcdef0123456789abcdef",
        ],
        kind: Kind::Changes,
    },
    Request {
        name: "a message is written",
        path: "/api/boards/1/messages",
        headers: &[],
        kind: Kind::Written,
    },
];

pub(crate) fn board(options: &[&str]) -> Outcome {
    let (options, writes) = match options {
        [options @ .., "--write"] => (options, true),
        options => (options, false),
    };
    let rounds = match options {
        [] => 5,
        ["--rounds", rounds] => rounds.parse().map_err(|_| USAGE.to_owned())?,
        _ => return Err(USAGE.to_owned()),
    };
    erlang::to_run()?;
    let folder = target().join("bench-board");
    let _servers = Servers::start(&folder)?;
    let script = folder.join("post.lua");
    let lua = format!(
        "wrk.method = \"POST\"\nwrk.body = '{MESSAGE}'\nwrk.headers[\"Content-Type\"] = \"application/json\"\n"
    );
    fs::write(&script, lua).map_err(|error| format!("{}: {error}", script.display()))?;
    let machine = Machine::look()?;
    let samples = interleaved(rounds, &script)?;
    heading(&format!(
        "{CONNECTIONS} connections, {rounds} rounds of {SECONDS} s, × what is named, median and quartiles"
    ));
    machine.say();
    let results = table(&samples);
    say(&results);
    say(&format!("\nload afterwards: {}\n", machine::load()));
    if writes {
        let Machine {
            processor,
            cores,
            otp,
            load,
        } = machine;
        let about = format!(
            "{processor}, {cores} cores that wrk shares, OTP {otp}, load {load} before; {rounds} rounds.\n"
        );
        marked::write(PAGE, "board", &format!("{about}\n{results}"))?;
    }
    Ok(())
}

/// Measures all servers in turn, for each request.
fn interleaved(rounds: u32, script: &Path) -> Outcome<Samples> {
    let mut samples = Samples::default();
    for round in 0..rounds {
        for request in &REQUESTS {
            let _author = (request.kind == Kind::Changes).then(Author::start);
            let script = (request.kind == Kind::Written).then_some(script);
            for (variant, port, path) in variants(request)? {
                let address = format!("http://127.0.0.1:{port}{path}");
                for (figure, value) in measured(&address, request.headers, script)? {
                    samples.add(Sample {
                        case: case(request, figure),
                        variant: variant.to_owned(),
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

fn variants(request: &Request) -> Outcome<[(&'static str, u16, String); 3]> {
    let other = match request.kind {
        Kind::Written => (IN_A_FILE, HELLO, "/lines".to_owned()),
        _ => {
            let length = length(request.path, request.headers)?;
            (AS_LONG, HELLO, format!("/{length}"))
        }
    };
    let ours = (OURS, BOARD, request.path.to_owned());
    Ok([ours, (SAID, HELLO, "/".to_owned()), other])
}

fn case(request: &Request, figure: &str) -> String {
    format!("{}, {figure}", request.name)
}

const RATE: &str = "requests/s";
const P99: &str = "p99 in ms";

/// Returns the requests per second, and the 99th percentile of their times in milliseconds.
fn measured(
    address: &str,
    headers: &[&str],
    script: Option<&Path>,
) -> Outcome<[(&'static str, f64); 2]> {
    let mut wrk = Command::new("wrk");
    wrk.args(["-t", "1", "-c", CONNECTIONS, "-d", SECONDS]);
    wrk.args(["--latency", "--timeout", "10s"]);
    for header in headers {
        wrk.args(["-H", header]);
    }
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
        (Some(rate), Some(p99)) if !wrong => Ok([(RATE, rate), (P99, p99)]),
        _ => Err(format!("{address}: wrk says\n{printed}")),
    }
}

/// Converts `12.30us`, `4.56ms` or `1.20s` to milliseconds.
fn milliseconds(text: &str) -> Option<f64> {
    let units = [("us", 0.001), ("ms", 1.0), ("s", 1000.0), ("m", 60_000.0)];
    units.into_iter().find_map(|(unit, factor)| {
        let number: f64 = text.strip_suffix(unit)?.parse().ok()?;
        Some(number * factor)
    })
}

/// Returns the table of the page.
fn table(samples: &Samples) -> String {
    let mut rows = String::from(
        "| | requests/s | × \"hello, world\" | p99 × \"hello, world\" | requests/s × as many bytes, or lines in a file |\n\
         |---|---|---|---|---|\n",
    );
    for request in &REQUESTS {
        let rate = samples.median(&case(request, RATE), OURS).unwrap_or(0.0);
        let to = |other, figure| {
            let case = case(request, figure);
            let ratio = samples.pairs(&case, [other, OURS], |theirs, ours| ours / theirs);
            ratio.map_or("".to_owned(), |Spread { low, median, high }| {
                format!("{median:.2} ({low:.2}–{high:.2})")
            })
        };
        let other = if request.kind == Kind::Written {
            IN_A_FILE
        } else {
            AS_LONG
        };
        rows += &format!(
            "| {} | {rate:.0} | {} | {} | {} |\n",
            request.name,
            to(SAID, RATE),
            to(SAID, P99),
            to(other, RATE)
        );
    }
    rows
}
