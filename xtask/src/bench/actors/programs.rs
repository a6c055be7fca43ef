//! The programs to measure.

use super::goals::{self, Goal};

/// A page of results.
pub(super) struct Evaluation {
    /// The name of the command and of its page.
    pub(super) name: &'static str,
    pub(super) title: &'static str,
    pub(super) contestants: &'static [&'static str],
    pub(super) programs: &'static [Program],
}

/// A program with a series of parameters.
pub(super) struct Program {
    pub(super) name: &'static str,
    pub(super) title: &'static str,
    /// The description on the page.
    pub(super) about: &'static str,
    /// The meaning of the parameter.
    pub(super) axis: &'static str,
    pub(super) unit: Unit,
    /// The command line. `X` stands for the parameter.
    pub(super) words: &'static [&'static str],
    pub(super) series: &'static [u64],
    /// The series of a quick run that only checks whether the programs work.
    pub(super) quick: &'static [u64],
    pub(super) goals: &'static [Goal],
    /// The contestants that cannot run the program, or take far too long.
    pub(super) without: &'static [&'static str],
}

/// The unit of a program's figure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unit {
    Milliseconds,
    /// The parameter is not a number of things, so a slope has no meaning.
    Latency,
    Megabytes,
}

pub(super) struct Run {
    pub(super) program: &'static Program,
    pub(super) contestant: &'static str,
    pub(super) x: u64,
}

impl Program {
    pub(super) fn command_line(&self, x: u64) -> Vec<String> {
        let word = |word: &&str| match *word {
            "X" => x.to_string(),
            word => word.to_owned(),
        };
        self.words.iter().map(word).collect()
    }
}

const PING_PONG: Program = Program {
    name: "ping_pong",
    title: "PingPong",
    about: "Two actors send a number back and forth. Each one subtracts 1, until the number is 0.",
    axis: "messages",
    unit: Unit::Milliseconds,
    words: &["ring", "2", "X"],
    series: &[200_000, 400_000, 600_000, 800_000, 1_000_000],
    quick: &[20_000, 40_000],
    goals: &goals::MESSAGE,
    without: &[],
};

const THREAD_RING: Program = Program {
    name: "thread_ring",
    title: "Thread Ring",
    about: "1,000 actors form a ring, and pass a number around. Each one subtracts 1, until the \
            number is 0.",
    axis: "messages",
    unit: Unit::Milliseconds,
    words: &["ring", "1000", "X"],
    series: &[200_000, 400_000, 600_000, 800_000, 1_000_000],
    quick: &[20_000, 40_000],
    goals: &goals::MESSAGE,
    without: &[],
};

const THROUGHPUT: Program = Program {
    name: "throughput",
    title: "ForkJoin (throughput)",
    about: "One actor sends the given number of messages to each of 1,000 others, in turn, and \
            waits until each of them confirms that it has received all of its messages.",
    axis: "messages to each actor",
    unit: Unit::Milliseconds,
    words: &["throughput", "1000", "X"],
    series: &[200, 400, 600, 800, 1_000],
    quick: &[10, 20],
    goals: &goals::PROCESS,
    without: &[],
};

const CREATION: Program = Program {
    name: "creation",
    title: "ForkJoin (actor creation)",
    about: "The given number of actors is started, and each one reports its start.",
    axis: "actors",
    unit: Unit::Milliseconds,
    words: &["creation", "X"],
    series: &[20_000, 40_000, 60_000, 80_000, 100_000],
    quick: &[1_000, 2_000],
    goals: &goals::CREATION,
    without: &["threads"],
};

const BIG: Program = Program {
    name: "big",
    title: "Big",
    about: "Each actor sends a message to all others, and waits for a message from each of them.",
    axis: "actors",
    unit: Unit::Milliseconds,
    words: &["big", "X"],
    series: &[200, 400, 600, 800, 1_000],
    quick: &[50, 100],
    goals: &goals::MESSAGE,
    without: &[],
};

const IDLE: Program = Program {
    name: "idle",
    title: "Memory",
    about: "The given number of actors waits for a message. The figure is the growth of the whole \
            program's memory, as the operating system counts it.",
    axis: "actors",
    unit: Unit::Megabytes,
    words: &["idle", "X"],
    series: &[10_000, 20_000, 30_000, 40_000, 50_000],
    quick: &[1_000, 2_000],
    goals: &goals::MEMORY,
    without: &["threads"],
};

const LATENCY: Program = Program {
    name: "latency",
    title: "Latency under load",
    about: "50 clients call a server every 10 ms, 200 times each. At the same time, two actors \
            for each core send messages to themselves, and compute for a millisecond for each \
            message. A call takes from the time when it was due until its answer. The figure is \
            the time within which the given number of a thousand calls were answered.",
    axis: "of a thousand calls",
    unit: Unit::Latency,
    words: &["latency", "50", "X"],
    series: &[500, 900, 990, 999],
    quick: &[500, 990],
    goals: &[],
    without: &[],
};

/// The evaluation of the thesis that otp-rs is based on, with more frameworks.
pub(super) const SAVINA: Evaluation = Evaluation {
    name: "savina",
    title: "Actors, measured",
    contestants: &[
        "otp-rs",
        "otp-rs tasks",
        "erlang",
        "actix",
        "ractor",
        "kameo",
        "tokio",
        "threads",
    ],
    programs: &[
        PING_PONG,
        THREAD_RING,
        THROUGHPUT,
        CREATION,
        BIG,
        IDLE,
        LATENCY,
    ],
};

const TIMERS: Program = Program {
    name: "timers",
    title: "Timers",
    about: "The given number of timers fires between half a second and a second after the start. \
            The figure is the total processor time.",
    axis: "timers",
    unit: Unit::Milliseconds,
    words: &["timers", "X"],
    series: &[200_000, 400_000, 600_000, 800_000, 1_000_000],
    quick: &[10_000, 20_000],
    goals: &[],
    without: &["threads"],
};

const MANY_IDLE: Program = Program {
    series: &[200_000, 400_000, 600_000, 800_000, 1_000_000],
    name: "many_idle",
    title: "Memory of a million",
    ..IDLE
};

/// Lightweight tasks.
pub(super) const TASKS: Evaluation = Evaluation {
    name: "tasks",
    title: "Tasks, measured",
    contestants: &[
        "otp-rs tasks",
        "erlang",
        "actix",
        "tokio-current",
        "tokio",
        "threads",
    ],
    programs: &[PING_PONG, THREAD_RING, CREATION, IDLE, MANY_IDLE, TIMERS],
};
