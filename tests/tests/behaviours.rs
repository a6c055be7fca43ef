//! State machines, event handlers, bridges and applications on the real Erlang VM.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use otp_bridge_novm as _;
use otp_tests::application::{assert_observed, observe, otp_rs, text};

/// Observations of one run of the application.
static OBSERVED: LazyLock<BTreeMap<String, String>> =
    LazyLock::new(|| observe("tests/apps/behaviours", "behaviours.escript"));

#[test]
fn a_state_machine_of_one_function_does_all_that_a_gen_statem_does() {
    let expected = [
        ("door_mode", "[handle_event_function,state_enter]"),
        ("door_first_entered", "{entered,locked,locked}"),
        ("door_begun", "{timeout,begun}"),
        ("door_stop", "{error,{no,luck}}"),
        ("door_ignore", "ignore"),
        ("door_panic", r#"<<"told to">>"#),
        ("door_wrong_code", "false"),
        ("door_right_code", "true"),
        ("door_entered", "{entered,locked,{open,1}}"),
        ("door_knocked", "ok"),
        ("door_opened_again", "{entered,{open,1},{open,2}}"),
        ("door_closes", "{state_timeout,close}"),
        ("door_closed", "{entered,{open,2},locked}"),
        ("door_again", "{entered,locked,locked}"),
        ("door_within", "{{internal,first},{internal,second}}"),
        ("door_info", "{info,{some,info}}"),
        ("door_soon", "{timeout,soon}"),
        ("door_not_soon", "{info,stopping}"),
        ("door_alarm", "{{timeout,{a,name}},alarm}"),
        ("door_other_alarm", "{{timeout,two},alarm}"),
        ("door_slept", "{slept,{info,waited}}"),
        ("door_hibernated", "true"),
        ("door_new_code", "{false,true}"),
        ("door_bye", "ok"),
        ("door_bye_terminate", "{terminate,normal,locked}"),
        ("door_bye_reason", "normal"),
        (
            "door_stopped",
            "{{terminate,{shutdown,done},locked},{shutdown,done}}",
        ),
        (
            "door_panicked",
            r#"{<<"at the door">>,<<"behaviours/src/door.rs">>}"#,
        ),
        ("door_unknown_cast", "{cast,{sleep,-1}}"),
    ];
    assert_observed(&OBSERVED, &expected);
}

#[test]
fn a_state_machine_of_state_functions_is_in_the_state_that_its_function_names() {
    let expected = [
        ("light_mode", "[state_enter,state_functions]"),
        ("light_name", "off"),
        ("light_entered", "[off,'half-on',on,off]"),
        ("light_kicked", r#"{<<"light:off/3">>,3}"#),
    ];
    assert_observed(&OBSERVED, &expected);
}

#[test]
fn a_clause_is_there_if_its_condition_holds() {
    let expected = [
        ("platform_asked", "{[1,3,13,26],5}"),
        ("platform_handle_continue", "false"),
        ("platform_gone", r#"{<<"platform:handle_call/3">>,2}"#),
    ];
    assert_observed(&OBSERVED, &expected);
}

#[test]
fn handlers_of_events_come_go_and_fail_without_their_manager() {
    let expected = [
        ("tally_call", "7"),
        ("tally_info", "{info,{some,info}}"),
        ("tally_last", "7"),
        ("tally_removed", "{terminate,remove_handler}"),
        ("tally_gone", "[]"),
        ("tally_hibernated", "true"),
        ("tally_removes_itself", "{terminate,remove_handler}"),
        ("tally_deleted", "{0,{terminate,deleted}}"),
        ("tally_swapped", "{terminate,swapped}"),
        ("quiet_taken", "5"),
        ("tally_error", "{error,{no,luck}}"),
        ("tally_init_panic", r#"<<"told to">>"#),
        (
            "tally_panicked",
            r#"{<<"lost count">>,<<"behaviours/src/tally.rs">>}"#,
        ),
        ("events_alive", "{true,[quiet]}"),
    ];
    assert_observed(&OBSERVED, &expected);
}

#[test]
fn a_bridge_puts_a_part_under_its_supervisor() {
    let expected = [
        ("bridge_children", "[{outside,supervisor,[outside]}]"),
        ("bridge_restarted", "true"),
        ("bridge_terminate", "{shutdown,undefined}"),
        ("bridge_ignore", "ignore"),
        ("bridge_error", "{error,no_part}"),
    ];
    assert_observed(&OBSERVED, &expected);
}

#[test]
fn an_application_is_told_of_its_start_and_of_its_end() {
    let expected = [
        ("app_started", "normal"),
        ("app_stopped", r#"[<<"one">>,<<"two">>]"#),
    ];
    assert_observed(&OBSERVED, &expected);
}

#[test]
fn a_behaviour_of_the_applications_own_is_written_in_rust() {
    let expected = [
        ("visitor_enough", "{answer,3}"),
        ("visitor_end", "{answer,6}"),
        ("visitor_none", "none"),
        ("visitor_error", "{error,no_limit}"),
        ("visitor_looks", "[{answer,0},{answer,0}]"),
        ("visitor_goes_on", "go_on"),
    ];
    assert_observed(&OBSERVED, &expected);
}

/// A state as in `cowboy_websocket`: callbacks get a state that no callback's form creates.
#[test]
fn a_state_that_no_callback_makes_is_handed_from_call_to_call() {
    let expected = [
        ("channel_served", r#"{[<<"a">>,<<"b">>],{seen,2}}"#),
        ("channel_refused", "refused"),
        ("channel_state", "{{ok,{seen,7}},error}"),
        ("channel_closed", "ok"),
    ];
    assert_observed(&OBSERVED, &expected);
}

/// The checked-in Rust of the applications' own behaviours is what their sources give.
#[test]
fn the_behaviours_of_the_applications_own_are_fresh() {
    let of = "gen-types visitor channel --src erlang --path crate::generated --check src/generated";
    let arguments: Vec<&str> = of.split_whitespace().collect();
    let checked = otp_rs("tests/apps/behaviours", &arguments);
    assert!(checked.status.success(), "{}", text(&checked.stderr));
}

#[test]
fn a_crash_report_shows_state_and_data() {
    let shown = &OBSERVED["door_shown"];
    for part in [
        "State machine",
        "Reason: shown",
        "{locked,",
        "Door { observer: ",
    ] {
        assert!(shown.contains(part), "{part} in {shown}");
    }
}
