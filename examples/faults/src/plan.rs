//! The command line.

use otp_bridge::{Exit, Result, Term};

use crate::clients::Load;

/// The kinds of faults.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Term)]
pub enum Scenario {
    Restart,
    OneForAll,
    Intensity,
    Significant,
    HalfDone,
    Hung,
    FullMailbox,
    LostNode,
}

/// A scenario with its load: `{plan, Scenario, Calls, Faults}`
#[derive(Debug, Clone, Copy, PartialEq, Eq, Term)]
pub struct Plan {
    pub scenario: Scenario,
    pub calls: u64,
    pub faults: u64,
}

impl Plan {
    /// Parses the command line.
    ///
    /// # Errors
    /// `usage`, with the given words.
    pub fn parse(arguments: &[String]) -> Result<Self> {
        let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
        Self::read(&words).ok_or_else(|| {
            let usage = "usage: cargo otp run --release -- SCENARIO CALLS FAULTS, where SCENARIO is restart, \
                         one_for_all, intensity, significant, half_done, hung, full_mailbox or lost_node";
            Exit::new((usage, arguments.join(" ")))
        })
    }

    fn read(words: &[&str]) -> Option<Self> {
        let [scenario, calls, faults] = *words else {
            return None;
        };
        let plan = Plan {
            scenario: Scenario::read(scenario)?,
            calls: calls.parse().ok()?,
            faults: faults.parse().ok()?,
        };
        (plan.faults <= plan.calls).then_some(plan)
    }

    #[must_use]
    pub fn load(self) -> Load {
        let Plan { calls, faults, .. } = self;
        Load { calls, faults }
    }
}

impl Scenario {
    fn read(word: &str) -> Option<Self> {
        Some(match word {
            "restart" => Scenario::Restart,
            "one_for_all" => Scenario::OneForAll,
            "intensity" => Scenario::Intensity,
            "significant" => Scenario::Significant,
            "half_done" => Scenario::HalfDone,
            "hung" => Scenario::Hung,
            "full_mailbox" => Scenario::FullMailbox,
            "lost_node" => Scenario::LostNode,
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_a_scenario_and_its_load() {
        let parse = |line: &str| {
            let words = line.split_whitespace().map(str::to_owned);
            Plan::parse(&words.collect::<Vec<_>>())
        };
        let plan = Plan {
            scenario: Scenario::Restart,
            calls: 1_000,
            faults: 10,
        };
        assert_eq!(parse("restart 1000 10"), Ok(plan));
        for wrong in ["", "restart", "restart 10 11", "restart ten 1", "fire 10 1"] {
            let exit = parse(wrong).expect_err("not a plan");
            assert!(exit.to_string().contains("usage"), "{exit}");
        }
    }
}
