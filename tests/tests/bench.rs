//! Runs the benchmarks of `cargo xtask bench bridge` briefly: each one must run and give values.
//! The values themselves are not checked here.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::Command;
use std::sync::OnceLock;

use otp_bridge_novm as _;
use otp_tests::application::{build, text};

/// Builds the application, once for all tests here.
fn ebin() -> &'static PathBuf {
    static EBIN: OnceLock<PathBuf> = OnceLock::new();
    EBIN.get_or_init(|| build("tests/apps/bench"))
}

/// Runs two rounds with a thousandth of the work. Returns the measured cases and variants.
fn measured(benchmark: &str) -> BTreeSet<(String, String)> {
    let output = Command::new("erl")
        .args(["-noinput", "+S", "2:2", "-pa"])
        .arg(ebin())
        .args(["-run", "rounds", "main", benchmark, "2", "scale=0.001"])
        .output()
        .expect("erl runs");
    let (printed, complained) = (text(&output.stdout), text(&output.stderr));
    assert!(output.status.success(), "{benchmark}: {complained}");
    let sample = |line: &str| {
        let words: Vec<&str> = line.split('\t').collect();
        let [case, variant, round, value] = words.as_slice() else {
            panic!("{benchmark}: {line}");
        };
        assert!(["1", "2"].contains(round), "{line}");
        assert!(value.parse::<f64>().is_ok(), "{line}");
        ((*case).to_owned(), (*variant).to_owned())
    };
    printed.lines().map(sample).collect()
}

#[test]
fn every_benchmark_measures_erlang_and_rust() {
    for benchmark in [
        "cast",
        "call",
        "binaries",
        "nested",
        "storm",
        "creation",
        "many",
        "memory",
        "handle_cast",
        "handle_call",
        "yield",
        "storm_beside_sleeper",
    ] {
        let measured = measured(benchmark);
        let variants: BTreeSet<&str> = measured.iter().map(|(_, it)| it.as_str()).collect();
        assert_eq!(
            variants,
            BTreeSet::from(["erlang", "otp-rs"]),
            "{benchmark}"
        );
    }
}

#[test]
fn states_of_every_size_are_measured_alone_and_in_a_server() {
    let measured = measured("state");
    for case in ["handle_cast", "cast"] {
        for size in ["8 B", "1 KiB", "16 KiB"] {
            let key = (case.to_owned(), size.to_owned());
            assert!(measured.contains(&key), "{key:?} in {measured:?}");
        }
    }
}

#[test]
fn tickers_are_measured_beside_every_manner_of_long_work() {
    let tickers = measured("tickers");
    for manner in ["idle", "erlang", "polite", "dirty", "impolite"] {
        for case in ["worst", "99 %"] {
            let key = (case.to_owned(), manner.to_owned());
            assert!(tickers.contains(&key), "{key:?} in {tickers:?}");
        }
    }
    assert_eq!(measured("checkpoint").len(), 1);
}
