//! `cargo xtask bench bridge`: Rust servers beside the same servers in Erlang and in C, in rounds
//! in one VM.

mod benchmarks;
mod catalogue;
mod options;
mod programs;
mod table;
mod vm;

use std::time::Instant;

use crate::erlang;
use crate::step::{self, Outcome, heading, say};

use crate::bench::machine::{self, Machine};
use benchmarks::BENCHMARKS;
use options::BridgeOptions;
pub(crate) use options::USAGE;
use programs::Programs;
use table::Table;

/// The page into which `--write` puts the table, between these lines.
const PAGE: &str = "docs/performance.md";
const BEGIN: &str = "<!-- bench bridge -->";
const END: &str = "<!-- end of bench bridge -->";

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
        write(&table.page(&before, &after))?;
    }
    Ok(())
}

/// Puts the results between the page's markers.
fn write(results: &str) -> Outcome {
    let path = step::root().join(PAGE);
    let problem = |error| format!("{PAGE}: {error}");
    let page = std::fs::read_to_string(&path).map_err(problem)?;
    std::fs::write(&path, replaced(&page, results)?).map_err(problem)?;
    say(&format!("{PAGE} has the results\n"));
    Ok(())
}

fn replaced(page: &str, results: &str) -> Outcome<String> {
    let missing = || {
        format!(
            "{PAGE}: the lines `{BEGIN}` and `{END}`, between which the results go, are missing"
        )
    };
    let (before, rest) = page.split_once(BEGIN).ok_or_else(missing)?;
    let (_, after) = rest.split_once(END).ok_or_else(missing)?;
    Ok(format!("{before}{BEGIN}\n{results}{END}{after}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_go_between_the_markers() {
        let page = format!("above\n{BEGIN}\nold\n{END}\nbelow\n");
        let expected = format!("above\n{BEGIN}\nnew\n{END}\nbelow\n");
        assert_eq!(replaced(&page, "new\n").as_deref(), Ok(expected.as_str()));
        assert!(replaced("a page without", "new").is_err());
    }

    #[test]
    fn the_page_has_its_markers() {
        let page = std::fs::read_to_string(step::root().join(PAGE)).unwrap();
        assert!(replaced(&page, "").is_ok());
    }
}
