//! The benchmark program behind `cargo xtask bench jungle`. It prints one line `case TAB variant
//! TAB round TAB value` for each figure.
//!
//! Usage: `measure ROUNDS TASKS FOLDER [PART ...]` with the number of rounds, the number of tasks
//! that read and write, a folder for files, and the parts `reads`, `short`, `writes` and `disk`;
//! all of them by default.

mod disk;
mod plain;
mod reads;
mod short_reads;
mod writes;

use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Instant;

use otp_bridge_novm as _;

/// The parsed command line.
pub struct Setup {
    pub rounds: u32,
    pub tasks: usize,
    pub folder: PathBuf,
    /// Numbers of threads to measure with: from one to the number of cores.
    pub threads: Vec<usize>,
}

/// Time that a piece of work took.
#[derive(Debug, Clone, Copy)]
pub struct Took {
    /// Elapsed time in seconds.
    wall: f64,
    /// Processor time of the threads that did the work, in seconds. Unlike the elapsed time, it
    /// does not grow while other programs use the machine.
    processor: f64,
}

impl Setup {
    /// Prints a figure.
    pub fn say(&self, case: &str, variant: &str, round: u32, value: f64) {
        println!("{case}\t{variant}\t{round}\t{value}");
    }

    /// Prints how many nanoseconds each of `count` items took.
    pub fn say_each(&self, case: &str, variant: &str, round: u32, took: Took, count: f64) {
        self.say(case, variant, round, took.wall / count * 1e9);
        let processor = format!("{case}, processor");
        self.say(&processor, variant, round, took.processor / count * 1e9);
    }
}

/// Returns this thread's processor time in seconds, or 0 if the system is not Linux.
fn processor() -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = text.split(' ').next().and_then(|it| it.parse::<f64>().ok());
    nanoseconds.unwrap_or(0.0) / 1e9
}

/// Runs all tasks on `threads` threads and measures that. Each thread picks the next task when it
/// is free.
pub fn took(threads: usize, tasks: usize, task: impl Fn(usize) + Sync) -> Took {
    let next = AtomicUsize::new(0);
    let work = || {
        let before = processor();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= tasks {
                return processor() - before;
            }
            task(number);
        }
    };
    let begun = Instant::now();
    let processor = thread::scope(|scope| {
        let threads: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        let times = threads.into_iter().map(|thread| thread.join());
        times.map(|time| time.expect("it does not panic")).sum()
    });
    Took {
        wall: begun.elapsed().as_secs_f64(),
        processor,
    }
}

/// A part, with its name.
type Part = (&'static str, fn(&Setup));

/// The parts.
const PARTS: [Part; 4] = [
    ("reads", reads::measure),
    ("short", short_reads::measure),
    ("writes", writes::measure),
    ("disk", disk::measure),
];

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [rounds, tasks, folder, parts @ ..] = &words[..] else {
        eprintln!("usage: measure ROUNDS TASKS FOLDER [PART ...]");
        std::process::exit(1);
    };
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let setup = Setup {
        rounds: rounds.parse().expect("a number of rounds"),
        tasks: tasks.parse().expect("a number of tasks"),
        folder: PathBuf::from(folder),
        threads: (1..=cores).collect(),
    };
    for (name, measure) in PARTS {
        if parts.is_empty() || parts.iter().any(|part| part == name) {
            measure(&setup);
        }
    }
}
