//! Runs a benchmark: the driver `rounds` of the application, in a VM of its own.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use super::catalogue::Benchmark;
use super::options::Options;
use super::programs::Programs;
use super::statistics::Samples;
use crate::step::{Outcome, say};

/// How much of a long measurement a quick run makes.
const QUICK: &str = "0.2";

/// How many dots a benchmark shows while it runs.
const DOTS: u32 = 20;

/// All rounds.
pub(super) fn run(
    benchmark: &Benchmark,
    programs: &Programs,
    options: &Options,
) -> Outcome<Samples> {
    let planned = benchmark.rounds[usize::from(options.quick)];
    let rounds = options.rounds.unwrap_or(planned);
    say(&format!("{:21}", benchmark.name));
    let mut erl = Command::new("erl");
    erl.args(["-noinput", "-pa"]).arg(&programs.ebin);
    erl.args(benchmark.vm);
    erl.args(["-run", "rounds", "main", benchmark.name])
        .arg(rounds.to_string())
        .arg(format!("libraries={}", programs.libraries.display()));
    if options.quick {
        erl.arg(format!("scale={QUICK}"));
    }
    let samples = read(&mut erl, rounds)?;
    say("\n");
    Ok(samples)
}

fn read(erl: &mut Command, rounds: u32) -> Outcome<Samples> {
    let failed = |error: std::io::Error| format!("cannot run `erl`: {error}");
    let mut child = erl.stdout(Stdio::piped()).spawn().map_err(failed)?;
    let mut samples = Samples::default();
    let mut shown = 0;
    let lines = child.stdout.take().map(BufReader::new);
    for line in lines.into_iter().flat_map(BufRead::lines) {
        let round = samples.add(&line.map_err(failed)?).unwrap_or(0);
        let reached = round * DOTS.min(rounds) / rounds;
        while shown < reached {
            shown += 1;
            say(".");
        }
    }
    let status = child.wait().map_err(failed)?;
    match status.success() {
        true => Ok(samples),
        false => Err(format!("the VM that measured ended with {status}")),
    }
}
