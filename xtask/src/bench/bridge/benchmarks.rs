//! The benchmarks and their goals.

use super::catalogue::{Benchmark, BenchmarkGoal, BenchmarkUnit, Extent, Row, Vm};

/// The variant in Erlang, as OTP's users write it.
const ERLANG: &str = "erlang";
/// The callback as a handwritten NIF.
const C: &str = "c";
const RUSTLER: &str = "rustler";
const SERDE: &str = "serde";
const OTP_RS: &str = "otp-rs";

/// Rounds of milliseconds: other programs on the machine disturb some of them, but not the median.
const MANY: [Extent; 2] = [rounds(101, 1.0), rounds(25, 1.0)];

/// A third of the reference's time.
const THREE_TIMES_AS_FAST: BenchmarkGoal = BenchmarkGoal::Ratio(1.0 / 3.0);
/// 5 ms more than the reference.
const BY_5_MS: BenchmarkGoal = BenchmarkGoal::Above(5e6);

const fn rounds(rounds: u32, scale: f64) -> Extent {
    Extent { rounds, scale }
}

/// Returns a benchmark of many rounds, on one scheduler.
const fn short(name: &'static str, about: &'static str, rows: &'static [Row]) -> Benchmark {
    let vm = Vm::OneScheduler;
    long(name, about, vm, MANY, rows)
}

const fn long(
    name: &'static str,
    about: &'static str,
    vm: Vm,
    [whole, quick]: [Extent; 2],
    rows: &'static [Row],
) -> Benchmark {
    Benchmark {
        name,
        about,
        vm,
        whole,
        quick,
        rows,
    }
}

const fn row(case: &'static str, reference: &'static str, goal: BenchmarkGoal) -> Row {
    Row {
        label: "",
        case,
        reference: Some(reference),
        subject: OTP_RS,
        unit: BenchmarkUnit::Nanoseconds,
        goal,
    }
}

