//! What OTP promises to clients of examples/faults, on the real Erlang VM.

use otp_bridge_novm as _;
use otp_tests::application::{build, pairs};
use otp_tests::running::Running;

/// What clients of examples/faults saw.
#[derive(Debug)]
struct Observed {
    told: u64,
    recoveries: usize,
    printed: Vec<String>,
}

impl Observed {
    /// How many of the printed lines have this text.
    fn count(&self, text: &str) -> usize {
        let lines = self.printed.iter();
        lines.filter(|line| line.contains(text)).count()
    }
}

/// So many make the calls.
const CLIENTS: u64 = 8;

/// Runs a scenario with calls, so many of which are faults. All other calls are answered, or their
/// clients told, and after each fault there are right answers again.
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
    // Clients wait for two seconds. Where a VM takes longer to start, as on a busy machine, each
    // may have waited in vain as often as that goes into it, and once more.
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
        // Those whose call was the fault, and those who waited behind it.
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
    // So many calls that the notes come faster than they are read at some time during them.
    let seen = clients_see("full_mailbox", 100_000, 1);
    assert_eq!(seen.recoveries, 1, "{seen:#?}");
    assert!(seen.count("maximum heap size reached") >= 1, "{seen:#?}");
}

#[test]
fn clients_of_a_node_that_is_lost_are_told_and_then_answered_by_a_new_one() {
    let seen = clients_see("lost_node", 100_000, 2);
    // While a VM starts, thousands of calls are told that there is none. So the second may be the
    // last that there is.
    assert!(seen.told >= 2 && seen.recoveries >= 1, "{seen:#?}");
    assert!(seen.count("nodedown") >= 1, "{seen:#?}");
}
