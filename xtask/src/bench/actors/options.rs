//! The command line.

use super::programs::{Evaluation, Program, Run};
use crate::step::Outcome;

/// What the arguments ask for.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Options {
    only: Vec<String>,
    pub(super) rounds: usize,
    quick: bool,
    pub(super) write: bool,
}

impl Options {
    /// # Errors
    /// How to call it.
    pub(super) fn parse(evaluation: &Evaluation, words: &[&str]) -> Outcome<Self> {
        let mut options = Options {
            only: Vec::new(),
            rounds: 5,
            quick: false,
            write: false,
        };
        let mut words = words.iter();
        while let Some(word) = words.next() {
            match *word {
                "--quick" => (options.quick, options.rounds) = (true, 1),
                "--write" => options.write = true,
                "--only" => options.add(evaluation, words.next().unwrap_or(&""))?,
                "--rounds" => {
                    let number = words.next().and_then(|number| number.parse().ok());
                    let number = number.filter(|rounds| *rounds > 0);
                    options.rounds = number.ok_or("`--rounds` takes a number above 0")?;
                }
                other => {
                    return Err(format!(
                        "unknown argument `{other}`\n\n{}",
                        usage(evaluation)
                    ));
                }
            }
        }
        if options.write && (options.quick || !options.only.is_empty()) {
            let problem =
                "the page has whole runs: `--write` cannot be used with `--quick` or `--only`";
            return Err(problem.into());
        }
        Ok(options)
    }

    fn add(&mut self, evaluation: &Evaluation, names: &str) -> Outcome {
        for name in names.split(',') {
            if !evaluation.programs.iter().any(|it| it.name == name) {
                return Err(format!(
                    "there is no program `{name}`\n\n{}",
                    usage(evaluation)
                ));
            }
            self.only.push(name.to_owned());
        }
        Ok(())
    }

    /// The programs to run.
    pub(super) fn programs(
        &self,
        evaluation: &Evaluation,
    ) -> impl Iterator<Item = &'static Program> {
        let has =
            |it: &&Program| self.only.is_empty() || self.only.iter().any(|name| name == it.name);
        evaluation.programs.iter().filter(has)
    }

    /// The parameters to run a program with.
    pub(super) fn series(&self, program: &Program) -> &'static [u64] {
        if self.quick {
            program.quick
        } else {
            program.series
        }
    }

    /// Every run of a round.
    pub(super) fn runs(&self, evaluation: &Evaluation) -> Vec<Run> {
        let mut runs = Vec::new();
        for program in self.programs(evaluation) {
            for &x in self.series(program) {
                let who = evaluation.contestants.iter();
                let who = who.filter(|contestant| !program.without.contains(contestant));
                runs.extend(who.map(|&contestant| Run {
                    program,
                    contestant,
                    x,
                }));
            }
        }
        runs
    }
}

fn usage(evaluation: &Evaluation) -> String {
    let names: Vec<&str> = evaluation.programs.iter().map(|it| it.name).collect();
    format!(
        "Usage: cargo xtask bench {} [--only NAME[,NAME...]] [--rounds N] [--quick] [--write]

  --only NAME   Only these programs: {}
  --rounds N    So many rounds instead of 5
  --quick       One round with small parameters, to see whether all is well
  --write       Put tables and plots into docs/evaluation
",
        evaluation.name,
        names.join(", ")
    )
}

#[cfg(test)]
mod tests {
    use super::super::programs::SAVINA;
    use super::*;

    #[test]
    fn runs_are_of_all_contestants_but_those_who_cannot() {
        let options = Options::parse(&SAVINA, &["--only", "creation,big", "--quick"]).unwrap();
        let runs = options.runs(&SAVINA);
        let of = |name| runs.iter().filter(|run| run.program.name == name).count();
        assert_eq!((of("creation"), of("big")), (14, 16));
        assert!(
            runs.iter()
                .all(|run| run.program.name != "creation" || run.contestant != "threads")
        );
    }

    #[test]
    fn what_it_does_not_know_is_refused() {
        for wrong in [
            &["--fast"][..],
            &["--rounds", "0"],
            &["--only", "small"],
            &["--write", "--quick"],
        ] {
            assert!(Options::parse(&SAVINA, wrong).is_err(), "{wrong:?}");
        }
    }
}
