//! Messages by type, signals, timers and processes on the real Erlang VM, with the application
//! `mailbox`.

use std::collections::BTreeMap;

use otp_bridge_novm as _;
use otp_tests::application::{assert_observed, observe};

fn mailbox(script: &str) -> BTreeMap<String, String> {
    observe("tests/apps/mailbox", script)
}

#[test]
fn a_message_is_received_by_its_type_and_all_others_stay() {
    let observed = mailbox("mailbox_receive.escript");
    let left = "[{other,1},{other,2},{number,2,2},number,{other,3},{number,4},{other,4}]";
    let wrong = r#"[{expected,<<"0..4294967295">>},{got,<<"one">>},{path,<<"Message.1">>}]"#;
    let either = "{ok,[{word,one},{number,2},stop,{word,two}]}";
    let expected = [
        ("in_order_alone", "{ok,[1,2,3]}"),
        ("left_alone", left),
        ("in_order_beside", "{ok,[1,2,3]}"),
        ("left_beside", left),
        ("thousands_alone", "true"),
        ("thousands_left_alone", "true"),
        ("thousands_beside", "true"),
        ("thousands_left_beside", "true"),
        ("wrong_inside_alone", wrong),
        ("wrong_inside_beside", wrong),
        ("either", either),
        ("either_left", "[{other,1},{number,3}]"),
        ("either_beside", either),
        ("either_beside_left", "[{other,1},{number,3}]"),
        ("both", "{ok,{{number,1},{word,first}}}"),
        ("two", "{ok,{{number,1},{number,2}}}"),
        ("several_left", "[{word,second},{number,3}]"),
        ("within", "{true,7}"),
        ("limited", "{true,{number,8}}"),
        ("limits_left", "[{other,1}]"),
        ("wide", "{ok,#{any => thing}}"),
        ("wide_beside", "{ok,#{any => thing}}"),
    ];
    assert_observed(&observed, &expected);
    // An operation that loses a race leaves the mailbox unchanged.
    let expected = [
        ("loses", "{ok,first}"),
        ("loses_left", "[{other,1},{number,1},{other,2},{number,2}]"),
        ("loses_alone", "{ok,first}"),
        ("loses_alone_left", "[{number,3}]"),
        ("kept", "{ok,{false,{number,4},{number,5}}}"),
        ("kept_left", "[{number,6}]"),
    ];
    assert_observed(&observed, &expected);
}

