//! `cargo xtask bench redis --shapes`: compares several ways for reactors to store their keys.
//!
//! All servers run at once, and each round measures them in turn. The load comes from
//! `peers/redis_shapes`, because redis-benchmark only supports keys with a uniform distribution.

use std::path::Path;
use std::process::Command;

use super::servers::{self, Server};
use super::{Machine, USAGE};
use crate::bench::statistics::{Sample, Samples, Spread};
use crate::erlang;
use crate::step::{Outcome, heading, say};

const REACTORS: [u32; 4] = [1, 2, 4, 8];

/// The shapes: ours, and the peer's shapes by their names.
const OURS: &str = "examples/redis";
const PEERS: [(&str, &str); 3] = [
    ("stripes", "threads, striped locks"),
    ("lock-free", "threads, a lock-free map"),
    ("owned", "threads, own keys and hops"),
];

const CLIENTS: &str = "50";
const KEYS: [&str; 2] = ["uniform", "skewed"];
/// The numbers of commands in a packet.
const PIPELINES: [&str; 2] = ["1", "16"];

/// The figures: the name, and the divisor for the table.
const FIGURES: [(&str, f64); 3] = [
    ("thousands of requests/s", 1e3),
    ("p99 in ms", 1e3),
    ("processor time for a request in µs", 1.0),
];

/// The duration of the measurements.
struct Plan {
    rounds: u32,
    seconds: &'static str,
}

/// Takes about 8 minutes. [`QUICK`] takes about 3.
const WHOLE: Plan = Plan {
    rounds: 5,
    seconds: "1",
};
const QUICK: Plan = Plan {
    rounds: 2,
    seconds: "0.6",
};

pub(super) fn shapes(options: &[&str]) -> Outcome {
    let plan = match options {
        [] => WHOLE,
        ["--quick"] => QUICK,
        ["--rounds", count] => Plan {
            rounds: count.parse().map_err(|_| USAGE.to_owned())?,
            ..WHOLE
        },
        _ => return Err(USAGE.to_owned()),
    };
    erlang::to_run()?;
    let peer = servers::peer("redis-shapes")?;
    let all = start_all(&peer)?;
    for contestant in &all {
        let port = contestant.server.port.to_string();
        ask(&peer, &["fill", &port], contestant)?;
    }
    let machine = Machine::look()?;
    let mut samples = Samples::default();
    for round in 0..plan.rounds {
        for (keys, pipeline) in loads() {
            for contestant in &all {
                let load = [CLIENTS, pipeline, plan.seconds, keys];
                measure(&peer, contestant, load, round, &mut samples)?;
            }
        }
        say(&format!("round {} of {}\n", round + 1, plan.rounds));
    }
    heading(&format!(
        "{} rounds of {} s, {CLIENTS} clients, half GET and half SET: median and quartiles",
        plan.rounds, plan.seconds
    ));
    machine.say();
    for figure in FIGURES {
        table(figure, &all, &samples);
    }
    Ok(())
}

/// Returns the combinations of keys and commands in a packet.
fn loads() -> impl Iterator<Item = (&'static str, &'static str)> {
    let of = |pipeline| KEYS.map(|keys| (keys, pipeline));
    PIPELINES.into_iter().flat_map(of)
}

/// A server of some shape.
struct Contestant {
    shape: &'static str,
    reactors: u32,
    server: Server,
}

fn start_all(peer: &Path) -> Outcome<Vec<Contestant>> {
    servers::build_ours()?;
    let mut port = servers::PORT;
    let mut all = Vec::new();
    let mut start = |shape, reactors, is_whole, command: &dyn Fn(u16) -> Command| {
        port += 1;
        let server = Server::start(shape, port, is_whole, &mut command(port))?;
        all.push(Contestant {
            shape,
            reactors,
            server,
        });
        Ok::<(), String>(())
    };
    start(servers::REFERENCE, 1, true, &servers::reference)?;
    for reactors in REACTORS {
        let count = reactors.to_string();
        start(OURS, reactors, true, &|port| {
            servers::reactors(port, &count)
        })?;
        for (name, shape) in PEERS {
            start(shape, reactors, false, &|port| {
                let mut command = Command::new(peer);
                command.args(["serve", name, &count, &port.to_string()]);
                command
            })?;
        }
    }
    Ok(all)
}

/// Returns the output of the load program.
fn ask(peer: &Path, arguments: &[&str], contestant: &Contestant) -> Outcome<String> {
    let load = Command::new(peer).args(arguments).output();
    let load = load.map_err(|error| format!("{}: {error}", peer.display()))?;
    if !load.status.success() {
        return Err(format!(
            "{}, {} reactors: {}",
            contestant.shape,
            contestant.reactors,
            String::from_utf8_lossy(&load.stderr)
        ));
    }
    Ok(String::from_utf8_lossy(&load.stdout).into_owned())
}

fn measure(
    peer: &Path,
    contestant: &Contestant,
    load: [&str; 4],
    round: u32,
    samples: &mut Samples,
) -> Outcome {
    let port = contestant.server.port.to_string();
    let [_, pipeline, _, keys] = load;
    let before = contestant.server.processor_time()?;
    let printed = ask(peer, &[&["load", &port], &load[..]].concat(), contestant)?;
    let used = contestant.server.processor_time()? - before;
    let numbers = printed.split_whitespace().map(str::parse);
    let numbers: Vec<f64> = numbers.filter_map(Result::ok).collect();
    let [requests, seconds, p99] = numbers[..] else {
        return Err(format!("the load printed no figures: {printed}"));
    };
    let values = [requests / seconds, p99, used * 1e6 / requests];
    for ((figure, _), value) in FIGURES.into_iter().zip(values) {
        samples.add(Sample {
            case: case(figure, keys, pipeline),
            variant: variant(contestant.shape, contestant.reactors),
            round,
            value,
        });
    }
    Ok(())
}

fn case(figure: &str, keys: &str, pipeline: &str) -> String {
    format!("{figure}, {keys} -P {pipeline}")
}

fn variant(shape: &str, reactors: u32) -> String {
    format!("{shape}, {reactors}")
}

/// Prints the table in Markdown.
fn table((figure, divisor): (&str, f64), all: &[Contestant], samples: &Samples) {
    say(&format!("{figure}, by reactors\n\n"));
    let mut shapes: Vec<&str> = all.iter().map(|it| it.shape).collect();
    shapes.sort_by_key(|shape| all.iter().position(|it| it.shape == *shape));
    shapes.dedup();
    for (keys, pipeline) in loads() {
        let counts = REACTORS.map(|count| count.to_string()).join(" | ");
        say(&format!("| {keys} keys, -P {pipeline} | {counts} |\n"));
        say("|---|---|---|---|---|\n");
        for shape in &shapes {
            let cells = REACTORS.map(|reactors| {
                let case = case(figure, keys, pipeline);
                let spread = samples.spread(&case, &variant(shape, reactors));
                spread.map_or_else(String::new, |it| cell(it, divisor))
            });
            say(&format!("| {shape} | {} |\n", cells.join(" | ")));
        }
        say("\n");
    }
}

fn cell(Spread { low, median, high }: Spread, divisor: f64) -> String {
    let text = |value: f64| match value / divisor {
        value if value < 10.0 => format!("{value:.2}"),
        value => format!("{value:.0}"),
    };
    format!("{} ({}–{})", text(median), text(low), text(high))
}
