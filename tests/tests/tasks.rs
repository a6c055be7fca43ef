//! Tasks inside processes on the real Erlang VM, with the application `tasks`.

use std::collections::BTreeMap;

use otp_bridge_novm as _;
use otp_tests::application::{assert_observed, observe};

fn tasks(script: &str) -> BTreeMap<String, String> {
    observe("tests/apps/tasks", script)
}

#[test]
fn tasks_run_while_their_process_serves_others() {
    let observed = tasks("tasks.escript");
    let pongs = format!("[{}]", ["ok"; 20].join(","));
    let expected = [
        ("sum", "500500"),
        ("panics", "panic"),
        ("told", "[soon,late]"),
        ("called", pongs.as_str()),
        ("status", "true"),
        ("counted", "busy"),
        ("beside", "beside"),
        ("aborted", "1000"),
        ("mailbox", "{message_queue_len,0}"),
        ("chain", "5000"),
        ("many", "5000050000"),
        ("sleepers", "0"),
        ("bounded", "{true,true,[1,3],true}"),
        ("broadcast", "{2,2,2,[1,1,2]}"),
        ("raced", "{{1,2},true,ok}"),
        ("callers", "{true,true,true,false}"),
        (
            "given",
            r#"{{true,{ok,ok},<<"heard">>},{true,{ok,ok},<<"heard">>}}"#,
        ),
        ("asks", "499500"),
        ("scoped", "{0,{failed,1},0}"),
        ("watched", "{ok,3}"),
        ("listened", r#"[<<"one">>,<<"two">>]"#),
        ("listens_served", "ok"),
        ("opened", "[1,3]"),
        ("fair", "true"),
        ("million_each", "true"),
        ("million_status", "true"),
        ("million_ended", "true"),
        ("million_back", "true"),
        ("million_killed", "true"),
        ("greedy", r#"{owner,<<"owner.rs">>,true}"#),
        ("linked", "panic"),
    ];
    assert_observed(&observed, &expected);
}

#[test]
fn nobody_else_answers_an_operation() {
    let observed = tasks("tasks_forged.escript");
    let expected = [
        ("not_forged", "{reply,ok}"),
        ("not_forged_in_a_task", "ok"),
        ("forged_serves", "ok"),
        ("forged_machine", "off"),
    ];
    assert_observed(&observed, &expected);
}

#[test]
fn a_task_on_a_dirty_scheduler_is_dropped_once_if_its_process_is_killed() {
    let observed = tasks("tasks_held.escript");
    let expected = [("dropped_while_it_runs", "0"), ("dropped", "1")];
    assert_observed(&observed, &expected);
}

#[test]
fn a_task_goes_on_whose_timer_ends_together_with_a_callback() {
    let observed = tasks("tasks_late.escript");
    assert_observed(&observed, &[("goes_on", "true")]);
}

#[test]
fn a_task_goes_on_beside_reports_and_refused_messages() {
    let observed = tasks("tasks_told.escript");
    let expected = [
        ("held", "true"),
        ("cast_refused", "true"),
        ("call_refused", "true"),
        ("message_refused", "true"),
    ];
    assert_observed(&observed, &expected);
}

#[test]
fn processes_of_all_kinds_have_tasks() {
    let observed = tasks("tasks_kinds.escript");
    let expected = [
        ("told", "[soon,late]"),
        ("ticked", "{ticked,5}"),
        ("named", "true"),
        ("state_timeout", "{1,[{state_timeout,close}]}"),
        ("postponed", "postponed"),
        ("state_left", "{0,[]}"),
        ("info", "{info,hello}"),
        ("status", "true"),
        ("event_timeout", "{1,[{timeout,soon}]}"),
        ("event_stopped_it", "{0,[]}"),
        ("event_timeout_comes", "{timeout,soon}"),
        ("event_timeout_comes_once", "{0,[]}"),
        ("listened", r#"[<<"one">>,<<"two">>]"#),
        ("heard_by_the_machine", "{info,neither}"),
        ("idle", "true"),
        ("freed", "true"),
        ("linked", "panic"),
        ("states", "{0,1}"),
        ("rung", "rung"),
        (
            "left",
            r#"{bell,<<"bell.rs">>,ended_with,<<"bell:handle_event/2">>}"#,
        ),
        ("handlers", "{again,[bell]}"),
        ("slept", "slept"),
        ("plain_heard", r#"[<<"one">>,<<"two">>]"#),
        ("plain_waiting", "1000"),
        ("stopped", "enough"),
        ("plain_ended", "normal"),
        ("plain_left", "0"),
        ("killed", "true"),
    ];
    assert_observed(&observed, &expected);
}

#[test]
fn a_pool_runs_tasks_in_its_workers() {
    let observed = tasks("pool.escript");
    let expected = [
        ("no_worker", "no_worker"),
        ("sum", "50005000"),
        ("placed", "true"),
        ("same_place", "true"),
        ("loads", "[3,3,3]"),
        ("released", "{9,[0,0,0]}"),
        ("failed", "{sold_out,7}"),
        ("panicked", "panic"),
        ("across", "{60000,true,300030000}"),
        ("batches", "true"),
        ("lost", "worker_down"),
        ("restarted", "500500"),
        ("same_lives", "2"),
    ];
    assert_observed(&observed, &expected);
}

#[test]
fn functions_of_erlang_run_as_tasks_in_their_order() {
    let observed = observe("examples/blink", "blink.escript");
    assert_observed(
        &observed,
        &[
            ("order", "[{foo,0},{bar,1}]"),
            ("failed", "{{badmatch,2},goes_on}"),
            ("spawned", "3"),
        ],
    );
}
