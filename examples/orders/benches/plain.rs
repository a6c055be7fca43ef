//! `cargo bench`: the service beside the same one in plain Tokio (`examples/plain.rs`), in turn,
//! with 50,000 orders whose processes live. Prints ratios, and memory.

#[path = "../tests/common/mod.rs"]
mod common;

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use common::{Database, Service, cargo_otp};
use otp_bridge_novm as _;

const ROUNDS: usize = 7;
const LIVE: u64 = 50_000;
const CONNECTIONS: &str = "50";

/// Requests per second, and the 99th percentile in milliseconds.
fn load(service: &Service, kind: &str, count: u64, first: u64) -> (f64, f64) {
    let words = [
        &service.port.to_string(),
        kind,
        CONNECTIONS,
        &count.to_string(),
        &first.to_string(),
    ];
    let output = Command::new(example("load"))
        .args(words)
        .output()
        .expect("it runs");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        output.status.success(),
        "{text}{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let numbers = text.split(' ').filter_map(|word| word.parse().ok());
    match numbers.collect::<Vec<f64>>().as_slice() {
        [rate, _, p99] => (*rate, *p99),
        _ => panic!("{text}"),
    }
}

/// A program of `examples/`, which cargo has built beside this one.
fn example(name: &str) -> PathBuf {
    let own = std::env::current_exe().expect("Linux");
    let profile = own.ancestors().nth(2).expect("target/release/deps");
    profile.join("examples").join(name)
}

/// Resident memory of a process in KiB.
fn resident(service: &Service) -> f64 {
    let status = fs::read_to_string(format!("/proc/{}/status", service.process())).expect("Linux");
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmRSS:"))
        .expect("a line");
    line.trim()
        .trim_end_matches(" kB")
        .parse()
        .expect("a number")
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// Starts the service. The other program does not log requests, so this one does not either.
fn quiet_service(database: &Database) -> Service {
    let name = format!("orders{}@127.0.0.1", std::process::id());
    let ours = Service::start(database, &["--release", "--name", &name]);
    let quiet = "logger:set_primary_config(level, notice).";
    let set = cargo_otp("shell").args([&name, "--eval", quiet]).output();
    assert!(
        set.is_ok_and(|it| it.status.success()),
        "the level cannot be set"
    );
    ours
}

/// Prints the medians of the ratios for each kind of request.
fn compare(ours: &Service, plain: &Service) {
    for (kind, count) in [("live", 100_000), ("show", 60_000), ("place", 8_000)] {
        let (mut rates, mut tails) = (Vec::new(), Vec::new());
        for round in 1..=ROUNDS as u64 {
            let first = if kind == "place" {
                round * 1_000_000
            } else {
                1
            };
            let [ours, plain] = [ours, plain].map(|service| load(service, kind, count, first));
            rates.push(ours.0 / plain.0);
            tails.push(ours.1 / plain.1);
        }
        println!(
            "{kind}: requests {:.2}, p99 {:.2} × plain",
            median(rates),
            median(tails)
        );
    }
}

fn main() {
    let Some(database) = Database::start() else {
        return;
    };
    database.create("plain");
    let cargo = ["build", "--release", "--examples"];
    assert!(
        Command::new(env!("CARGO"))
            .args(cargo)
            .status()
            .expect("cargo")
            .success()
    );
    let ours = quiet_service(&database);
    let port = ["0", &database.url("plain")];
    let plain = Service::start_program(Command::new(example("plain")).args(port));
    let before = [&ours, &plain].map(resident);
    for service in [&ours, &plain] {
        load(service, "place", LIVE, 1);
    }
    let after = [&ours, &plain].map(resident);
    let each = [0, 1].map(|it| (after[it] - before[it]) / LIVE as f64);
    println!(
        "at rest: {:.1} MB, plain {:.1} MB",
        before[0] / 1e3,
        before[1] / 1e3
    );
    println!(
        "an order with its customer: {:.2} kB, × plain {:.2}",
        each[0],
        each[0] / each[1]
    );
    compare(&ours, &plain);
}
