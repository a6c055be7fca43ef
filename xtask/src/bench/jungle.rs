//! `cargo xtask bench jungle`: compares examples/jungle with a map under a lock, plain Erlang, redb
//! and khepri.
//!
//! The Rust part is `examples/jungle/examples/measure`. The Erlang parts are the scripts in the
//! same folder. All print one line for each figure. A speed-up compares the two figures of one
//! round. The parallel fraction follows from the speed-up by Amdahl's law.

use std::collections::BTreeMap;
use std::fs;
use std::process::Command;

use super::machine::Machine;
use super::statistics::{Sample, Samples, Spread};
use crate::erlang;
use crate::step::{Outcome, applications_target, cargo, heading, root, run, say, target};

pub(crate) const USAGE: &str = "\
Usage: cargo xtask bench jungle [--rounds N] [--tasks N] [--khepri FOLDER]

  --rounds N        Number of rounds of each measurement, default 5
  --tasks N         Number of tasks that count nodes, and of tasks that build trees; default 1000, as in the thesis
  --khepri FOLDER   Folder with the sources of khepri, ra, horus, aten, seshat and gen_batch_server, each in its own folder, such as
                    `deps` in the sources of RabbitMQ 4.0 (a source package of Debian 13). Without it, khepri is left out

3 rounds of 1000 tasks take half an hour. If the name of a row contains a number of tasks, the row was measured with this number.
The table has the elapsed time, and the CPU time of the working threads. The CPU time is meaningful even on a busy machine.
";

const FOLDER: &str = "examples/jungle";

struct Options<'o> {
    rounds: &'o str,
    tasks: &'o str,
    /// The folder with khepri's sources.
    khepri: Option<&'o str>,
}

impl<'o> Options<'o> {
    fn read(words: &[&'o str]) -> Outcome<Self> {
        let mut options = Options {
            rounds: "5",
            tasks: "1000",
            khepri: None,
        };
        for pair in words.chunks(2) {
            match *pair {
                ["--rounds", rounds] if rounds.parse::<u32>().is_ok() => options.rounds = rounds,
                ["--tasks", tasks] if tasks.parse::<u32>().is_ok() => options.tasks = tasks,
                ["--khepri", folder] => options.khepri = Some(folder),
                _ => return Err(USAGE.to_owned()),
            }
        }
        Ok(options)
    }
}

pub(crate) fn jungle(options: &[&str]) -> Outcome {
    let Options {
        rounds,
        tasks,
        khepri,
    } = Options::read(options)?;
    erlang::to_run()?;
    run(&mut cargo(root(), &["build", "--package", "otp-cli"]))?;
    let folder = root().join(FOLDER);
    let mut otp = Command::new(target().join("debug/cargo-otp"));
    run(otp.args(["otp", "build", "--release"]).current_dir(&folder))?;
    let mut build = cargo(&folder, &["build", "--release", "--example", "measure"]);
    run(build.env("CARGO_TARGET_DIR", applications_target()))?;
    let machine = Machine::look()?;
    let files = std::env::temp_dir().join(format!("bench-jungle-{}", std::process::id()));
    let mut measure = Command::new(applications_target().join("release/examples/measure"));
    measure.args([rounds, tasks]).arg(&files);
    let ours = printed(&mut measure);
    let _ = fs::remove_dir_all(&files);
    let script = |name: &str| {
        let mut script = Command::new("escript");
        script.arg(folder.join("examples/measure").join(name));
        script.arg(applications_target().join("otp/release/jungle/ebin"));
        script
    };
    let mut text = ours? + &printed(script("beside.escript").args([rounds, tasks]))?;
    if let Some(sources) = khepri {
        let both = printed(
            script("khepri.escript")
                .args([sources])
                .arg(&files)
                .arg(rounds),
        );
        let _ = fs::remove_dir_all(&files);
        text += &both?;
    }
    heading(&format!(
        "{tasks} tasks, {rounds} rounds: median and quartiles"
    ));
    machine.say();
    table(&text);
    Ok(())
}

fn printed(command: &mut Command) -> Outcome<String> {
    let output = command
        .output()
        .map_err(|error| format!("{command:?}: {error}"))?;
    if output.status.success() {
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    } else {
        Err(String::from_utf8_lossy(&output.stderr).into_owned())
    }
}

fn table(text: &str) {
    let (mut samples, mut values) = (Samples::default(), BTreeMap::new());
    let mut order: Vec<(String, String)> = Vec::new();
    for sample in text.lines().filter_map(Sample::read) {
        let key = (sample.case.clone(), sample.variant.clone());
        if !order.contains(&key) {
            order.push(key.clone());
        }
        let all: &mut Vec<f64> = values.entry(key).or_default();
        all.push(sample.value);
        samples.add(sample);
    }
    order.sort_by(|one, other| one.0.cmp(&other.0));
    let mut last = "";
    for (case, variant) in &order {
        if case != last {
            say(&format!("{case}\n"));
            last = case;
        }
        let found = values.remove(&(case.clone(), variant.clone()));
        let Some(spread) = found.and_then(Spread::of) else {
            continue;
        };
        let Spread { low, median, high } = spread;
        say(&format!(
            "  {variant:<32} {} ({} to {}){}\n",
            short(median),
            short(low),
            short(high),
            parallel(&samples, case, variant)
        ));
    }
}

fn short(value: f64) -> String {
    match value {
        1000.0.. => format!("{value:.0}"),
        10.0.. => format!("{value:.1}"),
        _ => format!("{value:.4}"),
    }
}

/// Returns the speed-up over one thread, and the resulting parallel fraction. With processor time,
/// the speed-up assumes a core for each thread and no waiting: it shows only how threads affect
/// each other's caches.
fn parallel(samples: &Samples, case: &str, variant: &str) -> String {
    let Some((name, threads)) = variant.rsplit_once(' ') else {
        return String::new();
    };
    let threads = threads.parse::<f64>().unwrap_or(1.0);
    if threads <= 1.0 {
        return String::new();
    }
    let is_processor = case.ends_with("processor");
    let times = if is_processor { threads } else { 1.0 };
    let one = format!("{name} 1");
    let speed_up = samples.pairs(case, [&one, variant], |one, many| times * one / many);
    let fraction = samples.pairs(case, [&one, variant], |one, many| {
        100.0 * (1.0 - many / (times * one)) / (1.0 - 1.0 / threads)
    });
    match (speed_up, fraction) {
        (Some(speed_up), Some(fraction)) => format!(
            ", {:.2} × of one thread{}, {:.1} % parallel ({:.1} to {:.1})",
            speed_up.median,
            if is_processor { " if nobody waits" } else { "" },
            fraction.median,
            fraction.low,
            fraction.high
        ),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_threads_that_take_half_the_time_are_parallel() {
        let mut samples = Samples::default();
        for line in [
            "w\tjungle 1\t0\t100",
            "w\tjungle 2\t0\t50",
            "w\tlog 1\t0\t9",
            "w\tlog 2\t0\t9",
        ] {
            samples.add(Sample::read(line).expect("a sample"));
        }
        let said = parallel(&samples, "w", "jungle 2");
        assert!(
            said.contains("2.00 × of one thread, 100.0 % parallel"),
            "{said}"
        );
        let said = parallel(&samples, "w", "log 2");
        assert!(
            said.contains("1.00 × of one thread, 0.0 % parallel"),
            "{said}"
        );
        assert_eq!(parallel(&samples, "w", "jungle 1"), "");
        assert_eq!(parallel(&samples, "w", "ets, one process"), "");
    }
}