#[test]
fn signals_timers_sockets_and_nodes_are_typed_messages() {
    let observed = mailbox("mailbox_signals.escript");
    let expected = [
        ("monitored", "[0,1,2,3,4]"),
        (
            "down",
            "[{3,{nobody,nonode@nohost},noproc},{4,{nobody,nonode@nohost},noproc},{2,pid,gone},{1,{two,nonode@nohost},gone}]",
        ),
        ("demonitored", "[true,false,false]"),
        ("not_seen", "[]"),
        ("waited", "{ok,five}"),
        ("other_one", "[{5,pid,four}]"),
        ("trap_exit", "[false,true]"),
        ("exits", "[{exit_of_one,gone}]"),
        ("exit", "{told,to}"),
        (
            "aliases",
            r#"[{<<"other">>,by_alias},{<<"other">>,by_itself}]"#,
        ),
        ("unaliased", r#"[{<<"other">>,direct}]"#),
        ("flags", "{high,true}"),
        ("bad_flag", "badarg"),
        ("nodes", "true"),
        ("nodes_with_info", "{true,true,true}"),
    ];
    assert_observed(&observed, &expected);
    let expected = [
        ("sent", "[sent]"),
        ("cancelled", "[true,undefined,undefined]"),
        ("started", "[{started,3}]"),
        ("start_cancelled", "true"),
        ("plain", "[plain]"),
        ("fired", "true"),
        ("again", "[again]"),
        ("idle", "[idle]"),
        ("all", "{ok,[1,2,3]}"),
        ("some", "{ok,[{error,gone},{ok,20}]}"),
        ("dropped", "[]"),
        ("nobody", "[noproc]"),
        ("kept", "[33,gone]"),
        (
            "wrong_reply",
            r#"[{expected,<<"non_neg_integer()">>},{got,<<"many">>},{path,<<"Reply">>}]"#,
        ),
        ("tcp", r#"[{<<"binary">>,<<"one">>},<<"passive">>]"#),
        ("tcp_list", r#"[{<<"list">>,"two"},<<"closed">>]"#),
        (
            "udp",
            r#"[{<<"packet">>,<<"127.0.0.1">>,<<"packet">>},<<"udp_passive">>]"#,
        ),
        (
            "udp_ancillary",
            r#"[{<<"with_ancillary">>,[{tos,0}],<<"other">>}]"#,
        ),
    ];
    assert_observed(&observed, &expected);
}

#[test]
fn a_process_of_an_async_function_lives_and_ends_as_any_other() {
    let observed = mailbox("mailbox_processes.escript");
    let panicked = r#"{panic,<<"told to">>}"#;
    let misread = r#"{bad_term,<<"Message.1">>}"#;
    let expected = [
        ("echo", "[1,2]"),
        ("selective", "3"),
        ("its_mailbox", "{messages,[neither]}"),
        ("its_links", "[{links,[]},{monitors,[]}]"),
        ("normal_end", "normal"),
        ("plain", "true"),
        ("linked", "true"),
        ("ends_panics", panicked),
        (
            "ends_panics_reported",
            r#"{error,[{spawned,"nursery.rs",true}]}"#,
        ),
        ("ends_panics_later", panicked),
        (
            "ends_panics_later_reported",
            r#"{error,[{spawned,"nursery.rs",true}]}"#,
        ),
        ("ends_told_to", "told_to"),
        (
            "ends_told_to_reported",
            r#"{exit,[{spawned,"nursery.rs",true}]}"#,
        ),
        ("ends_shutdown", "shutdown"),
        ("ends_ends", "normal"),
        ("ends_misreads", misread),
        (
            "ends_misreads_reported",
            r#"{error,[{spawned,"nursery.rs",true}]}"#,
        ),
        ("no_more_reports", "none"),
        ("many", "true"),
        ("killed", "true"),
        ("wrong", "[badarg,badarg,badarg]"),
    ];
    assert_observed(&observed, &expected);
    let expected = [
        ("sum", "5050"),
        ("whole", "true"),
        ("nested", "{true,true}"),
        (
            "task_panics",
            r#"{{panic,<<"told to">>},{panic,<<"told to">>}}"#,
        ),
        (
            "task_panics_later",
            r#"{{panic,<<"told to">>},{panic,<<"told to">>}}"#,
        ),
        ("task_fails", "{told_to,told_to}"),
        ("task_ends", "{normal,normal}"),
        (
            "task_misreads",
            r#"{{bad_term,<<"Message.1">>},{bad_term,<<"Message.1">>}}"#,
        ),
        ("dropped", "{ok,told}"),
        ("left", "true"),
    ];
    assert_observed(&observed, &expected);
}

#[test]
fn threads_call_by_a_process() {
    let observed = mailbox("mailbox_threads.escript");
    let expected = [
        ("many", "{ok,4000}"),
        ("none_left", "0"),
        ("forged", "{ok,7}"),
        ("applied", "{ok,4}"),
        ("last_words", "{ok,5}"),
        ("held", "badarg"),
        ("not_there", "noproc"),
        ("dies", "in_the_middle"),
        ("killed", "true"),
        ("late", "timeout"),
        ("wrong", "bad_term"),
        ("dropped", "{50,50}"),
        ("left_behind", "[{monitors,[]},{messages,[]}]"),
        ("crowd", "[{ok,1},{ok,1},{overload,2}]"),
        ("crowd_left", "0"),
        ("tell", "{ok,200}"),
        ("told", "true"),
        ("client_ends", "{ok,client_down}"),
        ("client_has_ended", "client_down"),
    ];
    assert_observed(&observed, &expected);
}
