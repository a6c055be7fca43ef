//! Maps of bindings ignore keys that a later release of OTP may add, unless keys distinguish the
//! map from another.

mod support;

use otp_codegen::generate;
use support::{module, options};

/// The structs for `forms`, and whether they are exact.
fn maps(forms: &str, are_open: bool) -> Vec<String> {
    let mut options = options();
    options.open_maps = are_open;
    let output = generate(&[module(forms)], &options);
    assert_eq!(output.diagnostics, []);
    let text = output.files.get("m.rs").expect("the module's file");
    let mut found = Vec::new();
    let mut kind = "open";
    for line in text.lines() {
        if line == "#[term(exact)]" {
            kind = "exact";
        } else if let Some(name) = line.strip_prefix("pub struct ") {
            let end = name.find(|it: char| !it.is_alphanumeric());
            found.push(format!("{} {kind}", &name[..end.unwrap_or(name.len())]));
            kind = "open";
        }
    }
    found
}

#[test]
fn what_functions_answer_may_have_more_keys() {
    let forms =
        "-type size() :: non_neg_integer() | #{size => non_neg_integer(), kill => boolean()}.
        -type info() :: #{level := atom(), weight => 1..9}.";
    assert_eq!(maps(forms, true), ["SizeMap open", "Info open"]);
    // Code that is generated elsewhere is exact, with functions or without.
    assert_eq!(maps(forms, false), ["SizeMap exact", "Info exact"]);
}

#[test]
fn a_map_is_exact_where_a_later_one_has_its_keys_and_more() {
    let forms = "-type message() :: sent() | received().
        -type sent() :: #{parts := list(), to => atom()}.
        -type received() :: #{parts := list(), flags := list(), from => atom()}.";
    assert_eq!(maps(forms, true), ["Sent exact", "Received open"]);
    // In any nesting of names and lists.
    let forms = "-type messages() :: nothing | inner().
        -type inner() :: [one()] | [received()].
        -type one() :: sent().
        -type sent() :: #{parts := list(), to => atom()}.
        -type received() :: #{parts := list(), flags := list(), from => atom()}.";
    assert_eq!(maps(forms, true), ["Sent exact", "Received open"]);
}

#[test]
fn an_atom_or_a_key_tells_maps_apart_as_well() {
    let by_an_atom = "-type address() :: four() | six().
        -type four() :: #{family := inet, port := 0..65535}.
        -type six() :: #{family := inet6, port := 0..65535, scope := 0..9}.";
    assert_eq!(maps(by_an_atom, true), ["Four open", "Six open"]);
    let by_a_key = "-type shape() :: square() | circle().
        -type square() :: #{side := integer(), colour => atom()}.
        -type circle() :: #{radius := integer(), colour => atom()}.";
    assert_eq!(maps(by_a_key, true), ["Square open", "Circle open"]);
}

#[test]
fn a_map_is_exact_before_a_member_that_takes_all_maps() {
    for any in ["map()", "term()", "#{atom() => term()}"] {
        let forms = format!(
            "-type one() :: known() | {any}.
            -type known() :: #{{id => integer()}}."
        );
        assert_eq!(maps(&forms, true), ["Known exact"], "{any}");
        let forms = format!(
            "-type many() :: [known()] | [{any}].
            -type known() :: #{{id => integer()}}."
        );
        assert_eq!(maps(&forms, true), ["Known exact"], "a list of {any}");
    }
}