pub(super) const BENCHMARKS: &[Benchmark] = &[
    short(
        "cast",
        "two servers cast a ball back and forth.",
        &[
            row("cast", ERLANG, BenchmarkGoal::Ratio(1.05)),
            row("cast", C, BenchmarkGoal::None),
        ],
    ),
    short(
        "call",
        "`gen_server:call/2` and its reply.",
        &[row("call", ERLANG, BenchmarkGoal::Ratio(1.05))],
    ),
    short(
        "binaries",
        "the same for a binary of 100 kB that the server keeps.",
        &[
            row("get", ERLANG, BenchmarkGoal::None).labelled("get"),
            row("put", ERLANG, BenchmarkGoal::None).labelled("put"),
        ],
    ),
    short(
        "pages",
        "a page of 100 kB over TCP, which the connection's server gets from another one.",
        &[row("pages", ERLANG, BenchmarkGoal::None)],
    ),
    short(
        "nested",
        "a call of a server that calls another server before it replies.",
        &[row("nested", ERLANG, BenchmarkGoal::Ratio(1.05))],
    ),
    short(
        "storm",
        "100 senders cast to one server, until it has handled the last message. As for `cast`, \
         the value is the time of one cast.",
        &[row("storm", ERLANG, BenchmarkGoal::Ratio(1.0))],
    ),
    short(
        "creation",
        "`start_link` and `gen_server:stop/1` of a server. C: `init/1` creates a resource, \
         because the state of a server in Rust is a resource, too.",
        &[
            row("creation", ERLANG, BenchmarkGoal::Ratio(1.05)),
            row("creation", C, BenchmarkGoal::None),
        ],
    ),
    long(
        "many",
        "the first call of each of 100,000 servers, and killing all of them, for each server. C: \
         the state is a resource, too.",
        Vm::OneEach,
        [rounds(5, 1.0), rounds(3, 0.2)],
        MANY_SERVERS,
    ),
    long(
        "memory",
        "the memory of one of 100,000 idle servers, as `erlang:memory(processes)` and the \
         operating system count it.",
        Vm::OneEach,
        [rounds(5, 1.0), rounds(3, 0.2)],
        MEMORY,
    ),
    short(
        "handle_cast",
        "the function alone, in a loop. The time of the empty loop is subtracted.",
        &[
            row("handle_cast", ERLANG, BenchmarkGoal::Value(60.0)),
            row("handle_cast", C, BenchmarkGoal::None),
        ],
    ),
    short(
        "handle_call",
        "the same for `handle_call/3`, which also replies.",
        &[row("handle_call", ERLANG, BenchmarkGoal::None)],
    ),
    long(
        "state",
        "`handle_cast` and `cast` with a state of the given size, beside a state of 8 bytes.",
        Vm::OneScheduler,
        [rounds(51, 1.0), rounds(13, 1.0)],
        STATE,
    ),
    short(
        "yield",
        "`cx.yield_now().await` beside `erlang:yield/0`, in a loop within a callback.",
        &[row("yield", ERLANG, BenchmarkGoal::None)],
    ),
    short(
        "checkpoint",
        "`cx.checkpoint().await` when the time slice is not used up.",
        &[row("checkpoint", ERLANG, BenchmarkGoal::None).alone()],
    ),
    long(
        "storm_beside_sleeper",
        "another process sleeps for 10 ms repeatedly while 1,500 casts of 1 ms each wait for a \
         server. The value is the delay of its sleeps. This and the next two benchmarks run on \
         two schedulers that do not spin.",
        Vm::TwoWithoutSpin,
        [rounds(5, 1.0), rounds(1, 0.2)],
        &[
            row("worst", ERLANG, BenchmarkGoal::None).labelled("worst"),
            row("99 %", ERLANG, BenchmarkGoal::None).labelled("99 %"),
        ],
    ),
    long(
        "tickers",
        "8 processes sleep for 5 ms repeatedly while 4 servers compute for 10 s. The value is the \
         delay of the sleeps. Idle: no server computes. Polite: the servers use \
         `cx.checkpoint().await`; dirty: `#[dirty(cpu)]`; impolite: neither. C: a dirty NIF.",
        Vm::TwoWithoutSpin,
        [rounds(3, 1.0), rounds(1, 0.2)],
        TICKERS,
    ),
    long(
        "burns",
        "the same while 1, 2 or 4 servers repeatedly compute for 2 s without a checkpoint. The \
         first computation of each server is not measured.",
        Vm::TwoWithoutSpin,
        [rounds(3, 1.0), rounds(1, 0.25)],
        BURNS,
    ),
    long(
        "burns_spinning",
        "the same with schedulers that spin, which is the default of plain `erl`.",
        Vm::TwoSchedulers,
        [rounds(3, 1.0), rounds(1, 0.25)],
        BURNS,
    ),
    long(
        "codec",
        "reading and writing terms, beside rustler's derives and rustler's serde: the value of \
         `init/1` of a supervisor with 1,000 children; a binary of 1 MB in a tuple (rustler's \
         derive borrows it; kept: with owned bytes); maps in a map, 100,000 entries in total.",
        Vm::OneScheduler,
        [rounds(31, 1.0), rounds(5, 1.0)],
        CODEC,
    ),
];

const MANY_SERVERS: &[Row] = &[
    row("first call", ERLANG, BenchmarkGoal::Ratio(1.2)).labelled("first call"),
    row("first call", C, BenchmarkGoal::None).labelled("first call"),
    row("kill", ERLANG, BenchmarkGoal::Ratio(1.2)).labelled("kill"),
    row("kill", C, BenchmarkGoal::None).labelled("kill"),
];

const MEMORY: &[Row] = &[
    row("memory, the VM's count", ERLANG, BenchmarkGoal::Ratio(1.05))
        .in_bytes()
        .labelled("the VM's count"),
    row("memory, resident", ERLANG, BenchmarkGoal::Ratio(1.05))
        .in_bytes()
        .labelled("resident"),
];

const STATE: &[Row] = &[
    row("handle_cast", "8 B", BenchmarkGoal::Ratio(1.05))
        .of("1 KiB")
        .labelled("handle_cast, 1 KiB"),
    row("handle_cast", "8 B", BenchmarkGoal::Ratio(1.05))
        .of("16 KiB")
        .labelled("handle_cast, 16 KiB"),
    row("cast", "8 B", BenchmarkGoal::Ratio(1.05))
        .of("1 KiB")
        .labelled("cast, 1 KiB"),
    row("cast", "8 B", BenchmarkGoal::Ratio(1.05))
        .of("16 KiB")
        .labelled("cast, 16 KiB"),
];

