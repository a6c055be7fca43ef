//! Large and deep input: every tool ends within limits of time and memory, which the system
//! enforces.

use std::fmt::Write;
use std::process::Command;

use crate::support::{Said, Scratch, said};

/// Bytes of memory, for `ulimit -v`, which counts kilobytes.
const MEMORY: u64 = 1 << 20;
/// Seconds of processor time. A build without optimisation gets three times those of the
/// documentation.
const SECONDS: u64 = 30;

/// Runs `otp-rs` within the limits.
fn bounded(scratch: &Scratch, arguments: &str) -> Said {
    within(MEMORY, scratch, arguments)
}

fn within(memory: u64, scratch: &Scratch, arguments: &str) -> Said {
    let program = env!("CARGO_BIN_EXE_otp-rs");
    let mut command = Command::new("sh");
    command
        .args([
            "-c",
            &format!("ulimit -v {memory} -t {SECONDS}; exec {program} {arguments}"),
        ])
        .current_dir(scratch.path(""));
    said(command)
}

/// `count` texts with something between them.
fn many(count: usize, between: &str, one: impl Fn(usize) -> String) -> String {
    (0..count).map(one).collect::<Vec<_>>().join(between)
}

/// Modules that are large in different ways.
fn modules() -> Vec<(&'static str, String)> {
    let union =
        |one: &dyn Fn(usize) -> String| format!("-type t() :: {}.\n", many(16_000, " | ", one));
    let chain = |last: &str, one: &dyn Fn(usize, usize) -> String| {
        format!("{}{last}", many(2_000, "", |index| one(index, index + 1)))
    };
    let steps = |one: &dyn Fn(usize, usize) -> String| {
        format!(
            "{}-type t24(A) :: {{A}}.\n-type t() :: t0(a).\n",
            many(24, "", |index| one(index, index + 1))
        )
    };
    vec![
        ("pairs", union(&|index| format!("{{a{index}, b{index}}}"))),
        ("one_tag", union(&|index| format!("{{a, {index}}}"))),
        ("atoms", union(&|index| format!("a{index}"))),
        ("integers", union(&|index| format!("{}", index * 2))),
        ("nested", union(&|index| format!("{{a, [c{index}]}}"))),
        ("types", many(10_000, "", |index| {
            let before = index.saturating_sub(1);
            format!("-type t{index}() :: {{t{index}, t{before}() | undefined}} | a{index}.\n")
        })),
        ("aliases", chain("-type t2000() :: ok.\n", &|index, next| format!("-type t{index}() :: t{next}().\n"))),
        ("unions", chain("-type t2000() :: z.\n", &|index, next| {
            format!("-type t{index}() :: t{next}() | {{a{index}}}.\n")
        })),
        ("tuples", chain("-type t2000() :: t0() | nil.\n", &|index, next| {
            format!("-type t{index}() :: {{t{next}()}}.\n")
        })),
        ("doubled", steps(&|index, next| format!("-type t{index}(A) :: t{next}({{A, A}}).\n"))),
        ("twice", steps(&|index, next| {
            format!("-type t{index}(A) :: {{t{next}({{a, A}}), t{next}([A])}}.\n")
        })),
        ("endless", "-type t(A) :: {A, t({A})}.\n-type u(A) :: [u([A]) | v(A)].\n-type v(A) :: {u({A, A}), A}.\n".to_owned()),
        ("trees", "-record(tree, {l :: #tree{} | nil, r :: #tree{} | nil, v}).\n-type t() :: #tree{}.\n".to_owned()),
        ("records", format!(
            "{}-record(r24, {{a}}).\n-type t() :: #r0{{}}.\n",
            many(24, "", |index| {
                let next = index + 1;
                format!("-record(r{index}, {{a :: #r{next}{{}}, b :: #r{next}{{a :: 1}}}}).\n")
            })
        )),
        ("parameters", format!(
            "-type t({0}) :: {{{0}}}.\n-type u() :: t({1}).\n",
            many(500, ", ", |index| format!("A{index}")),
            many(500, ", ", |index| format!("a{index}"))
        )),
        ("results", format!(
            "-callback f(term()) -> {}.\n",
            many(2_000, " | ", |index| format!("{{a{index}, integer()}}"))
        )),
        ("clauses", format!(
            "-callback f{}.\n",
            many(1_000, "; ", |index| format!("(a{index}, term()) -> {{ok, {index}}}"))
        )),
        ("fields", format!(
            "-record(r, {{{}}}).\n-type t() :: #r{{}}.\n-type u() :: #r{{f1 :: 1}}.\n",
            many(4_000, ", ", |index| format!("f{index} = 1 :: integer()"))
        )),
    ]
}

