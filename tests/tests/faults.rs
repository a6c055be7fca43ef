//! Checks that clients of examples/faults notice no more than OTP promises, on the real Erlang VM.

use otp_bridge_novm as _;
use otp_tests::application::{build, pairs};
use otp_tests::running::Running;

/// The results of the clients.
#[derive(Debug)]
struct Observed {
    told: u64,
    recoveries: usize,
    printed: Vec<String>,
}

impl Observed {
    /// Returns how many printed lines contain this text.
    fn count(&self, text: &str) -> usize {
        let lines = self.printed.iter();
        lines.filter(|line| line.contains(text)).count()
    }
}

/// Number of clients.
const CLIENTS: u64 = 8;

/// Runs a scenario with calls and faults. Every other call must be answered, or its client told
/// about the failure, and there must be right answers after each fault.
fn clients_see(scenario: &str, calls: u64, faults: usize) -> Observed {
    let ebin = build("examples/faults");
    let node = format!("faults{}@127.0.0.1", std::process::id());
    let arguments = [scenario, &calls.to_string(), &faults.to_string()];
    let running = match scenario {
        "lost_node" => Running::start_node("faults", &ebin, &node, &arguments),
        _ => Running::start("faults", &ebin, &arguments),
    };
    let (status, printed) = running.wait();
    assert!(status.success(), "{status}: {printed:?}");
    let seen = pairs(&printed.join("\n"));
    let number = |key: &str| seen[key].parse::<u64>().expect("a number");
    let (lost, told) = (number("lost"), number("told"));
    let recoveries = seen["recoveries_us"].split(',');
    let recoveries: Vec<u64> = recoveries.filter_map(|it| it.parse().ok()).collect();
    // Clients wait for two seconds. If a VM takes longer to start, as on a busy machine, each
    // client may have waited in vain that many times, and once more.
    let slow = recoveries.iter().filter(|it| **it > 1_000_000);
    let most_lost = match scenario {
        "lost_node" => slow.map(|it| CLIENTS * (it / 2_000_000 + 1)).sum(),
        _ => 0,
    };
    assert_eq!(number("wrong"), 0, "{printed:#?}");
    assert!(lost <= most_lost, "{printed:#?}");
    assert_eq!(number("right") + number("late") + told + lost, calls);
    Observed {
        told,
        recoveries: recoveries.len(),
        printed,
    }
}

#[test]
fn clients_of_a_process_that_panics_are_told_and_then_answered() {
    for scenario in ["restart", "half_done"] {
        let seen = clients_see(scenario, 4000, 5);
        assert_eq!(seen.recoveries, 5, "{scenario}: {seen:#?}");
        assert_eq!(seen.count("=SUPERVISOR REPORT"), 5, "{scenario}");
        // The calls that were faults, and those that waited behind them.
        assert!((5..1000).contains(&seen.told), "{scenario}: {seen:#?}");
    }
}

#[test]
fn siblings_that_depend_on_each_other_are_restarted_together() {
    let seen = clients_see("one_for_all", 4000, 5);
    assert_eq!(seen.recoveries, 5, "{seen:#?}");
    let seen = clients_see("significant", 4000, 5);
    assert_eq!(seen.recoveries, 5, "{seen:#?}");
}

#[test]
fn a_supervisor_gives_up_and_the_one_above_it_starts_anew() {
    let seen = clients_see("intensity", 4000, 5);
    assert_eq!(seen.recoveries, 5, "{seen:#?}");
    assert!(
        seen.count("reached_max_restart_intensity") >= 1,
        "{seen:#?}"
    );
}

#[test]
fn a_process_that_hangs_is_killed_and_its_clients_are_told() {
    let seen = clients_see("hung", 4000, 3);
    assert_eq!(seen.recoveries, 3, "{seen:#?}");
    assert!(seen.told >= 3 && seen.count("killed") >= 3, "{seen:#?}");
}

#[test]
fn a_mailbox_is_not_larger_than_its_limit() {
    // Enough calls for notes to arrive faster than they are read at some point.
    let seen = clients_see("full_mailbox", 100_000, 1);
    assert_eq!(seen.recoveries, 1, "{seen:#?}");
    assert!(seen.count("maximum heap size reached") >= 1, "{seen:#?}");
}

#[test]
fn clients_of_a_node_that_is_lost_are_told_and_then_answered_by_a_new_one() {
    let seen = clients_see("lost_node", 100_000, 2);
    // While a VM starts, thousands of calls fail at once. So the second fault may be the last one
    // that occurs.
    assert!(seen.told >= 2 && seen.recoveries >= 1, "{seen:#?}");
    assert!(seen.count("nodedown") >= 1, "{seen:#?}");
}
