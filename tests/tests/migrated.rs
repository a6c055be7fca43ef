//! A library of rustler's functions that became an application (docs/from_rustler.md), on the real
//! Erlang VM.

use otp_bridge_novm as _;
use otp_tests::application::{assert_observed, observe};

#[test]
fn functions_and_types_of_rustler_live_beside_servers() {
    let observed = observe("tests/apps/migrated", "migrated.escript");
    let expected = [
        (
            "exports",
            "[{add,2},{falls,0},{loaded,0},{reversed,1},{scheduler,0},{trail,0},{visit,2}]",
        ),
        ("loaded", "true"),
        (
            "add",
            "#{'__struct__' => 'Elixir.Plane.Point',x => 4,y => 6}",
        ),
        ("overflow", "overflow"),
        ("badarg", "badarg"),
        ("reversed", r#"<<"cba">>"#),
        ("scheduler", "true"),
        ("panic", "nif_panicked"),
        ("trail", "{true,{ok,2}}"),
        (
            "go",
            "[#{'__struct__' => 'Elixir.Plane.Point',x => 2,y => 3},#{'__struct__' => 'Elixir.Plane.Point',x => 3,y => 4},\
             #{'__struct__' => 'Elixir.Plane.Point',x => 0,y => 0},#{'__struct__' => 'Elixir.Plane.Point',x => 5,y => 0}]",
        ),
        (
            "ships",
            r#"#{<<"ark">> => #{'__struct__' => 'Elixir.Plane.Point',x => 5,y => 0}}"#,
        ),
        ("between", "7"),
        ("refused", "badarg"),
        (
            "not_a_step",
            "{<<\"Request.2\">>,<<\"a term that `migrated::natives::Step` is decoded from\">>}",
        ),
    ];
    assert_observed(&observed, &expected);
}
