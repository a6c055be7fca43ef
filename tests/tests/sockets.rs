//! Sockets of the feature `net` on the real Erlang VM, with the application `sockets`.

use otp_bridge_novm as _;
use otp_tests::application::{assert_observed, observe};

#[test]
fn sockets_are_awaited_by_tasks_and_callbacks() {
    let observed = observe("tests/apps/sockets", "sockets.escript");
    let expected = [
        ("one", "true"),
        ("many", "[true]"),
        ("gone", "true"),
        (
            "in_a_callback",
            r#"{true,{error,<<"connection refused">>}}"#,
        ),
        ("slow_reader", "{true,true,true}"),
        ("slow_reader_gone", "true"),
        ("burning", "{true,true,true}"),
        ("idle", "{true,true}"),
        ("idle_gone", "true"),
        ("unix", r#"<<"by the file system">>"#),
        ("in_use", "true"),
        ("shared", "{true,[true]}"),
        ("datagrams", "[true]"),
        ("killed", "{{error,closed},true}"),
        ("no_descriptor_is_left", "true"),
    ];
    assert_observed(&observed, &expected);
}
