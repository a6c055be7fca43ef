//! Shared resources (`tests/apps/upgrades/src/common.rs`) at a start, an upgrade and a stop.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use otp_tests::application::{assert_observed, observe_in};

use crate::BUILT;

static OBSERVED: LazyLock<BTreeMap<String, String>> =
    LazyLock::new(|| observe_in(BUILT.path(), "upgrades_shared.escript"));

/// Returns a list of binaries in Erlang's notation.
fn lines(lines: &[&str]) -> String {
    let lines: Vec<String> = lines.iter().map(|line| format!("<<\"{line}\">>")).collect();
    format!("[{}]", lines.join(","))
}

#[test]
fn a_resource_that_cannot_be_opened_keeps_the_application_from_starting() {
    let not_started = "[{<<\"upgrades::common::POOL\">>,<<\"no connections today\">>},\
         {<<\"upgrades::common::POOL\">>,<<\"panicked: the pool panics (src/common.rs:PLACE)\">>}]";
    let observed = OBSERVED["not_started"].clone();
    let place = observed.rsplit_once("common.rs:").map(|(_, rest)| rest);
    let place = place
        .and_then(|rest| rest.split_once(')'))
        .map(|(line, _)| line);
    let expected = not_started.replace("PLACE", place.expect("a line"));
    assert_eq!(observed, expected);
    let (opened, closed) = ("opened journal 1", "closed journal 1");
    let again = lines(&[opened, closed, opened, closed]);
    assert_observed(&OBSERVED, &[("closed_again", &again)]);
}

#[test]
fn another_process_with_the_name_of_the_keeper_refuses_the_start() {
    let refused = "{<<\"otp_rs_shared_upgrades\">>,<<\"another process has this name\">>,[]}";
    assert_observed(&OBSERVED, &[("name_taken", refused)]);
}

#[test]
fn folders_of_killed_vms_are_removed_and_links_are_not_followed() {
    assert_observed(&OBSERVED, &[("swept", "{[true,false],false}")]);
}

#[test]
fn another_process_with_the_name_of_an_upgrade_does_not_make_it_wait() {
    assert_observed(&OBSERVED, &[("squatters", "[{error,another_upgrade},ok]")]);
}

#[test]
fn resources_are_open_before_the_root_supervisor_begins_in_the_order_of_their_declarations() {
    let started = lines(&["opened journal 1", "opened pool 1", "began 1"]);
    assert_observed(&OBSERVED, &[("started", &started)]);
}

#[test]
fn a_resource_may_be_away_at_the_start_and_at_an_upgrade_and_comes_back() {
    let expected = [
        ("away", "<<\"upgrades::common::RATES\">>"),
        ("comes_back", "2"),
    ];
    assert_observed(&OBSERVED, &expected);
}

#[test]
fn no_process_finds_a_resource_closed_or_empty_while_it_changes_over() {
    assert_observed(&OBSERVED, &[("under_load", "{[],true,<<\"2\">>}")]);
}

#[test]
fn resources_of_the_old_build_are_closed_when_its_last_process_has_left() {
    let upgraded = lines(&[
        "opened journal 2",
        "opened pool 2",
        "began 2",
        "closed pool 1",
        "closed journal 1",
    ]);
    let expected = [
        ("stays_open", "{true,true}"),
        ("upgraded", &*format!("{{true,{upgraded}}}")),
    ];
    assert_observed(&OBSERVED, &expected);
}

#[test]
fn an_upgrade_is_refused_if_the_new_build_cannot_open_a_resource() {
    let refused = &OBSERVED["refused"];
    let expected = "[<<\"upgrades::common::RATES\">>,<<\"no connections today\">>,\
         <<\"panicked: the pool panics (";
    assert!(refused.starts_with(expected), "{refused}");
    assert_observed(&OBSERVED, &[("nothing_changed", "{true,true,2}")]);
}

#[test]
fn an_upgrade_that_ends_while_it_opens_a_resource_changes_nothing() {
    let closed = lines(&[
        "opened journal 1",
        "waits for the pool 1",
        "closed journal 1",
    ]);
    let expected = [
        ("cancelled", &*format!("{{true,{closed}}}")),
        ("killed", &*format!("{{true,{closed},true}}")),
    ];
    assert_observed(&OBSERVED, &expected);
}

#[test]
fn the_process_that_closes_resources_takes_no_forged_message() {
    assert_observed(&OBSERVED, &[("forged", "{true,true,[]}")]);
}

#[test]
fn at_a_stop_resources_are_closed_after_the_last_process_in_the_other_order() {
    let stopped = lines(&["uses the pool 2", "closed pool 2", "closed journal 2"]);
    let again = lines(&["opened journal 2", "opened pool 2", "began 2"]);
    let expected = [("stopped", &*stopped), ("started_again", &again)];
    assert_observed(&OBSERVED, &expected);
}

#[test]
fn resources_are_closed_however_the_application_ends() {
    let ended = lines(&[
        "opened journal 2",
        "opened pool 2",
        "began 2",
        "closed pool 2",
        "closed journal 2",
    ]);
    assert_observed(
        &OBSERVED,
        &[("keeper_killed", &*ended), ("master_killed", &ended)],
    );
}
