//! Source text: the caller's decisions (release, macros, includes), documentation, diagnostics.

use std::sync::Arc;

use otp_specs::ast::{DocText, FormKind};
use otp_specs::{
    Include, NoIncludes, Options, Parsed, Release, Severity, Unit, json, parse_source, print,
};

fn parse(text: &str, release: u32) -> Parsed {
    let options = Options {
        release: Release(release),
        ..Options::default()
    };
    parse_source("m.erl", text.as_bytes(), &NoIncludes, &options)
}

fn texts(parsed: &Parsed) -> Vec<String> {
    parsed
        .module
        .forms
        .iter()
        .map(|entry| print::form(&entry.form))
        .collect()
}

fn diagnostics(parsed: &Parsed) -> Vec<String> {
    parsed.diagnostics.iter().map(ToString::to_string).collect()
}

#[test]
fn documentation_stays_with_its_form() {
    let text = r#"
-module(m).
-moduledoc """
  A module.
    Indented.
  """.
-moduledoc #{since => "OTP 27.0"}.
-doc "A type.".
-doc #{since => <<"OTP 27.1">>, equiv => other(Name, [1])}.
-type t() :: a.
-type undocumented() :: b.
-doc hidden.
-spec f() -> ok.
f() -> ok.
-doc {file, "words.md"}.
-callback c() -> ok.
"#;
    let parsed = parse(text, 27);
    assert_eq!(diagnostics(&parsed), [""; 0]);
    let module = parsed.module.doc.expect("the module is documented");
    assert_eq!(module.text, DocText::Text("A module.\n  Indented.".into()));
    assert_eq!(module.since.as_deref(), Some("OTP 27.0"));
    let docs: Vec<_> = parsed.module.forms[1..]
        .iter()
        .map(|entry| entry.doc.as_deref())
        .collect();
    let [Some(documented), None, Some(hidden), Some(file)] = docs.as_slice() else {
        panic!("{docs:?}")
    };
    assert_eq!(documented.text, DocText::Text("A type.".into()));
    assert_eq!(documented.since.as_deref(), Some("OTP 27.1"));
    assert_eq!(documented.equiv.as_deref(), Some("other ( Name , [ 1 ] )"));
    assert_eq!(hidden.text, DocText::Hidden);
    assert_eq!(file.text, DocText::File("words.md".into()));
}

