//! Headers with many `-define`s, which are added at once, have the same meaning as if their text
//! were inlined.

use std::fmt::Write;
use std::sync::Arc;

use otp_specs::{Include, Options, Parsed, Release, Unit, parse_source};

/// More definitions than are added one by one.
const MANY: usize = 100;

fn many(prefix: &str) -> String {
    let mut text = String::new();
    for number in 0..MANY {
        _ = writeln!(text, "-define({prefix}{number}, {prefix}_{number}).");
    }
    text
}

/// Reads a module. `header` replaces each `-include`, or is included.
fn read(module: &str, header: &str, is_included: bool) -> Parsed {
    let release = Release::default();
    let unit = Arc::new(Unit::read("h.hrl", header.as_bytes(), release));
    let includes = |_: &Include<'_>| Some(unit.clone());
    let text = if is_included {
        module.to_owned()
    } else {
        module.replace("-include(\"h.hrl\").\n", header)
    };
    parse_source("m.erl", text.as_bytes(), &includes, &Options::default())
}

/// The printed types, and the diagnostics without their locations.
fn meaning(parsed: &Parsed) -> (Vec<String>, Vec<String>) {
    let forms = parsed.module.forms.iter();
    let forms = forms.map(|entry| otp_specs::print::form(&entry.form));
    let diagnostics = parsed.diagnostics.iter();
    let messages = diagnostics.map(|one| one.label.clone());
    (forms.collect(), messages.collect())
}

fn same(module: &str, header: &str) -> Vec<String> {
    let [included, in_place] = [true, false].map(|how| meaning(&read(module, header, how)));
    assert_eq!(included, in_place);
    let (forms, messages) = included;
    forms.into_iter().chain(messages).collect()
}

#[test]
fn they_are_defined_as_if_they_stood_there() {
    let module = "-include(\"h.hrl\").\n-type a() :: ?A5.\n-ifdef(A99).\n-type b() :: ?A99.\n\
        -else.\n-type b() :: none.\n-endif.\n-ifdef(B1).\n-type c() :: wrong.\n-endif.\n";
    let found = same(module, &many("A"));
    assert_eq!(found, ["-type a() :: A_5.", "-type b() :: A_99."]);
}

#[test]
fn one_that_is_removed_can_be_defined_again() {
    let module = "-include(\"h.hrl\").\n-undef(A5).\n-ifdef(A5).\n-type a() :: wrong.\n-endif.\n\
        -type b() :: ?A5.\n-define(A5, other).\n-type c() :: ?A5.\n-define(A5, third).\n\
        -undef(A6).\n-if(defined(A6)).\n-type d() :: wrong.\n-endif.\n";
    let found = same(module, &many("A"));
    assert_eq!(found.len(), 3, "{found:?}");
    assert!(found[0].contains("c() :: other"), "{found:?}");
}

#[test]
fn one_with_another_arity_is_a_definition_beside_it() {
    let module = "-include(\"h.hrl\").\n-define(A5(X), {X}).\n-type a() :: {?A5, ?A5(b)}.\n\
        -define(A5(X), {X, X}).\n-define(A5, c).\n";
    let found = same(module, &many("A"));
    assert_eq!(found.len(), 3, "{found:?}");
}

#[test]
fn what_is_known_already_is_refused_one_by_one() {
    let twice = "-include(\"h.hrl\").\n-include(\"h.hrl\").\n-type a() :: ?A5.\n";
    assert_eq!(same(twice, &many("A")).len(), MANY + 1);
    let before = "-define(A5, first).\n-include(\"h.hrl\").\n-type a() :: {?A5, ?A6}.\n";
    assert_eq!(same(before, &many("A")).len(), 2);
    let inside = many("A") + "-define(A5, again).\n";
    assert_eq!(
        same("-include(\"h.hrl\").\n-type a() :: ?A5.\n", &inside).len(),
        2
    );
    let predefined = many("A") + "-define(FILE, mine).\n";
    assert_eq!(
        same("-include(\"h.hrl\").\n-type a() :: ?A5.\n", &predefined).len(),
        2
    );
    let broken = many("A") + "-define(A5).\n";
    assert_eq!(
        same("-include(\"h.hrl\").\n-type a() :: ?A5.\n", &broken).len(),
        2
    );
}

#[test]
fn in_a_branch_that_does_not_count_nothing_is_defined() {
    let header = format!("-ifdef(NONE).\n{}-else.\n{}-endif.\n", many("A"), many("B"));
    let module = "-include(\"h.hrl\").\n-type a() :: ?B5.\n-type b() :: ?A5.\n";
    assert_eq!(same(module, &header).len(), 2);
}

/// More runs than a lookup may search.
#[test]
fn a_header_of_many_runs_is_read_whole() {
    let runs = (b'A'..=b'Z').map(|letter| many(&char::from(letter).to_string()));
    let header: String = runs.map(|run| run + "-type t() :: ok.\n").collect();
    let module = "-include(\"h.hrl\").\n-type a() :: {?A1, ?M1, ?Z99}.\n";
    assert_eq!(same(module, &header).len(), 27);
}
