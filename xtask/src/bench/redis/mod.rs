//! `cargo xtask bench redis`: compares examples/redis with redis-server and other servers, under
//! redis-benchmark.
//!
//! All servers run at once, and each round measures them in turn. The processor time is the time of
//! the server's process, from `/proc`.

mod cases;
mod plot;
mod servers;
mod shapes;

use std::process::Command;

use self::cases::{Case, LONG, SHORT};
use self::servers::{REFERENCE, Server};
use super::machine::Machine;
use super::statistics::{Sample, Samples, Spread};
use crate::erlang;
use crate::step::{Outcome, heading, say};

pub(crate) const USAGE: &str = "\
Usage: cargo xtask bench redis [--rounds N] [--long] [--without NAME]... [--write]
       cargo xtask bench redis --shapes [--quick | --rounds N]

  --rounds N      Number of rounds of each server and each load, default 10
  --long          Also measure values of 1 kB and 100 kB, 1,000 and 10,000 clients, commands of several types and keys, and the
                  memory per key
  --without NAME  Leave out mini-redis, redcon or erlang
  --write         Put the plots rps.svg and p99.svg into examples/redis
  --shapes        Measure ways to distribute keys over 1, 2, 4 and 8 reactors, with uniform and skewed keys; takes 8 minutes
                  for 5 rounds
  --quick         Measure for only 3 minutes

Needs redis-server and redis-benchmark (on Debian the packages redis-server and redis-tools), and Linux. redcon needs Go.
The command leaves out programs that cannot be built, and prints their names.
";

/// The number of keys for the measurement of the memory for each key.
const KEYS: u32 = 1_000_000;

/// redis-benchmark waits for ever for a server that does not answer.
const MOST_SECONDS: &str = "120";

/// The figures of each command.
const FIGURES: [(&str, &str); 2] = [("rps", "requests/s"), ("p99", "p99")];

struct Options<'o> {
    rounds: u32,
    is_long: bool,
    is_written: bool,
    without: Vec<&'o str>,
}

impl<'o> Options<'o> {
    fn read(words: &[&'o str]) -> Outcome<Self> {
        let mut options = Options {
            rounds: 10,
            is_long: false,
            is_written: false,
            without: Vec::new(),
        };
        let mut words = words.iter();
        while let Some(word) = words.next() {
            match *word {
                "--long" => options.is_long = true,
                "--write" => options.is_written = true,
                "--rounds" => {
                    let count = words.next().and_then(|count| count.parse().ok());
                    options.rounds = count.ok_or_else(|| USAGE.to_owned())?;
                }
                "--without" => {
                    let name = words.next().ok_or_else(|| USAGE.to_owned())?;
                    options.without.push(*name);
                }
                _ => return Err(USAGE.to_owned()),
            }
        }
        Ok(options)
    }
}

pub(crate) fn redis(options: &[&str]) -> Outcome {
    if let ["--shapes", options @ ..] = options {
        return shapes::shapes(options);
    }
    let options = Options::read(options)?;
    erlang::to_run()?;
    let servers = servers::start_all(&options.without)?;
    let machine = Machine::look()?;
    let long = if options.is_long { LONG } else { &[] };
    let cases: Vec<&Case> = SHORT.iter().chain(long).collect();
    // Measures memory first, because the servers have no keys yet.
    let memory = if options.is_long {
        memory(&servers)?
    } else {
        Vec::new()
    };
    let mut samples = Samples::default();
    let rounds = options.rounds;
    for round in 0..rounds {
        for case in &cases {
            for server in servers.iter().filter(|server| case.is_for(server)) {
                for sample in measured(server, case, round)? {
                    samples.add(sample);
                }
            }
        }
        say(&format!("round {} of {rounds}\n", round + 1));
    }
    heading(&format!(
        "{rounds} rounds: × redis-server, median and quartiles"
    ));
    machine.say();
    for server in &servers[1..] {
        table(server.name, &cases, &samples);
    }
    for (name, bytes) in memory {
        say(&format!("{name}, memory for a small key: {bytes:.0} B\n"));
    }
    if options.is_written {
        let names: Vec<&str> = servers[1..].iter().map(|server| server.name).collect();
        for figure in FIGURES {
            plot::write(figure, &names, &cases, &samples)?;
        }
    }
    Ok(())
}

/// Returns the samples of one run of redis-benchmark.
fn measured(server: &Server, case: &Case, round: u32) -> Outcome<Vec<Sample>> {
    let before = server.processor_time()?;
    let benchmark = Command::new("timeout")
        .args([MOST_SECONDS, "redis-benchmark", "--csv"])
        .args(["-p", &server.port.to_string()])
        .args(case.arguments())
        .output()
        .map_err(|error| format!("redis-benchmark does not start ({error})\n\n{USAGE}"))?;
    let used = server.processor_time()? - before;
    let sample = |test: &str, figure: &str, value: f64| Sample {
        case: format!("{} {test} {figure}", case.name),
        variant: server.name.to_owned(),
        round,
        value,
    };
    let printed = String::from_utf8_lossy(&benchmark.stdout).replace('"', "");
    let mut samples = Vec::new();
    for line in printed.lines().skip(1) {
        let cells: Vec<&str> = line.split(',').collect();
        if let [test, rps, _, _, _, _, p99, _] = cells[..]
            && let (Ok(rps), Ok(p99)) = (rps.parse(), p99.parse())
        {
            samples.push(sample(test, "rps", rps));
            samples.push(sample(test, "p99", p99));
        }
    }
    if samples.is_empty() {
        let errors = String::from_utf8_lossy(&benchmark.stderr);
        return Err(format!(
            "{}, {}: redis-benchmark printed no figures:\n{printed}{errors}",
            server.name, case.name
        ));
    }
    samples.push(sample("all", "cpu", used));
    Ok(samples)
}

/// Returns the memory that each server's process needs for a key, in bytes.
fn memory(servers: &[Server]) -> Outcome<Vec<(&'static str, f64)>> {
    let mut figures = Vec::new();
    for server in servers.iter().filter(|server| server.is_whole) {
        let before = server.resident()?;
        let filled = Command::new("redis-benchmark")
            .args(["-p", &server.port.to_string(), "-q", "-P", "64"])
            .args(["-n", &KEYS.to_string(), "-r", &KEYS.to_string()])
            .args(["-d", "16", "-t", "set"])
            .output();
        filled.map_err(|error| format!("redis-benchmark does not start ({error})"))?;
        let keys: f64 = (server.ask("DBSIZE")?.trim().trim_start_matches(':'))
            .parse()
            .map_err(|_| "DBSIZE is not a number")?;
        figures.push((server.name, (server.resident()? - before) / keys));
        server.ask("FLUSHALL")?;
    }
    Ok(figures)
}

fn table(name: &str, cases: &[&Case], samples: &Samples) {
    say(&format!("{name}\n"));
    let ratio = |key: &str, what: &str| {
        let pairs = samples.pairs(key, [REFERENCE, name], |theirs, ours| ours / theirs);
        if let Some(Spread { low, median, high }) = pairs {
            say(&format!(
                "  {what:<52} {median:.2} ({low:.2} to {high:.2})\n"
            ));
        }
    };
    for case in cases {
        for test in case.tests() {
            for (figure, text) in FIGURES {
                let key = format!("{} {test} {figure}", case.name);
                ratio(&key, &format!("{}, {test}: {text}", case.name));
            }
        }
        let key = format!("{} all cpu", case.name);
        ratio(&key, &format!("{}: processor time", case.name));
    }
}
