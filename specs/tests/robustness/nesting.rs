//! Types, defaults and operators inside each other.

use otp_specs::ast::Form;

use super::source_of;

#[test]
fn deep_nesting_is_a_diagnostic() {
    const DEPTH: usize = 100_000;
    let nested = [
        ("{", "a", "}"),
        ("[", "a", "]"),
        ("(", "a", ")"),
        ("t(", "a", ")"),
        ("m:t(", "a", ")"),
        ("#{a => ", "a", "}"),
        ("#{", "a", " := a}"),
        ("#r{f :: ", "a", "}"),
        ("fun(() -> ", "a", ")"),
        ("fun((", "a", ") -> a)"),
        ("<<_:(", "1", ")>>"),
        ("<<_:_*(", "1", ")>>"),
        ("- ", "1", ""),
        ("bnot ", "1", ""),
        ("A :: ", "a", ""),
        ("1 + ", "1", ""),
        ("1 bsl ", "1", ""),
        ("{A :: - ", "a", "}"),
        ("{a | A :: ", "a", "}"),
        ("{a | A :: a | ", "a", "}"),
        ("(1 + ", "1", ") * 2"),
    ];
    for (open, middle, close) in nested {
        let text = format!(
            "-type t() :: {}{middle}{}.\n-type last() :: a.\n",
            open.repeat(DEPTH),
            close.repeat(DEPTH)
        );
        let parsed = source_of(text.as_bytes(), 29);
        assert_eq!(parsed.module.forms.len(), 1, "{open}");
        assert_eq!(parsed.diagnostics.len(), 1, "{open}");
    }
    // Unfinished nesting, where a parser that tries alternatives could take exponential time.
    for (open, ..) in nested {
        source_of(format!("-type t() :: {}", open.repeat(100)).as_bytes(), 29);
        source_of(format!("-type t() :: {}.", open.repeat(100)).as_bytes(), 29);
    }
    // Unfinished nesting around names and heads.
    for (before, behind) in [
        ("-type ", "t() :: a."),
        ("-type(", "t"),
        ("-type t(", "A) :: a."),
        ("-record(", "r, {})."),
        ("-record(r, ", "{a})."),
        ("-record(r, {", "a = 1})."),
        ("-record(r, {a = ", "1})."),
        ("-export_type([", "t/0])."),
        ("-export_type([t/", "0])."),
        ("-module(", "m)."),
        ("-if(", "true)."),
    ] {
        for depth in [60, 100_000] {
            let text = format!("{before}{}{behind}", "(".repeat(depth));
            source_of(text.as_bytes(), 25);
            source_of(text.as_bytes(), 29);
        }
    }
}

#[test]
fn as_deep_as_is_allowed() {
    for depth in 1..80 {
        for (open, close) in [
            ("{", "}"),
            ("fun(() -> ", ")"),
            ("t(", ")"),
            ("A :: #{a := ", "}"),
        ] {
            let text = format!(
                "-type t() :: {}a{}.",
                open.repeat(depth),
                close.repeat(depth)
            );
            source_of(text.as_bytes(), 29);
        }
    }
    for (open, middle, close) in [
        ("{", "a", "}"),
        ("{a | b | ", "c", "}"),
        ("[", "a", "]"),
        ("(", "a", ")"),
        ("list(", "a", ")"),
        ("m:t(", "a", ")"),
        ("#{a => ", "a", "}"),
        ("#r{f :: ", "a", "}"),
        ("fun(() -> ", "a", ")"),
        ("fun((", "a", ") -> a)"),
        ("bnot ", "1", ""),
        ("A :: ", "a", ""),
        ("A :: a | ", "a", ""),
        ("a | A :: ", "a", ""),
        ("1 + ", "1", ""),
    ] {
        let [open, close] = [open, close].map(|text| text.repeat(10_000));
        for text in [
            format!("-type t() :: {open}{middle}{close}."),
            format!("-spec f(A) -> ok when A :: {open}{middle}{close}."),
            format!("-record(r, {{a :: {open}{middle}{close}}})."),
        ] {
            let parsed = source_of(text.as_bytes(), 29);
            assert_eq!(parsed.diagnostics, [], "{}", &text[..40]);
            let [entry] = parsed.module.forms.as_slice() else {
                panic!("{} is not a form", &text[..40]);
            };
            assert_eq!(Form::clone(&entry.form), *entry.form);
        }
    }
    // No limit accumulates over adjacent parts of a form.
    let sums = format!("{}1, ", "1 + ".repeat(500)).repeat(50);
    let operators = format!(
        "-type t() :: {}{{{sums}a}}{}.",
        "{".repeat(60),
        "}".repeat(60)
    );
    assert_eq!(source_of(operators.as_bytes(), 29).diagnostics, []);
}

#[test]
fn defaults_may_be_as_deep_as_they_like() {
    let deep = format!("{}1{}", "[".repeat(50_000), "]".repeat(50_000));
    let funs = format!("{}1{}", "fun() -> ".repeat(50_000), " end".repeat(50_000));
    let text = format!("-record(r, {{a = {deep} :: a, b = {funs}, c}}).");
    let parsed = source_of(text.as_bytes(), 25);
    assert_eq!(parsed.diagnostics, []);
    assert_eq!(parsed.module.forms.len(), 1);
}
