//! `cargo xtask bench echonet`: compares examples/echonet_lite with other programs. Each program is
//! the controller and the node in turn.
//!
//! The two sides run in separate network namespaces with a cable between them. The controller finds
//! the node by multicast, then reads the 12 mandatory properties of its profile one after the
//! other. The benchmark restarts the programs for each figure, in turn.
//!
//! If two programs wait for each other, their placement by the operating system matters more than
//! the programs: a message to the same core causes no wakeup. So the benchmark measures each pair
//! twice: with a separate core for each side, like two machines, and with the operating system's
//! placement. The processor time of both sides together does not depend on the placement.

use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use super::machine::{Machine, load, processor_time};
use super::statistics::{Sample, Samples, Spread};
use crate::erlang;
use crate::step::{Outcome, applications_target, cargo, heading, root, run, say, target};

pub(crate) const USAGE: &str = "\
Usage: cargo xtask bench echonet [--rounds N] [--reads N] [--without NAME]...

  --rounds N   Number of rounds of all pairs, default 5
  --reads N    How often the 12 properties are read for each figure, default 10,000
  --without N  Leave out C, Go or crate, which takes many minutes to build

Needs Linux, iproute2, taskset (util-linux), root for network namespaces, a C compiler (cc) and Go. Programs whose tools are missing are left out.
";

const CONTROLLER: &str = "10.78.0.1";
const NODE: &str = "10.78.0.9";
const PROPERTIES: f64 = 12.0;
/// The timeout for a line of a program.
const PATIENCE: Duration = Duration::from_secs(900);
/// The pair that all others are compared with.
const REFERENCE: &str = "C, C";

/// A program that is measured.
#[derive(Debug, Clone)]
enum Side {
    /// The application, with the folder of its modules.
    Ours(PathBuf),
    /// A program of `peers`.
    Peer(&'static str, PathBuf),
}

impl Side {
    fn name(&self) -> &'static str {
        match self {
            Side::Ours(_) => "otp-rs",
            Side::Peer(name, _) => name,
        }
    }
}

pub(crate) fn echonet(options: &[&str]) -> Outcome {
    let (mut rounds, mut reads, mut without) = (5, 10_000, Vec::new());
    for option in options.chunks(2) {
        let number = |text: &str| text.parse().map_err(|_| USAGE.to_owned());
        match option {
            ["--rounds", text] => rounds = number(text)?,
            ["--reads", text] => reads = number(text)?,
            ["--without", name] => without.push(*name),
            _ => return Err(USAGE.to_owned()),
        }
    }
    erlang::to_run()?;
    let sides = built(&without)?;
    let network = Network::new()?;
    let machine = Machine::look()?;
    let placements = match machine.cores {
        0 | 1 => &Placement::ALL[1..],
        _ => &Placement::ALL[..],
    };
    let mut samples = Samples::default();
    for round in 0..rounds {
        for placement in placements {
            for sides in pairs(&sides) {
                let figures = network.measured(sides, *placement, reads)?;
                figures.note(&mut samples, (sides, *placement), round);
            }
        }
        say(&format!("round {} of {rounds}\n", round + 1));
    }
    heading(&format!(
        "{rounds} rounds of {reads} × 12 reads: microseconds a read, × {REFERENCE}, median and quartiles"
    ));
    machine.say();
    say(&format!("load afterwards: {}\n", load()));
    for placement in placements {
        say(&format!("\n  {}\n", placement.name()));
        pairs(&sides).for_each(|pair| line(&name(pair), *placement, &samples));
    }
    Ok(())
}

/// The cores on which the two programs run.
#[derive(Debug, Clone, Copy)]
enum Placement {
    /// Each side has a separate core.
    Apart,
    /// The operating system decides.
    Free,
}

impl Placement {
    const ALL: [Placement; 2] = [Placement::Apart, Placement::Free];

    fn name(self) -> &'static str {
        match self {
            Placement::Apart => "a core for each side",
            Placement::Free => "where the system puts them",
        }
    }

    /// The name of the samples of processor time.
    fn work(self) -> &'static str {
        match self {
            Placement::Apart => "work of a core for each side",
            Placement::Free => "work where the system puts them",
        }
    }

    /// Returns the words before a side's command.
    fn command(self, core: &str) -> Vec<&str> {
        match self {
            Placement::Apart => vec!["taskset", "--cpu-list", core],
            Placement::Free => Vec::new(),
        }
    }
}

