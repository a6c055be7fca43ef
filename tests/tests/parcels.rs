//! Types with serde's traits as requests and replies on the real Erlang VM.

use otp_bridge_novm as _;
use otp_tests::application::{assert_observed, observe};

#[test]
fn types_of_serde_are_terms_of_the_vm() {
    let observed = observe("tests/apps/parcels", "parcels.escript");
    let expected = [
        ("kept", "true"),
        ("received", r#"<<"Ada">>"#),
        ("more_keys", "true"),
        (
            "record",
            "#{content => [],number => 1,receiver => nil,remarks => #{},weight => 0.5}",
        ),
        ("bytes", "true"),
        ("unseen", "{unseen_by_this_node,#{side => 0.5}}"),
        (
            "wrong_item",
            r#"#{expected => <<"u32">>,got => <<"-1">>,path => <<"Request.1.content[1].1">>}"#,
        ),
        (
            "wrong_key",
            r#"#{expected => <<"a value">>,got => <<"no such key">>,path => <<"Request.1.weight">>}"#,
        ),
    ];
    assert_observed(&observed, &expected);
}
