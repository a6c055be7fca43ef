//! The faults, and the contestants.

use std::path::PathBuf;

use crate::step::root;

/// The frameworks that answer the calls.
pub(super) const CONTESTANTS: &[&str] = &["otp-rs", "actix", "ractor", "kameo"];

/// A fault during calls. Each contestant has a file with the scenario's name.
pub(super) struct Scenario {
    pub(super) name: &'static str,
    pub(super) title: &'static str,
    /// The effect of the fault, and the required reaction.
    pub(super) about: &'static str,
    /// The differences between the contestants' features.
    pub(super) notes: &'static str,
    /// The number of faults in 100,000 calls.
    pub(super) faults: u64,
    pub(super) without: &'static [&'static str],
    /// Whether the scenario needs another node.
    pub(super) is_distributed: bool,
}

/// The number of calls, and the number of faults among them.
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
        let (calls, faults) = if quick {
            (2_000, self.faults.min(2))
        } else {
            (100_000, self.faults)
        };
        Load { calls, faults }
    }

    /// Returns the source file of a contestant.
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
    about: "A fault is a panic in the callback that handles the call. The supervisor restarts the \
            process.",
    notes: "otp-rs: the calls that wait in the mailbox fail at once. Actix 0.13: the handler \
            catches the panic, which would otherwise end the `Supervisor` as well. ractor: the \
            program itself restarts the actor. kameo: the mailbox outlives the actor.",
    faults: 100,
    without: &[],
    is_distributed: false,
};

const HALF_DONE: Scenario = Scenario {
    name: "half_done",
    title: "A panic while a call is half done",
    about: "A fault is a panic between two writes that belong together. Answers from a \
            half-written state are wrong.",
    notes: "otp-rs, ractor and kameo drop the state with the actor. Actix keeps the value, so \
            `restarting` has to repair it.",
    faults: 100,
    without: &[],
    is_distributed: false,
};

const ONE_FOR_ALL: Scenario = Scenario {
    name: "one_for_all",
    title: "One for all",
    about: "Two actors, a keeper and a door, have to restart together: the door learns the \
            keeper's seal when it starts, so an old door gives wrong answers with a new keeper. A \
            fault is a panic of the keeper.",
    notes: "otp-rs: `SupFlags::one_for_all()`. Actix: an actor owns the pair and passes the calls \
            on. ractor: the program itself stops the others and starts all of them. kameo has \
            this strategy, but restarts the actors in any order, so the requests of the door to \
            the keeper have a time limit.",
    faults: 100,
    without: &[],
    is_distributed: false,
};

const INTENSITY: Scenario = Scenario {
    name: "intensity",
    title: "Restart intensity reached",
    about: "Every read of a store panics. After two restarts of the reader within five seconds, \
            its supervisor gives up, and the supervisor above restarts both.",
    notes: "otp-rs: `intensity` and `period`. Actix and ractor: an actor counts the restarts. \
            kameo: `restart_limit`; a channel announces the current actor, because a restarted \
            actor no longer has its name.",
    faults: 50,
    without: &[],
    is_distributed: false,
};

const SIGNIFICANT: Scenario = Scenario {
    name: "significant",
    title: "Significant child",
    about: "A fault ends the leader of a team. Then the whole team has to end, and a new team has \
            to start. If an old member answers with the data of a new leader, the answer is \
            wrong.",
    notes: "otp-rs: `significant(true)` and `auto_shutdown`. The others: another actor is \
            notified when the leader ends, and ends the team. In some runs, kameo's program \
            stopped answering; the cause was not found.",
    faults: 100,
    without: &[],
    is_distributed: false,
};

const HUNG: Scenario = Scenario {
    name: "hung",
    title: "A hung actor",
    about: "A fault is a call that waits for a message that never comes. A watchdog sends a \
            request every 50 ms. If the answer takes longer than 100 ms, the actor is killed and \
            restarted.",
    notes: "All of these actors wait at an `.await`; an actor in a loop without one cannot be \
            ended. Actix: the call itself has the time limit. ractor and kameo: `kill`.",
    faults: 20,
    without: &[],
    is_distributed: false,
};

const FULL_MAILBOX: Scenario = Scenario {
    name: "full_mailbox",
    title: "A full mailbox",
    about: "In a fault, a producer sends 20,000 notes of 50 numbers at once to the actor that \
            answers the calls. The actor needs 50 µs for each note.",
    notes: "otp-rs: `max_heap_size` of 8 MB, above which the VM kills the process. Actix and \
            kameo: bounded mailboxes. ractor: mailboxes have no limit. The memory is that of the \
            whole program; for otp-rs, it includes the VM.",
    faults: 5,
    without: &[],
    is_distributed: false,
};

const LOST_NODE: Scenario = Scenario {
    name: "lost_node",
    title: "A lost node",
    about: "The service runs on another node, a separate VM on this machine. A fault aborts that \
            VM, which is then restarted.",
    notes: "otp-rs: waiting callers fail with `nodedown` at once. Actix has no distribution; \
            `ractor_cluster` and kameo's `remote` were not measured.",
    faults: 3,
    without: &["actix", "ractor", "kameo"],
    is_distributed: true,
};

/// All scenarios, in the order of the page.
pub(super) const SCENARIOS: &[Scenario] = &[
    RESTART,
    ONE_FOR_ALL,
    INTENSITY,
    SIGNIFICANT,
    HALF_DONE,
    HUNG,
    FULL_MAILBOX,
    LOST_NODE,
];

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