/// The measurements of a pair.
struct Figures {
    /// Microseconds per read.
    read: f64,
    /// Microseconds of processor time per read, for both sides together.
    work: f64,
    lost: u64,
}

impl Figures {
    fn note(self, samples: &mut Samples, (pair, placement): ([&Side; 2], Placement), round: u32) {
        let variant = name(pair);
        if self.lost > 0 {
            say(&format!("{variant}: {} answers were lost\n", self.lost));
        }
        for (case, value) in [(placement.name(), self.read), (placement.work(), self.work)] {
            samples.add(Sample {
                case: case.to_owned(),
                variant: variant.clone(),
                round,
                value,
            });
        }
    }
}

fn name([controller, node]: [&Side; 2]) -> String {
    format!("{}, {}", controller.name(), node.name())
}

/// Returns each program paired with itself, and ours paired with each other program.
fn pairs(sides: &[Side]) -> impl Iterator<Item = [&Side; 2]> {
    let (ours, others) = sides.split_at(1);
    let alone = ours.iter().map(|it| [it, it]);
    let with_others = others
        .iter()
        .flat_map(|it| [[it, it], [&ours[0], it], [it, &ours[0]]]);
    alone.chain(with_others)
}

fn line(pair: &str, placement: Placement, samples: &Samples) {
    let of = |case: &str| {
        let times = samples.pairs(case, [REFERENCE, pair], |reference, it| it / reference);
        let micros = samples.median(case, pair).unwrap_or_default();
        match times {
            Some(Spread { low, median, high }) => {
                format!("{micros:8.1} µs   {median:.2} ({low:.2} to {high:.2})")
            }
            None => format!("{micros:8.1} µs   -"),
        }
    };
    let (read, work) = (of(placement.name()), of(placement.work()));
    say(&format!("  {pair:<24} {read}   processor {work}\n"));
}

/// Builds all available sides, ours first.
fn built(without: &[&str]) -> Outcome<Vec<Side>> {
    run(&mut cargo(root(), &["build", "--package", "otp-cli"]))?;
    let mut build = Command::new(target().join("debug/cargo-otp"));
    let target = applications_target();
    build.args(["otp", "build", "--release"]);
    build.current_dir(root().join("examples/echonet_lite"));
    run(build.env("CARGO_TARGET_DIR", &target))?;
    let mut sides = vec![Side::Ours(target.join("otp/release/echonet_lite/ebin"))];

    let peers = root().join("peers");
    let c = target.join("echonet-c");
    let mut cc = Command::new("cc");
    cc.args(["-O2", "-pthread", "-o"]).arg(&c);
    cc.arg(peers.join("echonet_c/echonet.c"));
    let go = target.join("echonet-go");
    let mut go_build = Command::new("go");
    go_build.args(["build", "-o"]).arg(&go).arg(".");
    go_build.current_dir(peers.join("echonet_go"));
    let mut of_crate = cargo(&peers, &["build", "--release", "--package", "echonet-peer"]);
    of_crate.env("CARGO_TARGET_DIR", &target);
    for (name, mut command, program) in [
        ("C", cc, c),
        ("Go", go_build, go),
        ("crate", of_crate, target.join("release/echonet-peer")),
    ] {
        if without.contains(&name) {
            continue;
        }
        match run(&mut command) {
            Ok(()) => sides.push(Side::Peer(name, program)),
            Err(error) => say(&format!("{name} is left out: {error}\n")),
        }
    }
    Ok(sides)
}

/// Two hosts with a cable between them.
struct Network;

const HOSTS: [(&str, &str); 2] = [("otp-rs-bench-a", CONTROLLER), ("otp-rs-bench-b", NODE)];

impl Network {
    fn new() -> Outcome<Self> {
        let network = Network;
        let [(a, _), (b, _)] = HOSTS;
        for (host, _) in HOSTS {
            ip(&["netns", "add", host])?;
        }
        ip(&[
            "-n", a, "link", "add", "cable", "type", "veth", "peer", "cable", "netns", b,
        ])?;
        for (host, address) in HOSTS {
            ip(&[
                "-n",
                host,
                "addr",
                "add",
                &format!("{address}/24"),
                "dev",
                "cable",
            ])?;
            ip(&["-n", host, "link", "set", "lo", "up"])?;
            ip(&["-n", host, "link", "set", "cable", "up"])?;
            ip(&["-n", host, "route", "add", "224.0.0.0/4", "dev", "cable"])?;
        }
        Ok(network)
    }