const TICKERS: &[Row] = &[
    row("worst", "idle", BenchmarkGoal::None)
        .of(ERLANG)
        .labelled("Erlang, worst"),
    row("99 %", "idle", BenchmarkGoal::None)
        .of(ERLANG)
        .labelled("Erlang, 99 %"),
    row("worst", ERLANG, BY_5_MS)
        .of("polite")
        .labelled("polite, worst"),
    row("99 %", ERLANG, BY_5_MS)
        .of("polite")
        .labelled("polite, 99 %"),
    row("worst", "idle", BY_5_MS)
        .of("dirty")
        .labelled("dirty, worst"),
    row("99 %", "idle", BY_5_MS)
        .of("dirty")
        .labelled("dirty, 99 %"),
    row("worst", C, BenchmarkGoal::None)
        .of("dirty")
        .labelled("dirty, worst"),
    row("99 %", C, BenchmarkGoal::None)
        .of("dirty")
        .labelled("dirty, 99 %"),
    row("worst", ERLANG, BenchmarkGoal::None)
        .of("impolite")
        .labelled("impolite, worst"),
    row("99 %", ERLANG, BenchmarkGoal::None)
        .of("impolite")
        .labelled("impolite, 99 %"),
];

const BURNS: &[Row] = &[
    row("1, worst", ERLANG, BY_5_MS).labelled("1 server, worst"),
    row("1, 99 %", ERLANG, BY_5_MS).labelled("1 server, 99 %"),
    row("2, worst", ERLANG, BY_5_MS).labelled("2 servers, worst"),
    row("2, 99 %", ERLANG, BY_5_MS).labelled("2 servers, 99 %"),
    row("4, worst", ERLANG, BY_5_MS).labelled("4 servers, worst"),
    row("4, 99 %", ERLANG, BY_5_MS).labelled("4 servers, 99 %"),
];

const CODEC: &[Row] = &[
    row("supervisor:init/1", RUSTLER, BenchmarkGoal::Ratio(1.0)).labelled("supervisor:init/1"),
    row("supervisor:init/1", SERDE, THREE_TIMES_AS_FAST).labelled("supervisor:init/1"),
    row("1 MB binary", RUSTLER, BenchmarkGoal::Ratio(1.0)).labelled("1 MB binary"),
    row(
        "1 MB binary, kept",
        "rustler_owned",
        BenchmarkGoal::Ratio(1.0),
    )
    .labelled("1 MB binary, kept"),
    row("1 MB binary", SERDE, THREE_TIMES_AS_FAST).labelled("1 MB binary"),
    row("nested maps", RUSTLER, BenchmarkGoal::Ratio(1.0)).labelled("nested maps"),
    row("nested maps", SERDE, THREE_TIMES_AS_FAST).labelled("nested maps"),
];

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::step;

    /// Returns the driver's benchmarks: a list between the lines `names() ->` and the next full
    /// stop.
    fn of_the_driver() -> Vec<String> {
        let folder = step::root().join("tests/apps/bench/erlang");
        let mut names = Vec::new();
        for entry in fs::read_dir(folder).unwrap().flatten() {
            let text = fs::read_to_string(entry.path()).unwrap();
            if let Some((_, rest)) = text.split_once("\nnames() ->\n") {
                let list = rest.split_once('.').unwrap().0;
                let list = list.trim().trim_matches(['[', ']']);
                names.extend(list.split(", ").map(str::to_owned));
            }
        }
        names.sort();
        names
    }

    #[test]
    fn the_driver_has_the_same_benchmarks() {
        let mut names: Vec<&str> = BENCHMARKS.iter().map(|it| it.name).collect();
        names.sort_unstable();
        assert_eq!(of_the_driver(), names);
    }

    #[test]
    fn names_are_unique_and_rows_differ() {
        for (place, benchmark) in BENCHMARKS.iter().enumerate() {
            let others = &BENCHMARKS[..place];
            assert!(others.iter().all(|other| other.name != benchmark.name));
            for (place, row) in benchmark.rows.iter().enumerate() {
                let key = |row: &Row| (row.case, row.reference, row.subject);
                assert!(
                    benchmark.rows[..place]
                        .iter()
                        .all(|other| key(other) != key(row))
                );
            }
        }
    }
}
