//! Erlang modules whose functions are Rust, called on the real Erlang VM.

use std::process::Command;

use otp_bridge_novm as _;
use otp_tests::application::{assert_observed, build, observe, pairs, root, text};

const APPLICATION: &str = "tests/apps/geometry";

#[test]
fn erlang_calls_functions_that_are_rust() {
    let observed = observe(APPLICATION, "geometry.escript");
    let expected = [
        ("area", "6.0"),
        ("area_in", "1.5"),
        ("slice", "12.0"),
        ("owned", "{circle,2.0}"),
        ("text", r#"<<"QUIET">>"#),
        ("bytes", "258"),
        ("binary", "<<3,2,1>>"),
        ("nothing", "ok"),
        ("elixir", "5.0"),
        ("apply", "[1.0]"),
        ("ok", "{ok,0.0}"),
        ("error", r#"{error,<<"a negative area: -1.0">>}"#),
        ("unit_ok", "ok"),
        ("unit_error", "{error,flat}"),
        (
            "within",
            r#"[{ok,ok},{ok,{error,flat}},{error,<<"not a radius: x">>}]"#,
        ),
        ("raised", "{error,flat,{geometry,positive_area,1}}"),
        ("thrown", "{throw,flat,{geometry,thrown_area,1}}"),
        ("not_raised", "2.0"),
        (
            "refused",
            r#"{error,badarg,{geometry,area,1},#{1 => <<"Shape.1: expected float(), got round">>},<<"*** argument 1: Shape.1: expected float(), got round">>}"#,
        ),
        (
            "refused_second",
            r#"{error,badarg,{geometry,area,2},#{2 => <<"Unit: expected float(), got unit">>},<<"*** argument 2: Unit: expected float(), got unit">>}"#,
        ),
        (
            "refused_later",
            r#"{error,badarg,{geometry,squared,2},#{1 => <<"Server: expected pid(), got nobody">>},<<"*** argument 1: Server: expected pid(), got nobody">>}"#,
        ),
        (
            "not_utf8",
            r#"{error,badarg,{geometry,shout,1},#{1 => <<"Text: expected binary() of UTF-8 (use `Binary` for others), got <<255>>">>},<<"*** argument 1: Text: expected binary() of UTF-8 (use `Binary` for others), got <<255>>">>}"#,
        ),
        (
            "panic",
            r#"{<<"told to: fall">>,<<"geometry/src/areas.rs">>}"#,
        ),
        ("alive", "ok"),
        ("awaited", "49"),
        ("mailbox", "other"),
        ("caller", "true"),
        ("io", "true"),
        ("dirty", "20"),
        ("polite", "true"),
        ("polite_dirty", "true"),
        ("stubborn", "300"),
        ("warned", "{geometry,stubborn,1}"),
        (
            "documented",
            r#"<<"The area of a shape in another unit.">>"#,
        ),
    ];
    assert_observed(&observed, &expected);
    let raised = [
        ("panic_later", "{error,{panic,"),
        ("exit", "{exit,{calling_self,"),
    ];
    for (key, begins) in raised {
        assert!(observed[key].starts_with(begins), "{}", observed[key]);
    }
}

#[test]
fn resources_live_as_long_as_their_terms() {
    let observed = observe(APPLICATION, "geometry_resources.escript");
    let expected = [
        ("is_reference", "true"),
        ("added", "[1,1,2]"),
        ("size", "2"),
        ("same", "true"),
        ("in_owned_terms", "true"),
        ("thread", "4"),
        ("through_bytes", "4"),
        ("elsewhere", "5"),
        ("in_ets", "5"),
        (
            "no_reference",
            r#"<<"Index: expected a reference to a `geometry::index::functions::Index`, got index">>"#,
        ),
        (
            "other_reference",
            r#"<<"Index: expected a reference to a `geometry::index::functions::Index`, got REF">>"#,
        ),
        (
            "other_type",
            r#"<<"Index: expected a reference to a `geometry::index::functions::Index`, got a reference to a `geometry::index::Rude`">>"#,
        ),
        ("with_its_process", "{false,true}"),
        ("with_a_message", "{false,true}"),
        ("with_a_table_entry", "{false,true}"),
        ("with_a_state", "{false,true}"),
        ("with_a_clone_of_an_argument", "{false,true}"),
        ("with_an_owned_term", "{false,true}"),
        ("watch", "[true,true,true]"),
        ("unwatch", "true"),
        ("ended", "true"),
        ("killed", "true"),
        ("too_late", "false"),
        ("unwatched", "none"),
        ("shared", "{true,true,1000}"),
        ("restarted", "{true,true,1000}"),
        ("other_process", "{true,true,1000}"),
        (
            "wrong",
            r#"[{expected,<<"a reference to a `geometry::till::Prices`">>},{got,<<"a reference to a `geometry::index::functions::Index`">>},{path,<<"Request.1">>}]"#,
        ),
        ("rude", "normal"),
        ("alive", "0"),
    ];
    assert_observed(&observed, &expected);
}

#[test]
#[expect(
    clippy::print_stderr,
    reason = "whoever runs the test should see that it is left out"
)]
fn elixir_calls_them_by_its_own_names() {
    if Command::new("elixir").arg("--version").output().is_err() {
        eprintln!("skipped: Elixir is not installed (`cargo xtask test` installs it)");
        return;
    }
    let output = Command::new("elixir")
        .arg(root().join("tests/live/geometry.exs"))
        .arg(build(APPLICATION))
        .output()
        .expect("elixir runs");
    let printed = text(&output.stdout);
    let complained = text(&output.stderr);
    assert!(output.status.success(), "{printed}\n{complained}");
    let expected = [
        ("between", "5.0"),
        ("piped", "24.0"),
        (
            "refused",
            r#""errors were found at the given arguments:\n\n  * 2nd argument: To.1: expected float(), got four\n""#,
        ),
        ("tasks", "3"),
    ];
    assert_observed(&pairs(&printed), &expected);
}

#[test]
fn minimum_steiner_trees_are_functions_of_erlang() {
    let observed = observe("examples/steiner", "steiner.escript");
    let tree = "{ok,#{edges => [{0,3,1},{1,3,1},{2,3,1}],weight => 3}}";
    let all = format!("[{tree},{{error,{{no_such_node,4}}}},{{ok,#{{edges => [],weight => 0}}}}]");
    let heavy = "{badarg,#{1 => <<\"Graph.edges[0].2: expected integer(), got heavy\">>}}";
    let none = "{badarg,#{2 => <<\"Terminals: expected [0..4294967295], got none\">>}}";
    assert_observed(
        &observed,
        &[
            ("solve", tree),
            ("solve_dirty", tree),
            ("solve_impolitely", tree),
            ("nothing", "{ok,#{edges => [],weight => 0}}"),
            ("outside", "{error,{no_such_node,4}}"),
            ("negative", "{error,{negative_weight,{0,1,-2}}}"),
            ("apart", "{error,not_connected}"),
            ("large", "{error,{too_large,16106127360,4194304}}"),
            ("no_graph", heavy),
            ("no_list", none),
            ("all", all.as_str()),
            ("all_of_many", "[3]"),
            ("left", "{messages,[]}"),
            // All of them have the path's weight, and a concurrent process was not blocked.
            ("beside", "{[15],true}"),
        ],
    );
}
