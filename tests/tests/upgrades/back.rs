//! Going back to an older build whose states have other types: clauses of `code_change` with a
//! `Downgrade`, in the running build, make the older states.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use otp_tests::application::{assert_observed, observe_in};

use crate::BUILT;

static OBSERVED: LazyLock<BTreeMap<String, String>> =
    LazyLock::new(|| observe_in(BUILT.path(), "upgrades_back.escript"));

#[test]
fn states_that_have_changed_go_back_and_others_stay() {
    let up = "[{counter,converted},{crew,converted},{ear,converted},{light,converted},\
              {purse,converted},{stroot,supervisor}]";
    let expected = [
        ("up", up),
        ("up_states", "{103,{{1,<<\"5\">>},dark},6}"),
        ("down", &up.replace("converted", "converted_back")),
        (
            "changed",
            "[{counter,2},{crew,2},{ear,1},{light,1},{purse,1},{stroot,1}]",
        ),
        ("same_processes", "true"),
        (
            "down_states",
            "{103,1,<<\"2\">>,{{3,<<\"2\">>},on},7,{7,<<\"2\">>}}",
        ),
        ("one_library", "1"),
    ];
    assert_observed(&OBSERVED, &expected);
}

/// A timer, a monitor and a caller that waits for its reply are in a state that goes back.
#[test]
fn whatever_a_state_has_goes_back() {
    let heard = "[<<\"down true\">>,<<\"late true in 2\">>,<<\"rested in 5\">>]";
    assert_observed(&OBSERVED, &[("heard", heard)]);
}

#[test]
fn a_module_without_a_clause_is_refused_before_anything_is_loaded() {
    let expected = [
        (
            "refused",
            "[{counter,changed},{crew,changed},{purse,changed}]",
        ),
        ("not_loaded", "{true,<<\"3\">>}"),
    ];
    assert_observed(&OBSERVED, &expected);
}

#[test]
fn no_process_goes_back_if_one_clause_panics_or_refuses() {
    let expected = [
        (
            "panics",
            "{true,<<\"17 brings bad luck as well\">>,\"counter.rs\"}",
        ),
        ("as_it_was", "{true,<<\"5\">>,17}"),
        ("refuses", "{true,true}"),
    ];
    assert_observed(&OBSERVED, &expected);
}

#[test]
fn a_state_machine_does_not_go_back_in_a_state_that_the_older_build_lacks() {
    assert_observed(&OBSERVED, &[("not_a_state", "{not_a_state,dark}")]);
}

#[test]
fn nothing_changes_if_going_back_is_killed() {
    let as_it_was = "{true,<<\"5\">>,<<\"5\">>}";
    let expected = [("asker_killed", as_it_was), ("upgrade_killed", as_it_was)];
    assert_observed(&OBSERVED, &expected);
}

#[test]
fn a_node_remembers_the_build_before_the_last_upgrade() {
    let expected = [
        ("builds_at_first", "none"),
        ("remembered", "true"),
        ("there_and_back", "{true,true}"),
    ];
    assert_observed(&OBSERVED, &expected);
}