    fn measured(
        &self,
        [controller, node]: [&Side; 2],
        placement: Placement,
        reads: u32,
    ) -> Outcome<Figures> {
        let node = Program::start(node, HOSTS[1], placement.command("1"))?;
        let mut program = Program::start(controller, HOSTS[0], placement.command("0"))?;
        let before = node.worked()? + program.worked()?;
        let answer = match controller {
            Side::Ours(_) => program.ask(&format!(
                "true = echonet:discover() > 0, {{ok, Micros}} = echonet:measure(<<\"{NODE}\">>, {reads}), io:format(\"~n= ~b 0~n\", [Micros])."
            ))?,
            Side::Peer(..) => program.ask(&format!("measure {NODE} {reads}"))?,
        };
        let work = node.worked()? + program.worked()? - before;
        let each = f64::from(reads) * PROPERTIES;
        let words: Vec<&str> = answer.trim_start_matches("= ").split(' ').collect();
        let figures = match words[..] {
            [micros, lost] => micros.parse().ok().zip(lost.parse().ok()),
            _ => None,
        };
        figures
            .map(|(micros, lost): (f64, u64)| Figures {
                read: micros / each,
                work: work * 1e6 / each,
                lost,
            })
            .ok_or_else(|| format!("{} says {answer}", controller.name()))
    }
}

impl Drop for Network {
    fn drop(&mut self) {
        for (host, _) in HOSTS {
            let _ = ip(&["netns", "del", host]);
        }
    }
}

fn ip(arguments: &[&str]) -> Outcome {
    let status = Command::new("ip").args(arguments).status();
    match status.is_ok_and(|it| it.success()) {
        true => Ok(()),
        false => Err(format!("`ip {}` failed\n\n{USAGE}", arguments.join(" "))),
    }
}

/// A running side. It is stopped when this value is dropped.
struct Program {
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
}

impl Program {
    fn start(side: &Side, (host, address): (&str, &str), within: Vec<&str>) -> Outcome<Self> {
        let mut command = Command::new("ip");
        command.args(["netns", "exec", host]).args(within);
        match side {
            Side::Ours(ebin) => command.arg("erl").arg("-pa").arg(ebin),
            Side::Peer(_, program) => command.arg(program).arg(address),
        };
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| format!("{} does not start ({error})", side.name()))?;
        let (input, output) = (child.stdin.take(), child.stdout.take());
        let (sender, lines) = channel();
        let (input, output) = input.zip(output).ok_or("pipes")?;
        std::thread::spawn(move || {
            let lines = BufReader::new(output).lines().map_while(Result::ok);
            lines.for_each(|line| drop(sender.send(line)));
        });
        let mut program = Program {
            child,
            input,
            lines,
        };
        match side {
            Side::Ours(_) => program.ask(&format!(
                "application:load(echonet_lite), application:set_env(echonet_lite, arguments, [<<\"--interface\">>, <<\"{address}\">>, \
                 <<\"--node\">>, <<\"127.0.0.2\">>, <<\"--web\">>, <<\"0\">>]), {{ok, _}} = application:ensure_all_started(echonet_lite), \
                 io:format(\"~nready~n\")."
            ))?,
            Side::Peer(..) => program.line()?,
        };
        Ok(program)
    }

    /// Returns the processor time that the program has used, in seconds.
    fn worked(&self) -> Outcome<f64> {
        processor_time(self.child.id())
    }

    fn ask(&mut self, line: &str) -> Outcome<String> {
        writeln!(self.input, "{line}").map_err(|error| format!("a program has ended: {error}"))?;
        self.line()
    }

    /// Returns the next line that is an answer, without the output of an Erlang shell.
    fn line(&mut self) -> Outcome<String> {
        loop {
            let line = self.lines.recv_timeout(PATIENCE);
            let line = line.map_err(|error| format!("no answer: {error}"))?;
            if line.contains("** ") {
                return Err(line);
            }
            let is_number = line.starts_with(|it: char| it.is_ascii_digit()) && !line.contains('>');
            if is_number
                || ["= ", "ready", "failed"]
                    .iter()
                    .any(|it| line.starts_with(it))
            {
                return Ok(line);
            }
        }
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
