//! The command line of `cargo xtask bench bridge`.

use super::benchmarks::BENCHMARKS;
use crate::step::Outcome;

pub(crate) const USAGE: &str = "\
Usage: cargo xtask bench bridge [--only NAME[,NAME...]] [--rounds N] [--quick] [--write]

  --only NAME   Run only these benchmarks; repeatable
  --rounds N    Number of rounds of each benchmark, regardless of their duration
  --quick       Run fewer and shorter rounds: less than 1.5 minutes in total, instead of 10
  --write       Put the results into docs/performance.md
";

/// The parsed arguments.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct BridgeOptions {
    only: Vec<String>,
    pub(super) rounds: Option<u32>,
    pub(super) quick: bool,
    pub(super) write: bool,
}

impl BridgeOptions {
    /// # Errors
    /// Returns the usage text.
    pub(super) fn parse(words: &[&str]) -> Outcome<Self> {
        let mut options = BridgeOptions::default();
        let mut words = words.iter();
        while let Some(word) = words.next() {
            match *word {
                "--quick" => options.quick = true,
                "--write" => options.write = true,
                "--only" => options.add_names(words.next().unwrap_or(&""))?,
                "--rounds" => {
                    let number = words.next().and_then(|number| number.parse().ok());
                    let number = number.filter(|rounds| *rounds > 0);
                    options.rounds = Some(number.ok_or("`--rounds` takes a number above 0")?);
                }
                other => return Err(format!("unknown argument `{other}`\n\n{USAGE}")),
            }
        }
        if options.write && (options.quick || !options.only.is_empty()) {
            return Err(
                "the page has whole runs: `--write` cannot be used with `--quick` or `--only`"
                    .into(),
            );
        }
        Ok(options)
    }

    fn add_names(&mut self, names: &str) -> Outcome {
        for name in names.split(',') {
            if !BENCHMARKS.iter().any(|benchmark| benchmark.name == name) {
                let names: Vec<&str> = BENCHMARKS.iter().map(|it| it.name).collect();
                let names = names.join(", ");
                return Err(format!(
                    "there is no benchmark `{name}`; the benchmarks are {names}"
                ));
            }
            self.only.push(name.to_owned());
        }
        Ok(())
    }

    /// Returns whether the arguments request the benchmark.
    pub(super) fn has(&self, name: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|only| only == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_collected_and_checked() {
        let options =
            BridgeOptions::parse(&["--only", "cast,call", "--quick", "--rounds", "7"]).unwrap();
        assert!(options.has("cast") && options.has("call") && !options.has("storm"));
        assert!(options.quick && options.rounds == Some(7));
        assert!(BridgeOptions::default().has("storm"));
        let unknown = BridgeOptions::parse(&["--only", "casts"]).unwrap_err();
        assert!(
            unknown.contains("the benchmarks are cast, call"),
            "{unknown}"
        );
    }

    #[test]
    fn what_it_does_not_know_is_refused() {
        for wrong in [
            &["--fast"][..],
            &["--rounds", "0"],
            &["--rounds"],
            &["--only"],
            &["--write", "--quick"],
        ] {
            assert!(BridgeOptions::parse(wrong).is_err(), "{wrong:?}");
        }
    }
}
