//! Effects of the end of a callback: on its state, on the process's reason, and on the VM.

use otp_tests::application::{assert_observed, build, root, run_in, text};

use super::{ground, line_of};

#[test]
fn whatever_ends_a_callback_leaves_its_state() {
    let observed = ground("ground_state.escript");
    let expected = [
        ("panic", r#"{{terminate,2,3},{panic,<<"told to">>}}"#),
        (
            "panic_later",
            r#"{{terminate,2,3},{panic,<<"after an await">>}}"#,
        ),
        ("failed_call", "{{terminate,2,3},noproc}"),
        (
            "wrong_result",
            r#"{{terminate,2,3},{bad_term,true,<<"nonode@nohost">>}}"#,
        ),
        (
            "unknown_request",
            r#"{{terminate,1,3},{bad_term,true,<<"{what,is,this}">>}}"#,
        ),
        ("panic_shown", "true"),
        ("panic_later_shown", "true"),
        ("failed_call_shown", "true"),
        ("wrong_result_shown", "true"),
        ("unknown_request_shown", "true"),
        ("shown_by_orderly_ends", "0"),
        ("shown_by_status", "true"),
        ("large_status", "{true,true,true}"),
        ("large_terminate", "{terminate,1,2000000}"),
        ("large_report", "{true,true,true}"),
        ("roomy", "{1,3}"),
        ("stack_above", "[8,[]]"),
        ("stack_rust", r#""ground/src/keeper.rs""#),
        (
            "stack_below",
            "[{gen_server,try_handle_call},{gen_server,handle_msg},{proc_lib,init_p_do_apply}]",
        ),
        ("stack_reported", "[true,true]"),
        ("again", "{error,on_load_failure}"),
        ("again_status", "{true,true,false}"),
        ("panic_again", r#"{{terminate,2,3},{panic,<<"told to">>}}"#),
        ("panic_again_shown", "true"),
        (
            "junk_message",
            r#"{true,<<"Request">>,"ground/src/witness.rs",true}"#,
        ),
        (
            "deep_message",
            r#"{true,<<"Request">>,"ground/src/witness.rs",true}"#,
        ),
        (
            "long_message",
            r#"{true,<<"Request">>,"ground/src/witness.rs",true}"#,
        ),
        (
            "large_message",
            r#"{true,<<"Request">>,"ground/src/witness.rs",true}"#,
        ),
        ("ended_by_parent", "{true,true}"),
        ("told_of_others", "{true,true}"),
        ("goes_on", "{{terminate,normal},normal}"),
        ("handler_event", "[listener]"),
        ("handler_deleted", "true"),
        ("machine_event", r#"{true,<<"EventContent">>,true}"#),
        ("machine_stopped", "{true,true}"),
        (
            "nan",
            r#"{<<"NaN is not an Erlang float">>,true,"ground/src/keeper.rs"}"#,
        ),
        ("never_at", r#""ground/src/patient.rs""#),
    ];
    assert_observed(&observed, &expected);
    let source = root().join("tests/apps/ground/src/keeper.rs");
    assert_eq!(
        observed["nan_line"],
        line_of(&source, "async fn handle_call"),
        "the clause that sends a float that is not one"
    );
    assert_eq!(
        observed["stack_line"],
        line_of(&source, r#""nth""#),
        "the line that called"
    );
}

#[test]
fn the_end_of_the_vm_by_two_panics_shows_no_secret() {
    let ended = run_in(&build("tests/apps/ground"), "aborts.escript");
    let said = text(&ended.stderr);
    assert!(!ended.status.success(), "{said}");
    let source = root().join("tests/apps/ground/src/rude.rs");
    for message in ["nasty", "told to twice"] {
        let line = line_of(&source, &format!(r#"panic!("{message}")"#));
        assert!(
            said.contains(&format!("ground/src/rude.rs:{line}: secret")),
            "{said}"
        );
        assert!(!said.contains(message), "{said}");
    }
}
