//! Events of `log` and `tracing` reach `logger`, and printed text reaches the group leader, on the
//! real Erlang VM.

use otp_bridge_novm as _;
use otp_tests::application::{assert_observed, build, observe, root, run_in, text};

#[test]
fn a_panic_while_another_one_unwinds_is_named_before_the_vm_ends() {
    let ended = run_in(&build("tests/apps/logs"), "aborts.escript");
    let said = text(&ended.stderr);
    assert!(!ended.status.success(), "{said}");
    let path = root().join("tests/apps/logs/src/scribe.rs");
    let source = std::fs::read_to_string(path).expect("the source");
    let line = |message: &str| {
        let panics = format!(r#"panic!("{message}")"#);
        let line = source.lines().position(|line| line.contains(&panics));
        let line = line.expect("the panic is there") + 1;
        format!("logs/src/scribe.rs:{line}: {message}\n")
    };
    let panics = line("nasty") + &line("told to twice");
    let expected = format!(
        "scribe:handle_call/3 panicked while another panic unwound, which ends the VM:\n{panics}"
    );
    assert!(said.contains(&expected), "{said}");
}

#[test]
fn logs_reach_logger_from_everywhere() {
    let observed = observe("tests/apps/logs", "logs.escript");
    assert_observed(&observed, EVENTS);
    assert_observed(&observed, LEVELS);
    assert_observed(&observed, ELSEWHERE);
}

#[test]
fn no_message_and_no_group_leader_ends_or_blocks_the_helper() {
    let observed = observe("tests/apps/logs", "forged.escript");
    assert_observed(&observed, FORGED);
}

/// Answers after a series of forged messages.
const FORGED: &[(&str, &str)] = &[
    ("calls_ended", "[unanswered,unanswered,unanswered]"),
    ("served", "true"),
    ("helper_lives", "true"),
    ("libraries_stay", "true"),
    ("no_atoms", "true"),
    ("metadata_10", "true"),
    ("metadata_11", "true"),
    ("metadata_12", "true"),
    ("metadata_13", "true"),
    ("helper_still_lives", "true"),
    ("beside_a_silent_leader", "true"),
    ("nobody_waits_long", "true"),
    ("printed_later", r#"[<<"held by held\n">>]"#),
    ("handler_stays", "ok"),
    ("filter_stays", "true"),
    ("observes", "true"),
    ("observer_lives", "true"),
    ("observer_logs", "ok"),
    ("sys_state", "true"),
    ("sys_status", "{module,otp_rs_helper}"),
    ("sys_suspend", "{error,refused}"),
    ("nothing_ends_it", "{true,true}"),
    ("comes_again", "true"),
    ("forged_callers", "1000"),
    ("forged_callers_leave", "true"),
    ("starts_beside_it", "{ok,ok}"),
    ("nothing_written", "nothing"),
    ("written_later", r#"[<<"5">>,<<"6">>]"#),
    ("starts_without_the_name", "{ok,ok}"),
    ("logs_without_the_name", "true"),
    ("the_vm_lives", "true"),
];

/// Expected contents of events.
const EVENTS: &[(&str, &str)] = &[
    ("begins", r#"{info,<<"one begins">>}"#),
    ("loaded", "loaded"),
    ("line", r#"{info,{string,<<"a line">>}}"#),
    (
        "line_metadata",
        r#"{{scribe,handle_call,3},"logs/src/scribe.rs",true,<<"own">>,<<"logs::scribe">>}"#,
    ),
    ("line_process", "{true,true,true,true}"),
    ("line_keys", "[file,gl,line,mfa,module,pid,target,time]"),
    (
        "fields",
        r#"#{message => <<"came">>,<<"is_new">> => true,<<"name">> => <<"one">>,<<"ratio">> => 0.5,<<"user">> => 7}"#,
    ),
    (
        "fields_text",
        r#"<<"came is_new=true name=\"one\" ratio=0.5 user=7">>"#,
    ),
    ("spans", r#"[{<<"spans">>,#{}},{<<"inner">>,#{id => 5}}]"#),
    (
        "span_fields",
        r#"{#{message => <<"within">>,size => 2,what => <<"Some(1)">>},<<"logs::scribe">>}"#,
    ),
    ("span_text", r#"<<"within size=2 what=\"Some(1)\"">>"#),
    (
        "span_recorded",
        r#"{warning,{string,<<"after">>},[{<<"spans">>,#{}},{<<"inner">>,#{done => true,id => 5}}]}"#,
    ),
    (
        "spans_forged",
        r#"[{<<"spans">>,#{}},{<<"inner">>,#{id => 5}}]"#,
    ),
    (
        "spans_carried",
        r#"[{<<"outer">>,#{n => 1}},{<<"spans">>,#{}},{<<"inner">>,#{id => 5}}]"#,
    ),
];

/// Expected levels in `logger`.
const LEVELS: &[(&str, &str)] = &[
    ("levels_info", "[error,warning,info]"),
    ("levels_notice", "[error,warning]"),
    ("levels_module", "[error,warning,info,debug]"),
    ("levels_quiet_module", "error"),
    ("levels_all", "[error,warning,info,debug,debug]"),
    ("levels_left", "[]"),
];

/// Expected order, origin and metadata of events.
const ELSEWHERE: &[(&str, &str)] = &[
    ("metadata", "#{request => 77}"),
    ("metadata_dirty", "#{request => 77}"),
    ("metadata_task", "#{request => 77}"),
    ("task", r#"[<<"a task begins">>,<<"a task ends">>]"#),
    ("in_order", "true"),
    ("around", "true"),
    ("thread", "true"),
    (
        "thread_metadata",
        r#"#{target => <<"logs::scribe">>,thread => <<"writer">>}"#,
    ),
    ("while_it_holds", r#"{<<"it holds">>,timeout}"#),
    ("after_it_held", "{reply,true}"),
    ("printed", r#"{true,<<"printed by five\n">>}"#),
    ("printed_first", r#"{<<"after printing">>,true}"#),
    ("printed_by_another", r#"{true,<<"held by five\n">>}"#),
    ("before_the_panic", r#"{error,<<"it will panic">>}"#),
    ("destructor", r#"{<<"seven is dropped">>,true}"#),
    ("flood_bounded", "true"),
    ("flood", "{30000,true}"),
    ("helper_lives", "true"),
    ("run_time", "[{ok,[]},{ok,[]}]"),
];
