//! Tests of rejected derives: the message, and the source that it points at.

use super::{implementations, written};

/// Returns the messages of the error for `source`, each with the piece of source that it points at.
fn refusal(source: &str) -> String {
    let error = syn::parse_str(source)
        .and_then(implementations)
        .expect_err("the derive refuses this");
    let lines = error.into_iter().map(|error| {
        let place = error.span().source_text().unwrap_or_default();
        format!("{place}: {error}")
    });
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn unknown_attributes_are_answered_with_the_known_ones() {
    for (source, message) in [
        (
            "#[term(rename = \"a\")] struct A;",
            "rename: unknown attribute `rename`: a struct may have `transparent`, `tuple`, `record`, `tag` or `exact`",
        ),
        (
            "enum A { #[term(transparent)] B(u8) }",
            "transparent: unknown attribute `transparent`: a variant may have `untagged`, `tuple`, `record` or `tag`",
        ),
        (
            "struct A { #[term(default)] b: u8 }",
            "default: unknown attribute `default`: a field may have `optional`, `key` or `rest`",
        ),
        (
            "#[term(untagged)] enum A { B(u8) }",
            "untagged: unknown attribute `untagged`: an enum has none, its variants have",
        ),
    ] {
        assert_eq!(refusal(source), message, "{source}");
    }
}

#[test]
fn variants_that_could_not_be_told_apart_are_both_named() {
    for (source, message) in [
        (
            "enum A { Get, #[term(tag = \"get\")] Fetch }",
            "Fetch: `Get` and `Fetch` are both `get` in Erlang: give one of them another `#[term(tag = \"...\")]`",
        ),
        (
            "enum A { Add(u8), #[term(tag = \"add\")] Sum(u16) }",
            "Sum: `Add` and `Sum` are both `{add, _}` in Erlang: give one of them another `#[term(tag = \"...\")]`",
        ),
        (
            "enum A { Continue(u8, u8), continue_(u8, u8) }",
            "continue_: `Continue` and `continue_` are both `{continue, _, _}` in Erlang: \
             give one of them another `#[term(tag = \"...\")]`",
        ),
        (
            "struct A { b: u8, #[term(key = \"b\")] c: u8 }",
            "c: the key `b` occurs twice in the map",
        ),
    ] {
        assert_eq!(refusal(source), message, "{source}");
    }
}

#[test]
fn one_tag_may_have_several_sizes() {
    let source =
        "enum A { Stop, #[term(tag = \"stop\")] One(u8), #[term(tag = \"stop\")] Two(u8, u8) }";
    assert!(syn::parse_str(source).and_then(implementations).is_ok());
}

#[test]
fn attributes_that_contradict_the_shape_are_refused() {
    for (source, message) in [
        (
            "enum A { B { c: u8 } }",
            "B: a variant whose fields have names needs `#[term(record)]`, which makes it `{tag, Field1, Field2}`; \
             for a map, give it one `#[term(untagged)]` field of a struct with these fields",
        ),
        (
            "#[term(transparent)] struct A(u8, u8);",
            "transparent: `transparent` needs exactly one field, whose term is the whole",
        ),
        (
            "enum A { #[term(untagged)] B }",
            "untagged: `untagged` needs exactly one field, whose term is the whole",
        ),
        (
            "#[term(tuple, tag = \"a\")] struct A(u8);",
            "\"a\": `tag` has no effect here: this form has no tag",
        ),
        (
            "#[term(tag = \"a\")] struct A { b: u8 }",
            "\"a\": `tag` has no effect here: this form has no tag",
        ),
        (
            "#[term(tuple, record)] struct A { b: u8 }",
            "record: `record` contradicts the other attribute",
        ),
        (
            "#[term(record)] struct A(u8);",
            "record: `record` is for fields with names; those without already are `{tag, ...}`",
        ),
        (
            "struct A { #[term(optional)] b: u8 }",
            "optional: an `optional` field is an `Option`: `None` leaves out the key",
        ),
        (
            "struct A { #[term(rest)] b: Map, #[term(rest)] c: Map }",
            "rest: another field is `rest` already",
        ),
        (
            "struct A { #[term(rest, optional)] b: Option<Map> }",
            "rest: `rest` is for the keys that no other field has: it has none of its own",
        ),
        (
            "struct A(#[term(rest)] u8);",
            "rest: only the fields of a map have keys",
        ),
        (
            "#[term(exact)] struct A { #[term(rest)] b: Map }",
            "exact: `exact` contradicts the field with `rest`, which takes every key",
        ),
        (
            "#[term(exact)] struct A(u8);",
            "exact: `exact` is for maps: other forms are exact already",
        ),
        (
            "struct A(#[term(key = \"b\")] u8);",
            "\"b\": only the fields of a map have keys",
        ),
        (
            "#[term(tag = \"a\", tag = \"b\")] struct A;",
            "tag: `tag` stands here twice",
        ),
        (
            "#[reply(u8)] #[reply(u16)] struct A;",
            "reply: `reply` stands here twice",
        ),
        (
            "union A { b: u8 }",
            "union: a Rust union has no Erlang form: an enum is what Erlang calls a union",
        ),
    ] {
        assert_eq!(refusal(source), message, "{source}");
    }
}

#[test]
fn an_atom_that_is_too_long_is_refused() {
    let tag = "a".repeat(256);
    let message = refusal(&format!("#[term(tag = \"{tag}\")] struct A;"));
    assert!(
        message.ends_with("an atom has at most 255 characters, this text has 256"),
        "{message}"
    );
}

#[test]
fn only_what_is_never_read_may_skip_fields_and_only_at_its_end() {
    let skipped = "enum A<S> { B(u8, #[term(skip)] S), C(#[term(skip)] S) }";
    assert_eq!(
        refusal(skipped),
        "skip: unknown attribute `skip`: a field may have `optional`, `key` or `rest`"
    );
    let input = syn::parse_str(skipped).expect("an enum");
    assert!(written(input).is_ok());
    let input = syn::parse_str("struct A<S>(#[term(skip)] S, u8);").expect("a struct");
    let error = written(input).expect_err("not at its end");
    assert!(error.to_string().contains("cannot follow"), "{error}");
}
