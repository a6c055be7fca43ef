//! The texts that the grammar accepts, and those that it refuses, with their error messages.

use otp_grammar::{DEEPEST, Error, Pair, Rule, leaf, read, whole};

fn refusal(text: &str) -> String {
    let read = read(text, whole::TERM, |_| Ok(()));
    read.unwrap_err().to_string()
}

fn is_term(text: &str) -> bool {
    read(text, whole::TERM, |_| Ok(())).is_ok()
}

fn is_type(text: &str) -> bool {
    read(text, whole::TYPE, |_| Ok(())).is_ok()
}

fn leaf_of<'t, T: Send>(
    text: &'t str,
    rule: Rule,
    make: impl FnOnce(Pair<'t>) -> Result<T, Error> + Send,
) -> Result<T, Error> {
    read(text, whole::TERM, |pair| {
        assert_eq!(pair.as_rule(), rule);
        make(pair)
    })
}

#[test]
fn the_words_that_are_not_atoms_are_those_of_erlang() {
    for word in otp_contract::erlang::RESERVED_WORDS {
        // Only the feature `maybe_expr` reserves them: people may write them without quotes.
        let is_free = matches!(word, "maybe" | "else");
        assert_eq!(is_term(word), is_free, "{word}");
        assert_eq!(is_type(word), is_free, "{word}");
        assert!(is_term(&format!("{word}s")), "{word}s");
        assert!(is_term(&format!("'{word}'")), "'{word}'");
    }
}

#[test]
fn escapes_are_those_of_erlang() {
    let text = r#""\n\x41\x{3bb}\101\^A\s\"\\\q""#;
    let read = leaf_of(text, Rule::string, |pair| leaf::text(leaf::inner(pair)?));
    assert_eq!(read.as_deref(), Ok("\nAλA\u{1} \"\\q"));
    let surrogate = leaf_of(r"'\x{D800}'", Rule::atom, leaf::atom);
    assert_eq!(
        surrogate.unwrap_err().to_string(),
        "at column 2, before `\\`: an escape that is not a character"
    );
}

#[test]
fn an_error_says_where_it_is() {
    for (text, message) in [
        ("", "syntax error at column 1, at the end"),
        ("{a, b", "syntax error at column 6, at the end"),
        (
            "{a,\n  end}",
            "syntax error at line 2, column 3, before `end`",
        ),
        ("[1, 2 3]", "syntax error at column 7, before `3`"),
        ("{ok} extra", "syntax error at column 6, before `extra`"),
    ] {
        assert_eq!(refusal(text), message, "{text}");
    }
}

#[test]
fn numbers_are_checked() {
    let integer = |text: &'static str| {
        leaf_of(text, Rule::number, |pair| {
            let digits = leaf::integer(&leaf::inner(pair)?)?;
            Ok((digits.base, digits.values().collect::<Vec<_>>()))
        })
    };
    assert_eq!(integer("1_000"), Ok((10, vec![1, 0, 0, 0])));
    assert_eq!(integer("16#fF"), Ok((16, vec![15, 15])));
    for (text, message) in [
        (
            "37#1",
            "at column 1, before `37`: a base is an integer from 2 to 36",
        ),
        (
            "2#12",
            "at column 1, before `2`: `2` is not a digit of base 2",
        ),
    ] {
        assert_eq!(integer(text).unwrap_err().to_string(), message);
    }
}

#[test]
fn brackets_are_nested_up_to_a_limit() {
    let nested = |levels: usize| ["[".repeat(levels), "]".repeat(levels)].concat();
    let tuples = |levels: usize| ["{".repeat(levels), "}".repeat(levels)].concat();
    assert!(is_term(&nested(DEEPEST)) && is_type(&nested(DEEPEST)) && is_type(&tuples(DEEPEST)));
    let parentheses = ["(".repeat(DEEPEST), "t()".to_owned(), ")".repeat(DEEPEST)].concat();
    assert!(is_type(&parentheses[1..parentheses.len() - 1]));
    assert!(refusal(&nested(DEEPEST + 1)).ends_with("nested more than 256 levels deep"));
    for open in [
        "[", "{", "#{a=>", "<<", "(", "fun((", "A::", "-", "a|", "m:t(",
    ] {
        assert!(!is_type(&open.repeat(3_000)), "{open}");
        assert!(!is_term(&open.repeat(3_000)), "{open}");
    }
}

#[test]
fn long_texts_take_no_stack() {
    let many = |piece: &str| piece.repeat(2_000);
    assert!(is_type(&format!("{}b", many("a | "))));
    assert!(is_type(&format!("{}b", many("A :: "))));
    assert!(is_type(&format!("{}1", many("1 + "))));
    assert!(is_type(&format!("{}1", many("- "))));
    assert!(is_term(&format!("[{}a]", many("a, "))));
}

#[test]
fn words_are_apart_and_brackets_need_no_blank() {
    for text in [
        "fun lists:map/2",
        "<< \"a\" / utf8 >>",
        "<<\"a\"/utf8, 1:4>>",
        "- 1",
        "{}",
        "#{}",
        "'fun'",
    ] {
        assert_eq!(is_term(text), !text.contains("/ utf8"), "{text}");
    }
    for text in [
        "1bsl 2",
        "1 bsl2",
        "funny()",
        "fun ()",
        "fun((a)->b)",
        "<<_:_*8>>",
        "not a",
        "nota",
    ] {
        assert_eq!(
            is_type(text),
            !text.contains("bsl2") && !text.contains("1bsl"),
            "{text}"
        );
    }
}
