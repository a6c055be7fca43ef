//! What is measured, and what is aimed at.

/// A benchmark: a name of `tests/apps/bench/erlang/rounds.erl`, and the rows that its values make.
pub(super) struct Benchmark {
    pub(super) name: &'static str,
    /// What one value is, for the page.
    pub(super) about: &'static str,
    /// The VM's own arguments.
    pub(super) vm: &'static [&'static str],
    /// How many rounds there are, in a whole and in a quick run.
    pub(super) rounds: [u32; 2],
    pub(super) rows: &'static [Row],
}

/// Two variants beside each other.
pub(super) struct Row {
    /// What the driver calls it.
    pub(super) case: &'static str,
    /// What it is beside; a value of its own without.
    pub(super) reference: Option<&'static str>,
    pub(super) subject: &'static str,
    pub(super) unit: Unit,
    pub(super) goal: Goal,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unit {
    Nanoseconds,
    Bytes,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Goal {
    None,
    /// So many times the reference at most.
    Ratio(f64),
    /// Not more than this.
    Value(f64),
    /// Not more than the reference and this.
    Above(f64),
}

/// Rounds of milliseconds: what else runs on the machine disturbs some of them, and not the median.
const MANY: [u32; 2] = [101, 25];

/// One scheduler: what is measured is not where the VM has put its processes.
const ONE_SCHEDULER: &[&str] = &["+S", "1:1"];

/// OTP's own way of doing it.
const ERLANG: &str = "erlang";
/// The callback as a NIF written by hand.
const C: &str = "c";
const OTP_RS: &str = "otp-rs";

impl Row {
    const fn time(case: &'static str, reference: &'static str, goal: Goal) -> Row {
        Row {
            case,
            reference: Some(reference),
            subject: OTP_RS,
            unit: Unit::Nanoseconds,
            goal,
        }
    }
}

pub(super) const BENCHMARKS: &[Benchmark] = &[
    Benchmark {
        name: "cast",
        about: "two servers cast a ball back and forth: one cast",
        vm: ONE_SCHEDULER,
        rounds: MANY,
        rows: &[
            Row::time("cast", ERLANG, Goal::Ratio(1.05)),
            Row::time("cast", C, Goal::None),
        ],
    },
    Benchmark {
        name: "call",
        about: "`gen_server:call/2` and its answer",
        vm: ONE_SCHEDULER,
        rounds: MANY,
        rows: &[Row::time("call", ERLANG, Goal::Ratio(1.05))],
    },
    Benchmark {
        name: "handle_cast",
        about: "the function alone, called in a loop by the process that owns the state; the loop itself is taken off",
        vm: ONE_SCHEDULER,
        rounds: MANY,
        rows: &[
            Row::time("handle_cast", ERLANG, Goal::Value(60.0)),
            Row::time("handle_cast", C, Goal::None),
        ],
    },
    Benchmark {
        name: "handle_call",
        about: "the same for `handle_call/3`",
        vm: ONE_SCHEDULER,
        rounds: MANY,
        rows: &[Row::time("handle_call", ERLANG, Goal::None)],
    },
];
