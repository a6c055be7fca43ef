//! Reports of `otp_rs_status` about the processes of a node, and hiding secret states from them.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use otp_tests::application::assert_observed;

use super::ground;

/// The report of a node about its processes, in one run.
static TOLD: LazyLock<BTreeMap<String, String>> = LazyLock::new(|| ground("ground_status.escript"));

#[test]
fn a_node_tells_what_its_processes_are_about() {
    let expected = [
        ("debug", "true"),
        ("large", "{true,true,true}"),
        ("term", r#"{mill,gen_statem,{text,<<"{mill,5}">>}}"#),
        ("secret", "{vault,gen_server,secret}"),
        ("no_handler", "not_rust"),
        ("handler", r#"{ear,gen_event,{text,<<"{ear,7}">>}}"#),
        (
            "handlers",
            r#"[<<"ear: {ear,7}">>,<<"spy: secret">>,<<"wall: Wall">>]"#,
        ),
        ("supervisor", "{stroot,supervisor,none}"),
        ("not_rust", "[not_rust]"),
    ];
    assert_observed(&TOLD, &expected);
}

#[test]
fn a_process_that_works_is_left_alone_and_its_long_callbacks_are_known() {
    let expected = [
        ("awaiting", "{unknown,unknown}"),
        (
            "callback_awaiting",
            r#"{#{awaits => <<"a timer">>,callback => <<"vault:handle_cast/2 of Wait">>,place => waiting},true}"#,
        ),
        ("callback_idle", "{none,false}"),
        (
            "callback_calling",
            r#"{<<"post:handle_call/3 of Do">>,true}"#,
        ),
        (
            "callbacks",
            r#"#{callback => <<"post:handle_call/3 of Do">>,place => waiting}"#,
        ),
        ("callback_over", "false"),
        (
            "callback_dirty",
            r#"[{running,dirty_cpu,<<"heavy:handle_call/3 of Cpu">>},{running,dirty_io,<<"heavy:handle_call/3 of Io">>},{running,dirty_cpu,<<"heavy:handle_call/3 of Part">>}]"#,
        ),
        ("undisturbed", "{message_queue_len,0}"),
        ("stack", "[ground_nif]"),
        ("native", "true"),
        ("long", r#"{<<"vault:handle_call/3 of Hold">>,true,1}"#),
        ("long_again", "1"),
        ("long_elsewhere", "[]"),
    ];
    assert_observed(&TOLD, &expected);
}

#[test]
fn nobody_is_told_of_a_secret_state() {
    let expected = [
        ("statuses", "[{true,false},{true,false},{true,false}]"),
        ("in_a_shell", "{secret,{error,secret},secret}"),
        ("panic", r#"{<<"secret">>,false}"#),
        ("task", "{true,true}"),
        ("linked", "false"),
        ("refused", "false"),
        ("refused_event", "false"),
        ("reported", "true"),
        ("logged", "false"),
    ];
    assert_observed(&TOLD, &expected);
}
