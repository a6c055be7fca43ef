//! One schedule of a test.

use super::explored_node::ExploredNode;
use super::strategies::{Kill, ScheduleStrategy};
use crate::Exit;
use crate::runtime::{AnyBody, caught, quietly};
use crate::testing::node::{Candidate, SimulatedNode, Violation, reason_of_end};

/// A schedule that has more steps than this one does not end.
const STEPS: usize = 100_000;

/// The number in the pid of the test's process.
const FIRST: u32 = 100;

/// Everything that distinguishes a schedule from others of its test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ScheduleOrder {
    /// The choices between at least two steps.
    pub(super) choices: Vec<usize>,
    pub(super) kills: Vec<Kill>,
}

/// A schedule that has run.
pub(super) struct RanSchedule {
    pub(super) failure: Option<ScheduleFailure>,
    pub(super) order: ScheduleOrder,
    /// The events, if they were recorded.
    pub(super) trace: Vec<String>,
}

/// A test, as its schedules run it.
pub(super) struct ExploredTest<'a> {
    /// Returns the body of the test's process, for each schedule.
    pub(super) body: &'a dyn Fn() -> AnyBody,
    /// The properties that hold after each step.
    pub(super) always: &'a [fn(&ExploredNode<'_>)],
}

/// The reason why a schedule fails.
#[derive(Debug, Clone)]
pub(super) enum ScheduleFailure {
    /// The process of the test has ended.
    Ended(Exit),
    /// A property of the test does not hold.
    Property(Exit),
    Violation(Violation),
    /// Nothing can happen any more: the processes that wait, with what they wait for.
    Deadlock(Vec<String>),
    /// There is no end.
    Endless,
}

/// Runs a test once. The strategy chooses the next step if there are several.
pub(super) fn run(
    explored: &ExploredTest<'_>,
    strategy: &mut dyn ScheduleStrategy,
    kills: &[Kill],
    is_traced: bool,
) -> RanSchedule {
    let mut node = SimulatedNode::new(FIRST, None);
    if is_traced {
        node.with(|core| core.trace = Some(Vec::new()));
    }
    let test = node.add_body((explored.body)());
    let mut choices = Vec::new();
    let mut choose = |candidates: &[Candidate]| {
        let choice = strategy.choose(candidates);
        choices.push(choice);
        choice
    };
    let failure = quietly(|| run_to_end(&mut node, test, (explored, kills), &mut choose));
    let trace = node.with(|core| core.trace.take());
    RanSchedule {
        failure,
        order: ScheduleOrder {
            choices,
            kills: kills.to_vec(),
        },
        trace: trace.unwrap_or_default(),
    }
}

fn run_to_end(
    node: &mut SimulatedNode,
    test: usize,
    (explored, kills): (&ExploredTest<'_>, &[Kill]),
    choose: &mut dyn FnMut(&[Candidate]) -> usize,
) -> Option<ScheduleFailure> {
    for step in 0..STEPS {
        for property in explored.always {
            if let Err(exit) = caught(|| property(&ExploredNode { node })) {
                return Some(ScheduleFailure::Property(exit));
            }
        }
        let violation = node.with(|core| core.violation.take());
        if let Some(violation) = violation {
            return Some(ScheduleFailure::Violation(violation));
        }
        if let Some(exit) = node.ended(test) {
            let is_normal = *exit == Exit::new(crate::atoms::normal);
            return (!is_normal).then(|| ScheduleFailure::Ended(exit.clone()));
        }
        for kill in kills.iter().filter(|kill| kill.step == step) {
            node.kill(kill.victim);
        }
        if !node.step(&mut *choose) && !node.wait_for_threads() {
            return Some(ScheduleFailure::Deadlock(node.waiting()));
        }
    }
    Some(ScheduleFailure::Endless)
}

impl ScheduleFailure {
    /// Returns whether two schedules fail for one reason: at one line, or with one property.
    pub(super) fn is_like(&self, other: &ScheduleFailure) -> bool {
        match (self, other) {
            (ScheduleFailure::Ended(one), ScheduleFailure::Ended(other))
            | (ScheduleFailure::Property(one), ScheduleFailure::Property(other)) => {
                place(one) == place(other)
            }
            (ScheduleFailure::Violation(one), ScheduleFailure::Violation(other)) => {
                (one.kind, &one.process) == (other.kind, &other.process)
            }
            (ScheduleFailure::Deadlock(_), ScheduleFailure::Deadlock(_))
            | (ScheduleFailure::Endless, ScheduleFailure::Endless) => true,
            _ => false,
        }
    }
}

/// Returns the line of an exit's cause, and its class.
fn place(exit: &Exit) -> (crate::process::Class, &'static str, u32) {
    let location = exit.location();
    (exit.class(), location.file(), location.line())
}

impl std::fmt::Display for ScheduleFailure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ScheduleFailure::Ended(exit) => match panic_text(exit) {
                Some(text) => write!(f, "the test panics: {text}"),
                None => write!(f, "the test ends: {}", reason_of_end(exit)),
            },
            ScheduleFailure::Property(exit) => {
                let text = panic_text(exit).unwrap_or_else(|| exit.to_string());
                write!(f, "a property does not hold: {text}")
            }
            ScheduleFailure::Violation(violation) => {
                let Violation {
                    kind,
                    process,
                    text,
                } = violation;
                write!(f, "`{process}` {kind}: {text}")
            }
            ScheduleFailure::Deadlock(waiting) => {
                write!(f, "nothing can happen any more: {}", waiting.join(", "))
            }
            ScheduleFailure::Endless => {
                write!(f, "the schedule has not ended after {STEPS} steps")
            }
        }
    }
}

/// Returns the message and the line of a panic: `{panic, #{message, file, line}}`.
fn panic_text(exit: &Exit) -> Option<String> {
    let (tag, facts): (crate::Atom, crate::Term) = exit.reason().decode().ok()?;
    let crate::Term::Map(facts) = facts else {
        return None;
    };
    let fact = |name: &str| {
        let mut facts = facts.iter();
        facts.find(|(key, _)| matches!(key, crate::Term::Atom(key) if key.text() == name))
    };
    let text = |name: &str| fact(name)?.1.decode::<String>().ok();
    let line: u64 = fact("line")?.1.decode().ok()?;
    let is_panic = tag.text() == "panic";
    is_panic.then(|| Some(format!("{}, {}:{line}", text("message")?, text("file")?)))?
}
