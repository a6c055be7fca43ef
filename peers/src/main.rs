//! The programs of `cargo xtask bench tasks` and `cargo xtask bench savina` with other frameworks
//! for Rust.
//!
//! `peers PEER PROGRAM PARAMETERS` runs one program once and prints `nanoseconds=…` or `bytes=…`.
//! `peers faults PEER SCENARIO CALLS FAULTS` runs a scenario of examples/faults and prints what its
//! clients observed.

mod actix_actors;
mod faults;
mod kameo_actors;
mod load;
mod memory;
mod program;
mod ractor_actors;
mod threads;
mod tokio_tasks;

use std::process::ExitCode;

use program::{Figure, Programs};

const USAGE: &str = "Usage: peers actix|kameo|ractor|threads|tokio|tokio-current PROGRAM PARAMETERS

  ring MEMBERS HOPS           big ACTORS
  throughput ACTORS MESSAGES  idle ACTORS
  creation ACTORS             timers TIMERS
  latency CLIENTS PERMILLE

       peers faults actix|kameo|ractor SCENARIO CALLS FAULTS";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    if let Some((&"faults", words)) = words.split_first() {
        let tally = faults::run(words);
        tally.iter().for_each(|tally| println!("{tally}"));
        return finish(tally.is_some());
    }
    let figure = match words.split_first() {
        Some((name, words)) => peer(name).and_then(|peer| program::run(&*peer, words)),
        None => None,
    };
    match figure {
        Some(Figure::Nanoseconds(time)) => println!("nanoseconds={}", time.as_nanos()),
        Some(Figure::Bytes(bytes)) => println!("bytes={bytes}"),
        None => return finish(false),
    }
    finish(true)
}

/// Returns the exit code, and prints the usage if the command line was wrong.
fn finish(understood: bool) -> ExitCode {
    if understood {
        return ExitCode::SUCCESS;
    }
    eprintln!("{USAGE}");
    ExitCode::FAILURE
}

fn peer(name: &str) -> Option<Box<dyn Programs>> {
    Some(match name {
        "actix" => Box::new(actix_actors::Actix::new()),
        "kameo" => Box::new(kameo_actors::Kameo::new()),
        "ractor" => Box::new(ractor_actors::Ractor::new()),
        "threads" => Box::new(threads::Threads),
        "tokio" => Box::new(tokio_tasks::Tokio::multi_thread()),
        "tokio-current" => Box::new(tokio_tasks::Tokio::current_thread()),
        _ => return None,
    })
}
