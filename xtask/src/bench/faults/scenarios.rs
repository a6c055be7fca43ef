//! What happens to whom.

use std::path::PathBuf;

use crate::step::root;

/// Who answers the calls.
pub(super) const CONTESTANTS: &[&str] = &["otp-rs", "actix", "ractor", "kameo"];

/// A fault, under calls. Each contestant has a file of its name.
pub(super) struct Scenario {
    pub(super) name: &'static str,
    pub(super) title: &'static str,
    /// What a fault does, and what has to happen then.
    pub(super) about: &'static str,
    /// How the contestants differ, in what they offer.
    pub(super) notes: &'static str,
    /// How many of 100,000 calls are faults.
    pub(super) faults: u64,
    pub(super) without: &'static [&'static str],
}

/// How many calls, and how many of them are faults.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Load {
    pub(super) calls: u64,
    pub(super) faults: u64,
}

impl Scenario {
    pub(super) fn has(&self, contestant: &str) -> bool {
        !self.without.contains(&contestant)
    }

    pub(super) fn load(&self, quick: bool) -> Load {
        let (calls, faults) = match quick {
            true => (2_000, self.faults.min(2)),
            false => (100_000, self.faults),
        };
        Load { calls, faults }
    }

    /// The program of a contestant.
    pub(super) fn file(&self, contestant: &str) -> PathBuf {
        let folder = match contestant {
            "otp-rs" => "examples/faults/src".to_owned(),
            peer => format!("peers/src/faults/{peer}"),
        };
        root().join(folder).join(format!("{}.rs", self.name))
    }
}

const RESTART: Scenario = Scenario {
    name: "restart",
    title: "Restart on abnormal exit",
    about: "A fault is a panic in the callback of the call. The process that panics is started again.",
    notes: "otp-rs: the process ends, and what was in its mailbox ends with it; the calls among that are told so at once. \
            Actix 0.13: a panic that leaves a handler ends the actor together with its `Supervisor`, so the handler catches it and \
            stops the context, upon which the `Supervisor` goes on with the same value and mailbox. \
            ractor: starting a child again is the code of the supervisor's author. kameo: a supervised actor is started again from a \
            clone of its arguments, and its mailbox outlives it.",
    faults: 100,
    without: &[],
};

pub(super) const SCENARIOS: &[Scenario] = &[RESTART];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_takes_part_has_a_file_and_nobody_else() {
        for scenario in SCENARIOS {
            for contestant in CONTESTANTS {
                let file = scenario.file(contestant);
                assert_eq!(
                    file.is_file(),
                    scenario.has(contestant),
                    "{}",
                    file.display()
                );
            }
        }
    }
}
