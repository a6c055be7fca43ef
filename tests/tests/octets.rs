//! Binaries without copies, and Rust's memory, on the real Erlang VM, with the application
//! `octets`.

use otp_bridge_novm as _;
use otp_tests::application::{assert_observed, observe};

#[test]
fn large_binaries_are_owned_by_both_sides_and_the_vm_sees_the_memory() {
    let observed = observe("tests/apps/octets", "octets.escript");
    let expected = [
        ("values", "[true]"),
        ("parts", "{11,true}"),
        ("into_rust", "{1,2,1,1}"),
        ("into_rust_size", "1048576"),
        ("part_into_rust", "1000"),
        ("small_is_copied", "true"),
        ("out_of_rust", "{60,60,60}"),
        ("out_size", "[{62914560,7}]"),
        ("out_held", "normal"),
        ("out_released", "true"),
        ("there_and_back", "{0,1000}"),
        ("appended", "{true,202000}"),
        ("chain", "10000"),
        ("chain_dropped", "undefined"),
        ("is_kept", "[true,false,false]"),
        ("sum", "{6,0,804000,true}"),
        ("distance", "{7,80}"),
        ("excerpt", r#"{<<"abc">>,8,true,524288}"#),
        (
            "again",
            "[{true,{true,true},true},{true,{true,true},true},{true,{true,true},true},{false,{false,true},true}]",
        ),
        ("not_borrowed", "[badarg,badarg,badarg]"),
        ("collected", "[normal]"),
        ("is_shared", "[true,false]"),
        ("gathered", "[{1,true},{3,true},{1,false},{0,false}]"),
        ("scattered", "{[4,5000,5000],true}"),
        ("nothing", r#"<<"head">>"#),
        ("state", "{100,true}"),
        ("aligned", "true"),
    ];
    assert_observed(&observed, &expected);
}
