//! A library of rustler functions that became an application (docs/from_rustler.md), on the real
//! Erlang VM.

use std::process::Command;

use otp_bridge_novm as _;
use otp_tests::application::{assert_observed, build, observe, pairs, root, text};

#[test]
fn functions_and_types_of_rustler_live_beside_servers() {
    let observed = observe("tests/apps/migrated", "migrated.escript");
    let expected = [
        (
            "exports",
            "[{add,2},{falls,0},{loaded,0},{older,1},{reversed,1},{scheduler,0},{trail,0},{visit,2}]",
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

/// The Elixir side of a library whose types are serde_rustler's is unchanged.
#[test]
#[expect(
    clippy::print_stderr,
    reason = "whoever runs the test should see that it is left out"
)]
fn elixir_s_side_of_serde_rustler_stays_as_it_was() {
    if Command::new("elixir").arg("--version").output().is_err() {
        eprintln!("skipped: Elixir is not installed (`cargo xtask test` installs it)");
        return;
    }
    let output = Command::new("elixir")
        .arg(root().join("tests/live/catalogue.exs"))
        .arg(build("tests/apps/migrated"))
        .output()
        .expect("elixir runs");
    let (printed, complained) = (text(&output.stdout), text(&output.stderr));
    assert!(output.status.success(), "{printed}\n{complained}");
    let expected = [
        ("older", "true"),
        ("younger", "true"),
        ("unborn", r#"{:error, "unborn"}"#),
        ("renamed", "true"),
        ("is_a_struct", "true"),
        ("kinds", "true"),
        ("unheard", r#""an_atom_that_nobody_has_used""#),
        ("heard", ":an_atom_that_nobody_has_used"),
        ("undefined", ":badarg"),
        ("no_struct", ":badarg"),
        ("wraps", "1"),
        ("improper", ":badarg"),
        ("deep", "true"),
        ("shallow", "true"),
        ("infinite", "true"),
        ("alive", ":cat"),
    ];
    assert_observed(&pairs(&printed), &expected);
}