#[test]
fn what_is_predefined_follows_the_release() {
    let line = |release: u32| {
        let parsed = parse("-type t() :: dynamic() | record() | integer().", release);
        json::form(&parsed.module.forms[0].form)
    };
    assert!(line(25).contains(r#"["user_type","dynamic",[]]"#));
    assert!(line(29).contains(r#"["type","dynamic",[]]"#));
    assert!(line(25).contains(r#"["user_type","record",[]]"#));
    assert!(line(29).contains(r#"["type","record",[]]"#));
    assert_eq!(diagnostics(&parse("-type t() :: maybe.", 26)), [""; 0]);
    assert_eq!(diagnostics(&parse("-type t() :: maybe.", 27)).len(), 1);
    assert_eq!(diagnostics(&parse("-nominal t() :: a.", 28)), [""; 0]);
    assert_eq!(diagnostics(&parse("-nominal t() :: a.", 27)).len(), 1);
    assert_eq!(diagnostics(&parse("-record #r{a :: b}.", 29)), [""; 0]);
}

#[test]
fn macros_of_the_command_line() {
    let mut options = Options::default();
    options.defines.insert("TEST".into(), String::new());
    options.defines.insert("LIMIT".into(), "{1, [two]}".into());
    options.defines.insert("MODULE".into(), "m".into());
    let text = b"-module(m).\n-ifdef(TEST).\n-record(r, {a = ?LIMIT, b = ?TEST}).\n-endif.\n";
    let parsed = parse_source("m.erl", text, &NoIncludes, &options);
    assert_eq!(
        diagnostics(&parsed),
        ["command line: error[E0208]: redefining predefined macro `?MODULE` (choose another name)"]
    );
    assert_eq!(texts(&parsed)[1], "-record(r, {a = '_default', b = true}).");
}

#[test]
fn includes_come_from_the_caller() {
    let release = Release(25);
    let header = |include: &Include<'_>| {
        assert_eq!(include.from, "m.erl");
        let text: &[u8] = match (include.lib, include.name) {
            (false, "a.hrl") => b"-type a() :: ?HERE.\n-define(THERE, there).\n",
            (true, "app/include/b.hrl") => b"-type b() :: broken(.\n",
            _ => return None,
        };
        Some(Arc::new(Unit::read(include.name, text, release)))
    };
    let text = "-define(HERE, here).\n-include(\"a\" \".hrl\").\n-type m() :: ?THERE.\n\
        -include_lib(\"app/include/b.hrl\").\n-include(\"gone.hrl\").\n-type last() :: ok.\n";
    let parsed = parse_source("m.erl", text.as_bytes(), &header, &Options::default());
    let expected = [
        "-type a() :: here.",
        "-type m() :: there.",
        "-type last() :: ok.",
    ];
    assert_eq!(texts(&parsed), expected);
    let own: Vec<_> = parsed
        .module
        .forms
        .iter()
        .map(|entry| entry.in_main_file)
        .collect();
    assert_eq!(own, [false, true, true]);
    assert_eq!(parsed.module.forms[0].file, "a.hrl");
    let expected = [
        "app/include/b.hrl:1:21: error[E0301]: syntax error before `.`",
        "m.erl:5:10: error[E0210]: cannot find include file `gone.hrl` \
         (put it beside the file, or into the folder `include` of its application)",
    ];
    assert_eq!(diagnostics(&parsed), expected);
}

#[test]
fn an_error_costs_only_its_form() {
    let text = "-module(m).\n-type a() :: {a, b.\n-type b() :: ?NONE.\n-spec c() -> 'x.\n\
                ', y().\n-type d() :: a.\n-error(\"stop\").\n-warning(slow).\n";
    let parsed = parse(text, 25);
    assert_eq!(texts(&parsed), ["-module(m).", "-type d() :: a."]);
    let expected = [
        "m.erl:2:19: error[E0301]: syntax error before `.`",
        "m.erl:3:15: error[E0202]: undefined macro `?NONE` (define it, or include the file that does)",
        "m.erl:5:2: error[E0301]: syntax error before `,`",
        "m.erl:7:2: error[E0216]: -error(\"stop\")",
        "m.erl:8:2: warning[E0217]: -warning(slow)",
    ];
    assert_eq!(diagnostics(&parsed), expected);
    assert_eq!(parsed.diagnostics[4].severity, Severity::Warning);
}

#[test]
fn a_mistake_inside_quotes_is_said_once() {
    let escape = "-record(r, {a = \"\\x{D800}\", b = 'c\\xZZ'}).\n-type t() :: a.\n";
    let parsed = parse(escape, 25);
    assert_eq!(texts(&parsed), ["-type t() :: a."]);
    let expected = "m.erl:1:18: error[E0103]: illegal escape sequence \
        (write `\\xHH` or `\\x{H…}` with the hexadecimal code of a character)";
    assert_eq!(diagnostics(&parsed), [expected]);
    let expected = "m.erl:1:6: error[E0108]: text on the line that opens a triple-quoted string \
        (start the text on the next line)";
    for text in [
        "-doc \"\"\"The state\n  of a door.\n  \"\"\".\n-type t() :: a.\n",
        "-doc \"\"\"The state.\"\"\".\n-type t() :: a.\n",
    ] {
        let parsed = parse(text, 27);
        assert_eq!(texts(&parsed), ["-type t() :: a."], "{text}");
        assert_eq!(diagnostics(&parsed), [expected], "{text}");
    }
}

#[test]
fn an_atom_has_at_most_255_characters_with_or_without_quotes() {
    let long = "a".repeat(256);
    for atom in [long.clone(), format!("'{long}'"), "ß".repeat(256)] {
        let parsed = parse(&format!("-type t() :: {atom}.\n"), 25);
        let expected = "m.erl:1:14: error[E0109]: atom longer than 255 characters \
            (shorten it; a longer text is a string, of the type `string()` or `binary()`)";
        assert_eq!(diagnostics(&parsed), [expected]);
    }
    let parsed = parse(&format!("-type t() :: {}.\n", &long[1..]), 25);
    assert_eq!(diagnostics(&parsed), [""; 0]);
}

#[test]
fn a_branch_that_is_wrong_is_named_as_it_is_written() {
    let first = |text: &str| diagnostics(&parse(text, 25)).remove(0);
    assert_eq!(
        first("-ifdef(A).\n-elif().\n-endif.\n"),
        "m.erl:2:2: error[E0201]: badly formed `-elif`"
    );
    for branch in ["elif(true)", "else"] {
        let name = &branch[..4];
        assert_eq!(
            first(&format!("-ifdef(A).\n-else.\n-{branch}.\n-endif.\n")),
            format!(
                "m.erl:3:2: error[E0214]: `-{name}` after `-else` \
                 (a condition has one `-else`, after every `-elif`)"
            )
        );
    }
}

#[test]
fn a_bad_type_variable_is_shown() {
    let parsed = parse("-spec f(A) -> A when is_subtype({a}, atom()).\n", 25);
    let expected =
        "m.erl:1:33: error[E0303]: bad type variable `{a}` (write a variable that has a name)";
    assert_eq!(diagnostics(&parsed), [expected]);
}

#[test]
fn columns_count_characters() {
    let parsed = parse("-type t() :: 'æøå' | 1.0.\n", 25);
    assert_eq!(
        diagnostics(&parsed),
        ["m.erl:1:22: error[E0301]: syntax error before `1.0`"]
    );
    let latin1 = b"%% coding: latin-1\n-type t() :: '\xE6\xF8\xE5' | 1.0.\n-type \xE9() :: a.\n";
    let parsed = parse_source("m.erl", latin1, &NoIncludes, &Options::default());
    assert_eq!(
        diagnostics(&parsed),
        ["m.erl:2:22: error[E0301]: syntax error before `1.0`"]
    );
    assert_eq!(texts(&parsed), ["-type é() :: a."]);
}

#[test]
fn a_line_of_json() {
    let parsed = parse(
        "-module(m).\n-export_type([t/0]).\n-opaque t() :: \"\\n\" .\n",
        25,
    );
    assert_eq!(parsed.diagnostics.len(), 1);
    let mut line = String::new();
    for entry in &parsed.module.forms {
        json::line(&mut line, "dir/m.erl", parsed.module.name.as_deref(), entry);
    }
    let expected = r#"{"file":"dir/m.erl","module":"m","kind":"export_type","name":null,"arity":1,"own":true,"form":{"t":["attribute","export_type",[{"t":["t",0]}]]}}"#;
    assert_eq!(line, format!("{expected}\n"));
    assert!(matches!(
        parsed.module.forms[0].form.kind,
        FormKind::Module(_)
    ));
}

/// A sign before a sign is not the operator `++` or `--`.
#[test]
fn signs_in_a_row_are_printed_as_they_are_read() {
    let text = "-type t() :: - - 1 | + +1 | - + - a() | bnot - not 1.";
    let printed = texts(&parse(text, 25));
    assert_eq!(
        printed,
        ["-type t() :: - -1 | + +1 | -+-a() | bnot -not 1."]
    );
    assert_eq!(texts(&parse(&printed[0], 25)), printed);
}

/// Forms are read from the text, or from tokens behind `-file`: both give equal results.
#[test]
fn text_and_tokens_give_the_same_forms() {
    let sources = [
        include_str!("odd/odd.erl"),
        include_str!("odd/odd27.erl"),
        include_str!("odd/odd29.erl"),
        include_str!("odd/odd_heads.erl"),
    ];
    for (source, release) in sources.iter().zip([25, 27, 29, 25]) {
        let from_text = parse(&format!("%\n{source}"), release);
        let from_tokens = parse(&format!("-file(\"m.erl\", 1).\n{source}"), release);
        assert!(!from_text.module.forms.is_empty());
        assert_eq!(from_text, from_tokens);
    }
}

/// As in OTP's parser: the first token that cannot continue any form.
#[test]
fn a_syntax_error_stands_at_the_token_that_is_wrong() {
    for (text, column) in [
        ("-type t(A B) :: a.", 11),
        ("-type t() :: {a b}.", 17),
        ("-type t() :: a:b.", 17),
        ("-type t() :: #r{a b}.", 19),
        ("-type t() :: 1..2..3.", 18),
        ("-type ((t() :: a)).", 13),
        ("-spec f(a) -> b when A : b.", 24),
        ("-spec f(... -> b.", 13),
        ("-record(r {a}).", 11),
        ("-export([f/1, g).", 16),
    ] {
        let found = parse(text, 25).diagnostics;
        assert_eq!(found.len(), 1, "{text}");
        assert_eq!(
            (found[0].code, found[0].column),
            ("E0301", column),
            "{text}"
        );
    }
}
