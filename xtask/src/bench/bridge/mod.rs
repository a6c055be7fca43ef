//! `cargo xtask bench bridge`: compares Rust servers with the same servers in Erlang and in C, in
//! rounds in one VM.

mod benchmarks;
mod catalogue;
mod options;
mod programs;
mod table;
mod vm;

use std::time::Instant;

use crate::erlang;
use crate::step::{Outcome, heading, say};

use crate::bench::machine::{self, Machine};
use crate::bench::marked;
use benchmarks::BENCHMARKS;
use options::BridgeOptions;
pub(crate) use options::USAGE;
use programs::Programs;
use table::Table;

/// The page of the table that `--write` updates.
const PAGE: &str = "docs/performance.md";

pub(crate) fn bridge(words: &[&str]) -> Outcome {
    let options = BridgeOptions::parse(words)?;
    erlang::to_run()?;
    heading("Build the servers, optimised");
    let programs = Programs::build()?;
    heading("Measure");
    let start = Instant::now();
    let before = Machine::look()?;
    before.say();
    let mut table = Table::default();
    for benchmark in BENCHMARKS.iter().filter(|it| options.has(it.name)) {
        let samples = vm::run(benchmark, &programs, &options)?;
        table.add(benchmark, &samples);
    }
    let after = machine::load();
    let took = start.elapsed();
    heading("Results");
    say(&table.text());
    say(&format!("\nload afterwards: {after}; {took:.0?} in all\n"));
    if options.write {
        marked::write(PAGE, "bridge", &table.page(&before, &after))?;
    }
    Ok(())
}
