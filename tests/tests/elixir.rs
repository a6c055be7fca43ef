//! Rust below Elixir supervisors, with Elixir behaviours and structs, on the real Erlang VM.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use otp_bridge_novm as _;
use otp_tests::application::{assert_observed, build, otp_rs, pairs, root, text};

const APPLICATION: &str = "tests/apps/polyglot";

/// Compiles the application's Elixir. Returns the folder with its modules, or `None` if Elixir is
/// not installed.
#[expect(
    clippy::print_stderr,
    reason = "whoever runs the test should see that it is left out"
)]
fn elixirs_modules() -> Option<PathBuf> {
    if Command::new("elixirc").arg("--version").output().is_err() {
        eprintln!("skipped: Elixir is not installed (`cargo xtask test` installs it)");
        return None;
    }
    let folder = root().join("examples/target/elixir/polyglot");
    fs::create_dir_all(&folder).expect("the target folder can be written");
    let mut elixirc = Command::new("elixirc");
    let source = root().join(APPLICATION).join("elixir/shop.ex");
    let compiled = elixirc.arg("-o").arg(&folder).arg(source).output();
    let compiled = compiled.expect("elixirc runs");
    assert!(compiled.status.success(), "{}", text(&compiled.stderr));
    Some(folder)
}

#[test]
fn elixir_supervises_calls_and_is_called() {
    let Some(folder) = elixirs_modules() else {
        return;
    };
    let output = Command::new("elixir")
        .arg("-pa")
        .arg(folder)
        .arg(root().join("tests/live/polyglot.exs"))
        .arg(build(APPLICATION))
        .output()
        .expect("elixir runs");
    let printed = text(&output.stdout);
    let complained = text(&output.stderr);
    assert!(output.status.success(), "{printed}\n{complained}");
    let expected = [
        ("children", "2"),
        ("added", "8"),
        ("sold_first", "nil"),
        ("sold_before", "true"),
        ("sum", "208"),
        ("restarted", "true"),
        ("from_the_start", "5"),
        ("behaviours", "[Shop.Pricing]"),
        ("priced", "true"),
        ("count", "1"),
        ("none", "{[], nil}"),
        ("too_much", "{:error, :too_much}"),
        ("text", r#""tea for 200 and rice for 5""#),
        ("weight", "610"),
        ("refused", "true"),
        ("not_implemented", "true"),
        (
            "implements",
            "{String.Chars.Shop.Item, Shop.Weighed.Tuple, Tuple}",
        ),
        ("found", "[Tuple, Shop.Item]"),
        ("consolidated", "{true, 610}"),
    ];
    assert_observed(&pairs(&printed), &expected);
}

/// The checked-in Rust is what Elixir's modules give.
#[test]
fn the_behaviour_and_the_struct_are_fresh() {
    if elixirs_modules().is_none() {
        return;
    }
    let of = "gen-types Shop.Item Shop.Pricing --pa ../../../examples/target/elixir/polyglot \
              --path crate::generated --check src/generated";
    let arguments: Vec<&str> = of.split_whitespace().collect();
    let checked = otp_rs(APPLICATION, &arguments);
    assert!(checked.status.success(), "{}", text(&checked.stderr));
}
