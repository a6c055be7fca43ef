//! The application's root supervisor, and its command line.

use otp_bridge::atoms::{any_significant, ok, temporary};
use otp_bridge::supervisor::prelude::*;

use crate::experiment::{Experiment, Plan};
use crate::solvers::{SOLVERS, Solvers};
use crate::workers::Workers;

/// Starts the workers, and the experiment if there is one. The application ends when the experiment
/// does.
pub struct Stroot;

#[supervisor]
impl Supervisor for Stroot {
    type Args = Vec<String>;

    fn init(arguments: Vec<String>) -> Result<impl InitReturn> {
        let plan = Plan::parse(&arguments)?;
        let flags = SupFlags::one_for_all().auto_shutdown(any_significant);
        let workers = ChildSpec::of::<Workers>(());
        let experiment = plan.map(|plan| {
            [
                ChildSpec::of::<Solvers>(()).registered(&SOLVERS),
                ChildSpec::of::<Experiment>(plan)
                    .restart(temporary)
                    .significant(true),
            ]
        });
        let children = [workers]
            .into_iter()
            .chain(experiment.into_iter().flatten());
        Ok((ok, (flags, children.collect::<Vec<_>>())))
    }
}

impl Plan {
    /// Parses the command line: nothing, or `ticker SOLVERS NODES [SECONDS]`.
    ///
    /// # Errors
    /// `usage`, with the given words.
    pub fn parse(arguments: &[String]) -> Result<Option<Self>> {
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let (solvers, nodes, seconds) = match *arguments {
            [] => return Ok(None),
            ["ticker", solvers, nodes] => (solvers, nodes, "10"),
            ["ticker", solvers, nodes, seconds] => (solvers, nodes, seconds),
            _ => ("", "", ""),
        };
        match (solvers.parse(), nodes.parse(), seconds.parse()) {
            (Ok(solvers), Ok(nodes @ 1..=17), Ok(seconds @ 1..)) => Ok(Some(Plan {
                solvers,
                nodes,
                seconds,
            })),
            _ => Err(Exit::new((
                "usage: cargo otp run --release -- ticker SOLVERS NODES [SECONDS], with 1 to 17 nodes",
                arguments.join(" "),
            ))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_a_plan_or_nothing() {
        let parse = |line: &str| {
            Plan::parse(
                &line
                    .split_whitespace()
                    .map(str::to_owned)
                    .collect::<Vec<_>>(),
            )
        };
        let plan = |seconds| {
            Ok(Some(Plan {
                solvers: 10,
                nodes: 11,
                seconds,
            }))
        };
        assert_eq!(parse(""), Ok(None));
        assert_eq!(parse("ticker 10 11"), plan(10));
        assert_eq!(parse("ticker 10 11 3"), plan(3));
        for wrong in [
            "ticker",
            "ticker 10",
            "solve 10 11",
            "ticker 10 18",
            "ticker 10 11 0",
            "ticker ten 11",
        ] {
            let exit = parse(wrong).expect_err("not a plan");
            assert!(exit.to_string().contains("usage"), "{exit}");
        }
    }
}
