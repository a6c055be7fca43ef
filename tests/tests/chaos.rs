//! Servers that are terminated at arbitrary points, on the real Erlang VM, with the application
//! `chaos`. `cargo xtask soak` runs longer.

use otp_bridge_novm as _;
use otp_tests::application::{assert_observed, observe};

#[test]
fn every_call_ends_as_it_does_in_otp_and_the_vm_outlives_all() {
    let observed = observe("tests/apps/chaos", "chaos.escript");
    // For each check, the number of calls and processes whose end was checked; none of them may
    // have ended in a wrong way.
    let ends = [
        ("walks", "120"),
        ("long_walks", "200"),
        ("holds", "48"),
        ("answers", "62"),
        ("dropped", "21"),
        ("children", "301"),
        ("resources", "300"),
        ("timers", "50"),
        ("mailbox_answered", "100002"),
        ("mailbox_killed", "100002"),
        ("crowd", "200001"),
        ("lost_node", "80"),
    ];
    for (key, count) in ends {
        let wrong = format!("{key}_wrong");
        assert_observed(&observed, &[(&wrong, "[]"), (key, count)]);
    }
    // No process, state or resource is left, and the supervision tree is the initial one.
    assert_observed(&observed, &[("settled", "true"), ("same_root", "true")]);
}
