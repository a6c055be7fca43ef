//! Runs a benchmark: the application's driver `rounds`, in a VM.

use std::io::{BufRead, BufReader, Error};
use std::process::{Command, Stdio};

use super::catalogue::{Benchmark, Extent, Vm};
use super::options::BridgeOptions;
use super::programs::Programs;
use crate::bench::statistics::{Sample, Samples};
use crate::step::{Outcome, say};

/// The number of dots that the progress of a benchmark with many rounds has.
const DOTS: u32 = 20;

/// With fewer rounds, the progress names the variants.
const FEW: u32 = 6;

/// Runs all rounds of a benchmark.
pub(super) fn run(
    benchmark: &Benchmark,
    programs: &Programs,
    options: &BridgeOptions,
) -> Outcome<Samples> {
    let planned = if options.quick {
        benchmark.quick
    } else {
        benchmark.whole
    };
    let rounds = options.rounds.unwrap_or(planned.rounds);
    let extent = Extent { rounds, ..planned };
    say(&format!("{:21}", benchmark.name));
    let mut progress = Progress::of(rounds);
    let mut samples = Samples::default();
    let mut take = |sample| {
        progress.at(&sample);
        samples.add(sample);
    };
    match benchmark.vm {
        Vm::OneEach => one_each(benchmark, programs, extent, &mut take)?,
        _ => read(&mut driver(benchmark, programs, extent), &mut take)?,
    }
    say("\n");
    Ok(samples)
}

/// Starts a VM for each variant in each round.
fn one_each(
    benchmark: &Benchmark,
    programs: &Programs,
    extent: Extent,
    take: &mut impl FnMut(Sample),
) -> Outcome {
    let mut variants = benchmark.variants();
    let once = Extent {
        rounds: 1,
        ..extent
    };
    for round in 1..=extent.rounds {
        variants.rotate_left(1);
        for variant in &variants {
            let mut erl = driver(benchmark, programs, once);
            erl.arg(format!("variant={variant}"));
            read(&mut erl, |sample| take(Sample { round, ..sample }))?;
        }
    }
    Ok(())
}

/// Returns the command that starts the VM with its driver.
fn driver(benchmark: &Benchmark, programs: &Programs, extent: Extent) -> Command {
    let schedulers: &[&str] = match benchmark.vm {
        Vm::OneScheduler | Vm::OneEach => &["+S", "1:1"],
        Vm::TwoSchedulers => &["+S", "2:2"],
        // The flags of `cargo otp run`.
        Vm::TwoWithoutSpin => &[
            "+S",
            "2:2",
            "+sbwt",
            "none",
            "+sbwtdcpu",
            "none",
            "+sbwtdio",
            "none",
        ],
    };
    let mut erl = Command::new("erl");
    erl.args(schedulers)
        .args(["-noinput", "-pa"])
        .arg(&programs.ebin)
        .args(["-run", "rounds", "main", benchmark.name])
        .arg(extent.rounds.to_string())
        .arg(format!("scale={:.2}", extent.scale))
        .arg(format!("libraries={}", programs.libraries.display()));
    erl
}

/// Runs the driver, and reads one sample from each line.
fn read(erl: &mut Command, mut take: impl FnMut(Sample)) -> Outcome {
    let failed = |error: Error| format!("cannot run `erl`: {error}");
    let mut child = erl.stdout(Stdio::piped()).spawn().map_err(failed)?;
    let lines = child.stdout.take().map(BufReader::new);
    for line in lines.into_iter().flat_map(BufRead::lines) {
        if let Some(sample) = Sample::read(&line.map_err(failed)?) {
            take(sample);
        }
    }
    let status = child.wait().map_err(failed)?;
    if status.success() {
        Ok(())
    } else {
        Err(format!("the VM that measured ended: {status}"))
    }
}

/// The progress of a running benchmark.
struct Progress {
    rounds: u32,
    dots: u32,
    last: (u32, String),
}

impl Progress {
    fn of(rounds: u32) -> Self {
        let last = (0, String::new());
        Progress {
            rounds,
            dots: 0,
            last,
        }
    }

    /// Shows a dot for a share of the rounds, or the name of each variant if there are few rounds.
    fn at(&mut self, sample: &Sample) {
        if self.rounds < FEW {
            let this = (sample.round, sample.variant.clone());
            if this != self.last {
                say(&format!(" {}", sample.variant));
                self.last = this;
            }
            return;
        }
        let dots = DOTS.min(self.rounds);
        while self.dots < sample.round * dots / self.rounds {
            self.dots += 1;
            say(".");
        }
    }
}
