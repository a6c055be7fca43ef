//! States that stay in place, concurrent operations, callers, messages and schedulers on the real
//! Erlang VM, with the application `ground`.

mod endings;
mod status;

use std::collections::BTreeMap;
use std::path::Path;

use otp_bridge_novm as _;
use otp_tests::application::{assert_observed, observe, root};

fn ground(script: &str) -> BTreeMap<String, String> {
    observe("tests/apps/ground", script)
}

/// Returns the number of the first line that contains this text.
fn line_of(source: &Path, part: &str) -> String {
    let text = std::fs::read_to_string(source).expect("the source");
    let place = text.lines().position(|line| line.contains(part));
    (place.expect(part) + 1).to_string()
}

#[test]
fn operations_are_under_way_at_once_and_what_loses_is_never_seen() {
    let observed = ground("ground_joins.escript");
    let expected = [
        ("under_way", "{{asked,one},{asked,other}}"),
        ("joined", "{ok,{1,2}}"),
        ("in_time", "5"),
        ("nothing_else_came", "[]"),
        ("race", "{ok,slept}"),
        ("race_sees", "[{answered,raced}]"),
        ("race_left", "true"),
        (
            "try_join",
            "{ok,{noproc,{gen_server,call,[nobody_there,{echo,1},5000]}}}",
        ),
        ("try_join_sees", "[{answered,cancelled}]"),
        ("try_join_left", "true"),
        ("late", r#"{ok,<<"the time limit was reached">>}"#),
        ("late_sees", "[{answered,late}]"),
        ("late_left", "true"),
        ("forgotten", "{ok,ok}"),
        ("forgotten_sees", "[{answered,forgotten}]"),
        ("forgotten_left", "true"),
        ("dropped", "{ok,ok}"),
        ("dropped_sees", "[{answered,dropped}]"),
        ("dropped_left", "true"),
        ("doubly", "{ok,8}"),
        ("kept", "{ok,{1,2}}"),
        ("work_beside", "{1,2,3,4}"),
        (
            "after_its_end",
            r#"<<"an operation was polled after it had ended">>"#,
        ),
        ("calls", "500500"),
        ("each", "21"),
        ("unordered_calls", "500500"),
        ("unordered_sleeps", "500500"),
        ("functions", "500500"),
        ("crowd_sees", "0"),
        ("crowd_left", "true"),
        ("never", r#"<<"patient:handle_call/3">>"#),
        ("never_beside", "true"),
        ("thread", "{ok,ok}"),
        ("beside_a_sleep", "{ok,ok}"),
        ("too_late", "[woken]"),
    ];
    assert_observed(&observed, &expected);
    let reasons = [
        "[undef,",
        "{nodedown,'no@such.node'}",
        "{noproc,",
        "{calling_self,",
        "{calling_self,true}]",
    ];
    for reason in reasons {
        assert!(
            observed["no_such"].contains(reason),
            "{}",
            observed["no_such"]
        );
    }
}

#[test]
fn callers_are_kept_handed_on_and_never_left_waiting_in_vain() {
    let observed = ground("ground_callers.escript");
    let place = |file: &str, part: &str| {
        let line = line_of(&root().join("tests/apps/ground/src").join(file), part);
        format!("(ground/src/{file}:{line})")
    };
    let dropped = |clause: &str, part: &str| {
        let place = place("desk.rs", part);
        format!(r#"<<"desk:{clause} has dropped its caller PID without a reply {place}">>"#)
    };
    let logged = &*dropped("handle_call/3 of Forget", "_: Forget, caller: Caller");
    let untyped = &*dropped("handle_call/3 of Untype", "_: Untype, caller");
    let mislaid = &*dropped("handle_info/2 of Mislaid", "_: Mislaid");
    let spawned = line_of(
        &root().join("tests/apps/ground/src/desk.rs"),
        "spawn_process(counter)",
    );
    let received = &*format!(
        r#"<<"ground_nif:spawned/1 of ground/src/desk.rs:{spawned} has dropped its caller PID without a reply (ground/src/desk.rs:{spawned})">>"#
    );
    let source = root().join("tests/apps/ground/src/mill.rs");
    let text = std::fs::read_to_string(source).expect("the source");
    let lines = text.lines().enumerate();
    let functions = lines.filter(|(_, line)| line.contains("fn handle_event("));
    let functions: Vec<usize> = functions.map(|(line, _)| line + 1).collect();
    let lost = |message: &str, clause: usize| {
        let line = functions[clause];
        format!(
            r#"<<"mill:handle_event/4 of {message} has dropped its caller PID without a reply (ground/src/mill.rs:{line})">>"#
        )
    };
    let (lost, swept) = (
        &*lost("(call, Caller<u64>), Grind", 1),
        &*lost("ExternalEventType, Sweep", 2),
    );
    let expected = [
        ("kept", "{ok,3}"),
        ("handed", "99"),
        ("handed_without_a_word", "[]"),
        ("server_ended", "normal"),
        ("panic_seen", "panic"),
        ("nobody_seen", "noproc"),
        ("stop_seen", "stopped"),
        ("ended_without_a_word", "[]"),
        ("forgotten", "unanswered"),
        ("forgotten_logged", logged),
        ("forgotten_without_end", "unanswered"),
        ("forgotten_without_end_logged", logged),
        ("forgotten_untyped", "unanswered"),
        ("forgotten_untyped_logged", untyped),
        ("forgotten_in_a_message", "unanswered"),
        ("forgotten_in_a_message_logged", mislaid),
        ("forgotten_request", "unanswered"),
        ("forgotten_later", "unanswered"),
        ("rust_caller", "{unanswered,8,unanswered}"),
        ("rust_caller_sees", "[]"),
        ("pending_sees", "[unanswered]"),
        ("received", "unanswered"),
        ("received_logged", received),
        ("received_answered", "7"),
        ("received_end", "normal"),
        ("received_without_a_word", "[]"),
        ("machine", "unanswered"),
        ("machine_logged", lost),
        ("machine_enum", "unanswered"),
        ("machine_enum_logged", swept),
        ("machine_enum_answered", "1"),
        ("machine_waits", "2"),
        ("machine_ended", "ground"),
        ("machine_without_a_word", "[]"),
        ("unhelped", "unanswered"),
        ("looked_at", "{ok,4}"),
        ("waiting_no_more", "[]"),
    ];
    assert_observed(&observed, &expected);
}

#[test]
fn nodes_are_connected_and_asked_and_groups_are_monitored() {
    let observed = ground("ground_nodes.escript");
    let expected = [
        ("without_a_name", "notalive"),
        ("members", "true"),
        ("heard", "true"),
        ("ended", "{true,false}"),
        ("heard_no_more", "2"),
        ("connected", "true"),
        ("lost", "true"),
    ];
    assert_observed(&observed, &expected);
}

#[test]
fn a_server_that_refuses_bad_messages_keeps_its_state() {
    let observed = ground("ground_refused.escript");
    let expected = [
        ("carried", "7"),
        (
            "ill_typed",
            r#"{<<"porter:handle_call/3">>,#{expected => <<"0..4294967295">>,got => <<"heavy">>,path => <<"Request.1.weight">>}}"#,
        ),
        (
            "unknown",
            r#"[<<"no_such_request">>,<<"no_such_request">>]"#,
        ),
        ("rust_caller", r##"<<"#{weight := 0..4294967295}">>"##),
        ("nothing_left", "{{messages,[]},{messages,[]}}"),
        ("state_after_calls", "{true,{porter,7}}"),
        ("calls_logged", "[]"),
        ("state_after_messages", "{porter,5}"),
        (
            "logged",
            r##"<<"porter:handle_cast/2 has dropped a message that it does not take: {bad_term,#{expected => <<\"0..4294967295\">>,got => <<\"heavy\">>,path => <<\"Request.1\">>}}">>"##,
        ),
        ("logged_rarely", "true"),
        ("machine", "{open,{barrier,1}}"),
        ("own_end", "never_opened"),
        ("no_state", "no_clause"),
    ];
    assert_observed(&observed, &expected);
}

#[test]
fn a_shell_sees_and_replaces_the_states_of_running_processes() {
    let observed = ground("ground_callers.escript");
    let expected = [
        ("wrong_state", r#"{bad_term,<<"wrong">>}"#),
        ("failing_fun", "error"),
        ("desk_lives", "5"),
        ("opaque", "true"),
        (
            "opaque_stays",
            r#"<<"the state's type does not derive `Term`: it can be read, but not replaced">>"#,
        ),
        ("data", "{mill,6}"),
        ("new_data", "61"),
        ("handlers", r#"[{ear,{ear,7}},{wall,<<"Wall">>}]"#),
        ("new_handlers", "8"),
        ("no_rust", "{error,no_rust_state}"),
    ];
    assert_observed(&observed, &expected);
}

#[test]
fn messages_arrive_in_order_wherever_the_receiver_is() {
    let observed = ground("ground_sends.escript");
    let expected = [
        ("in_order", "true"),
        ("from_a_thread", "true"),
        ("lost", "0"),
        ("nothing_came", "none"),
        ("later", "later"),
        ("again", "[again,again,again]"),
        ("far", "[1,2,3,4,5]"),
        ("far_call", "21"),
        ("far_gone", "nodedown"),
    ];
    assert_observed(&observed, &expected);
}

#[test]
fn a_clause_that_is_slow_is_called_on_a_dirty_scheduler_from_then_on() {
    let observed = ground("ground_moves.escript");
    let expected = [
        ("first", r#"{<<"normal">>,1}"#),
        ("burn", "true"),
        (
            "shown",
            r#"[<<"mover:handle_call/3 of Burn (now on a dirty CPU scheduler)">>]"#,
        ),
        ("wait", r#"{<<"normal">>,true}"#),
        ("later", r#"{<<"normal">>,true,<<"dirty_cpu">>}"#),
        ("pinned", r#"[<<"normal">>]"#),
        ("others", r#"<<"normal">>"#),
        ("resumed", r#"{{<<"normal">>,<<"normal">>},true}"#),
        ("once", "1"),
        ("comes_back", "true"),
        ("interrupted", "true"),
        ("killed", "killed"),
        ("next", "1"),
        ("crowded", "true"),
        ("crowded_once", "1"),
        (
            "told",
            r#"[{<<"Burn">>,dirty_cpu},{<<"Later">>,dirty_cpu},{<<"Resumed">>,dirty_cpu},{<<"Wait">>,dirty_io}]"#,
        ),
    ];
    assert_observed(&observed, &expected);
}

/// There is one scheduler of each kind.
#[test]
fn nobody_waits_for_a_callback_that_gives_way_or_says_where_it_runs() {
    let observed = ground("ground_schedulers.escript");
    let released = "{500500,{ok,released}}";
    let expected = [
        ("cpu", released),
        ("io", released),
        ("across", released),
        ("dirty", released),
        ("blocking", released),
        ("checkpoint", released),
        ("politely", released),
        ("yielding", released),
        ("long_message", released),
        ("short_message", "released"),
        ("long_result", released),
        ("long_result_beside", released),
        ("long_received", released),
        ("long_reply", "{500500,100000,[released]}"),
        ("short_reply", "[released,released]"),
        ("other_kind", "{ok,released}"),
        ("same_kind_waits", "true"),
        ("same_kind", "{{ok,released},{ok,released}}"),
        ("killed", "killed"),
        ("state_is_there", "true"),
        ("state_dropped", "1"),
        ("turns", "true"),
        ("warned_when_off", "none"),
        (
            "warned",
            r#"#{arity => 3,function => handle_call,message => <<"Hold">>,module => heavy}"#,
        ),
        ("warned_time", "true"),
        (
            "warned_text",
            r#"<<"heavy:handle_call/3 of Hold held its scheduler for N ms (N ms of processor time): give way by cx.checkpoint(), or run it under #[dirty(cpu)]">>"#,
        ),
        ("warned_worked", "true"),
        ("warned_when_off_again", "none"),
        ("interrupted", "none"),
        (
            "warned_rest",
            r#"<<"heavy:handle_call/3 of Rest held its scheduler for N ms (N ms of processor time): wait in cx.blocking(), or run it under #[dirty(io)]">>"#,
        ),
    ];
    assert_observed(&observed, &expected);
}

/// Resolving the names in a Rust stack takes a tenth of a second.
#[test]
fn the_stack_of_a_panic_is_logged_and_holds_no_scheduler() {
    let observed = ground("ground_backtraces.escript");
    let expected = [
        ("backtraces", "[{true,false},{true,false},{true,false}]"),
        ("held", "none"),
    ];
    assert_observed(&observed, &expected);
}

#[test]
fn safe_code_at_its_worst_ends_its_own_process() {
    let observed = ground("ground_rude.escript");
    let expected = [
        ("elsewhere", "{[],[],[]}"),
        ("elsewhere_and_die", r#"<<"a scoped thread panicked">>"#),
        ("told", "[dropped,dropped,from_a_thread,from_a_thread]"),
        ("panics", "normal"),
        ("unspeakable", "true"),
        ("dropped_late", r#"<<"nasty">>"#),
        ("guarded", "killed"),
        ("waker_killed", "killed"),
        ("waker_call", "killed"),
        ("listener_lives", "true"),
        ("the_vm_lives", "true"),
    ];
    assert_observed(&observed, &expected);
}
