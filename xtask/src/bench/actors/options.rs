//! Parses the command line.

use super::programs::{Evaluation, Program, Run};
use crate::step::Outcome;

/// The parsed arguments.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::bench) struct ActorOptions {
    only: Vec<String>,
    pub(in crate::bench) rounds: usize,
    pub(in crate::bench) quick: bool,
    pub(in crate::bench) write: bool,
}

impl ActorOptions {
    /// # Errors
    /// Returns the usage text.
    pub(super) fn parse(evaluation: &Evaluation, words: &[&str]) -> Outcome<Self> {
        let names: Vec<&str> = evaluation.programs.iter().map(|it| it.name).collect();
        Self::read(evaluation.name, &names, words)
    }

    /// Parses the arguments of a command whose programs have these names.
    ///
    /// # Errors
    /// Returns the usage text.
    pub(in crate::bench) fn read(command: &str, names: &[&str], words: &[&str]) -> Outcome<Self> {
        let usage = || Self::usage(command, names);
        let mut options = ActorOptions {
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
                "--only" => options.add(names, words.next().unwrap_or(&""), usage)?,
                "--rounds" => {
                    let number = words.next().and_then(|number| number.parse().ok());
                    let number = number.filter(|rounds| *rounds > 0);
                    options.rounds = number.ok_or("`--rounds` takes a number above 0")?;
                }
                other => {
                    return Err(format!("unknown argument `{other}`\n\n{}", usage()));
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

    /// Returns the usage text of a command whose programs have these names.
    pub(in crate::bench) fn usage(command: &str, names: &[&str]) -> String {
        format!(
            "Usage: cargo xtask bench {command} [--only NAME[,NAME...]] [--rounds N] [--quick] [--write]

  --only NAME   Run only these programs; there are: {names}
  --rounds N    Number of rounds, default 5
  --quick       Run one round with small parameters, to check that everything works
  --write       Put tables and plots into docs/evaluation

Examples:
  cargo xtask bench {command} --quick --only {first}
  cargo xtask bench {command} --write
",
            names = names.join(", "),
            first = names.first().unwrap_or(&"NAME"),
        )
    }

    fn add(&mut self, names: &[&str], chosen: &str, usage: impl Fn() -> String) -> Outcome {
        for name in chosen.split(',') {
            if !names.contains(&name) {
                return Err(format!("there is no program `{name}`\n\n{}", usage()));
            }
            self.only.push(name.to_owned());
        }
        Ok(())
    }

    /// Returns whether to run the program of this name.
    pub(in crate::bench) fn has(&self, name: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|only| only == name)
    }

    /// Returns the programs to run.
    pub(super) fn programs(
        &self,
        evaluation: &Evaluation,
    ) -> impl Iterator<Item = &'static Program> {
        let programs = evaluation.programs.iter();
        programs.filter(|program| self.has(program.name))
    }

    /// Returns the parameters of a program.
    pub(super) fn series(&self, program: &Program) -> &'static [u64] {
        if self.quick {
            program.quick
        } else {
            program.series
        }
    }

    /// Returns all runs of a round.
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

#[cfg(test)]
mod tests {
    use super::super::programs::SAVINA;
    use super::*;

    #[test]
    fn runs_are_of_all_contestants_but_those_who_cannot() {
        let options = ActorOptions::parse(&SAVINA, &["--only", "creation,big", "--quick"]).unwrap();
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
            assert!(ActorOptions::parse(&SAVINA, wrong).is_err(), "{wrong:?}");
        }
    }
}