#[test]
fn every_tool_is_bounded_on_large_modules() {
    let scratch = Scratch::new();
    for (name, forms) in modules() {
        scratch.write(
            &format!("{name}.erl"),
            &format!("-module({name}).\n{forms}"),
        );
        for tool in ["forms", "types", "schema"] {
            bounded(&scratch, &format!("{tool} ./{name}.erl")).succeeded();
        }
        bounded(
            &scratch,
            &format!("gen-types {name} --src . --path crate::otp --out out/{name}"),
        )
        .succeeded();
    }
    let notes = bounded(&scratch, "schema ./endless.erl").err;
    assert!(
        notes.contains("`endless:t/1` has instances without end"),
        "{notes}"
    );
    let notes = bounded(&scratch, "gen-types endless --src .").err;
    assert!(notes.contains("arguments grow at every turn"), "{notes}");
}

/// The derives of a type depend on the types in it, to the end of a chain of them.
#[test]
fn derives_along_a_chain_are_bounded() {
    let scratch = Scratch::new();
    let chain = many(10_000, "", |index| {
        let next = index + 1;
        format!("-type t{index}() :: {{t{index}, t{next}()}} | a{index}.\n")
    });
    scratch.write(
        "chain.erl",
        &format!("-module(chain).\n{chain}-type t10000() :: number().\n"),
    );
    scratch.write(
        "otp.toml",
        "[types]\nderives = [\"Eq\", \"PartialOrd\", \"Ord\", \"Hash\"]\n",
    );
    let said = bounded(&scratch, "gen-types chain --src . --config otp.toml");
    said.succeeded();
    assert!(said.out.contains("pub enum T0 {"));
    assert!(!said.out.contains(", Eq"), "{}", said.err);
}

/// Printing the forms of a file needs at most ten times its size, because forms are read and
/// printed one after the other. The program itself, its libraries and stacks need as much as for an
/// empty file.
#[test]
fn forms_are_printed_as_they_are_read() {
    const PROGRAM: u64 = 128 << 10;
    let scratch = Scratch::new();
    let types = many(80_000, "", |index| {
        format!("-type t{index}() :: {{t{index}, [integer()], #{{a => b{index}}} | undefined}}.\n")
    });
    scratch.write("m.erl", &format!("-module(m).\n{types}"));
    scratch.write("empty.erl", "-module(empty).\n");
    within(PROGRAM, &scratch, "forms empty.erl").succeeded();
    let size = types.len() as u64 >> 10;
    let said = within(PROGRAM + 10 * size, &scratch, "forms m.erl");
    said.succeeded();
    assert_eq!(said.out.lines().count(), 80_000);
}

/// The output grows linearly: twice the members give at most two and a half times the text.
#[test]
fn the_output_is_linear_in_its_input() {
    let scratch = Scratch::new();
    let union = |count: usize| {
        let mut text = "-module(m).\n".to_owned();
        let pairs = many(count, " | ", |index| format!("{{a{index}, b{index}}}"));
        writeln!(text, "-type t() :: {pairs}.").expect("a string grows");
        text + "-callback f"
            + &many(count, "; ", |index| {
                format!("(a{index}) -> {{ok, {index}}}")
            })
            + ".\n"
    };
    for tool in [
        "types ./m.erl",
        "schema ./m.erl",
        "forms m.erl",
        "gen-types m --src .",
    ] {
        let sizes = [100, 200].map(|count| {
            scratch.write("m.erl", &union(count));
            let said = bounded(&scratch, tool);
            said.succeeded();
            said.out.len()
        });
        assert!(sizes[1] * 2 <= sizes[0] * 5, "{tool}: {sizes:?}");
    }
}
