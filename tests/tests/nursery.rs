//! Children of supervisors on the real Erlang VM: from templates and with ids, with names, and with
//! start options.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use otp_bridge_novm as _;
use otp_tests::application::{assert_observed, observe};

/// Observations of one run of the application.
static OBSERVED: LazyLock<BTreeMap<String, String>> =
    LazyLock::new(|| observe("tests/apps/nursery", "nursery.escript"));

#[test]
fn erlang_starts_a_process_with_its_argument_alone() {
    let expected = [
        ("hand_functions", "[1,2,3]"),
        ("plain_functions", "[1,2]"),
        ("from_erlang", "5"),
    ];
    assert_observed(&OBSERVED, &expected);
}

#[test]
fn children_of_a_template_are_started_and_ended_and_counted() {
    let expected = [
        ("terminated", "terminated"),
        ("alive", "[true,false,false,true]"),
        ("plain_count", "{1,3,0,3}"),
        ("plain_numbers", "[1,4,5]"),
        ("plain_ids", "0"),
        ("plain_ignored", "ignore"),
        ("plain_stopped", "superstitious"),
        ("machines", "{41,42}"),
    ];
    assert_observed(&OBSERVED, &expected);
}

#[test]
fn start_options_reach_the_children_of_a_template() {
    let expected = [
        ("tuned", "{7,true,true}"),
        ("tuned_again", "{{7,true,true},[hand]}"),
        ("tuned_number", "7"),
    ];
    assert_observed(&OBSERVED, &expected);
}

#[test]
fn children_with_ids_are_added_and_restarted_and_deleted() {
    let expected = [
        ("groups", "true"),
        ("mixed_before", "[pg,hand]"),
        ("mixed_started", "true"),
        ("mixed_again", "{already_started,true}"),
        (
            "mixed_template",
            "{badarg,<<\"the child spec of `hand` is a template: use `ChildSpec::of`\">>}",
        ),
        ("mixed_terminated", "{3,2,0,3}"),
        ("mixed_restarted", "true"),
        ("mixed_running", "running"),
        ("mixed_unknown", "not_found"),
        ("mixed_after", "[pg,hand]"),
    ];
    assert_observed(&OBSERVED, &expected);
}

#[test]
fn a_server_is_started_under_any_kind_of_name_once() {
    let names = "[{1,already_started},{2,already_started},{3,already_started}]";
    assert_observed(&OBSERVED, &[("names", names)]);
}

#[test]
fn what_is_left_of_the_start_is_done_after_init_and_before_any_message() {
    let expected = [
        ("chicks", "{{begun,chick,1},{poked,chick}}"),
        ("eggs", "{{begun,egg,1},{poked,egg}}"),
    ];
    assert_observed(&OBSERVED, &expected);
}

#[test]
fn a_sibling_that_is_started_later_is_waited_for_in_handle_start() {
    let siblings = "[{elder,37},{elder_poked,37},{younger_poked,1},{youngest,1}]";
    let expected = [("siblings", siblings), ("youngest", "ready")];
    assert_observed(&OBSERVED, &expected);
}
