//! Terms that are read from text, compared with Erlang's result for the text.

use otp_bridge::Term;
use otp_bridge::term::etf;

use crate::generate::{self, Random};
use crate::oracle::{Question, ask, show};

/// Texts of every rule of the grammar.
const TEXTS: &[&str] = &[
    "ok",
    "'two words'",
    "ärger",
    r"'\x{3bb}\101\s\''",
    "{ok, #{a => 1}}",
    "[]",
    "[1, 2 | tail]",
    "[1 | [2 | [3]]]",
    "[a | [b | c]]",
    "{}",
    "#{}",
    "#{1 => a, 1.0 => b, [] => c}",
    "#{a => 1, a => 2}",
    "-1",
    "+ 1",
    "- 16#Ff",
    "1_000_000",
    "36#Zz",
    "123456789012345678901234567890",
    "-9223372036854775808",
    "9223372036854775808",
    "-16#8000000000000000",
    "1.5e-3",
    "-0.0",
    "1_0.2_5",
    "$a",
    r"$\n",
    r"$\x{3bb}",
    r"$\^A",
    "$ ",
    r#""""#,
    r#""text""#,
    r#""one" "two""#,
    r#""λ\t\"""#,
    "<<>>",
    r#"<<"text">>"#,
    r#"<<"λ"/utf8>>"#,
    r#"<<"λ">>"#,
    r#"<<"ab":16>>"#,
    "<<1, 256, -1>>",
    "<<1:1, 0:2, 5:12>>",
    "<<16#123456789abcdef012:72>>",
    "<<-2:70>>",
    "<<$a, $\\n>>",
    "<<$λ/utf8>>",
    "fun lists:map/2",
    "fun 'Elixir.Enum':'map!'/2",
    "% a comment\n{a, % another one }\n b}",
    "{a,\n\tb}",
];

/// Texts that Erlang does not read, either.
const NOT_TERMS: &[&str] = &[
    "",
    "Variable",
    "{a",
    "[a, ]",
    "a b",
    "#{a}",
    "#{a := b}",
    "1.e3",
    "'a",
    "\"a",
    "end",
    "<<1:>>",
    "$",
    "[|a]",
    "{a,,b}",
    "fun(X) -> X end x",
    "37#1",
    "2#2",
    "1e5x",
    "#{a => }",
];

#[test]
fn text_is_read_as_by_erlang() {
    let texts: Vec<Vec<u8>> = TEXTS.iter().map(|text| text.as_bytes().to_vec()).collect();
    for (text, erlang) in TEXTS.iter().zip(ask(Question::Read, &texts)) {
        let term: Term = text
            .parse()
            .unwrap_or_else(|error| panic!("{text}: {error}"));
        let bytes = etf::encode_as(&term, crate::oracle::encoding());
        assert_eq!(show(&bytes), show(&erlang), "{text}");
    }
}

#[test]
fn what_is_not_a_term_is_refused() {
    for text in NOT_TERMS {
        assert!(text.parse::<Term>().is_err(), "{text}");
    }
    let texts: Vec<Vec<u8>> = NOT_TERMS
        .iter()
        .map(|text| text.as_bytes().to_vec())
        .collect();
    for (text, erlang) in NOT_TERMS.iter().zip(ask(Question::Read, &texts)) {
        let refused = String::from_utf8_lossy(&erlang);
        assert!(refused.starts_with("error:"), "{text}: {refused}");
    }
}

#[test]
fn printed_terms_are_read_back() {
    let mut random = Random::new(38);
    let mut terms = generate::edges();
    terms.extend((0..600).map(|_| generate::term(&mut random, 4, false)));
    let mut compared = 0;
    for term in terms {
        for text in [term.to_string(), format!("{term:#}")] {
            match text.parse::<Term>() {
                Ok(read) => assert_eq!(read, term, "{text}"),
                // Their texts do not contain all of their parts.
                Err(error) => assert!(
                    text.contains('<') && error.what.starts_with("a pid, port, reference")
                        || error.what.starts_with("nested more than"),
                    "{text}: {error}"
                ),
            }
            compared += 1;
        }
    }
    assert!(compared > 1_000);
}

#[test]
fn what_cannot_be_read_is_named() {
    for (text, message) in [
        (
            "{ok, <0.85.0>}",
            "at column 6, before `<`: a pid, port, reference or local fun cannot be read: its text does \
             not say which one it is",
        ),
        (
            "<<1.5>>",
            "at column 3, before `1`: a float in a binary is not read",
        ),
        (
            "<<1:5000>>",
            "at column 5, before `5000`: a size is at most 4096 bits",
        ),
        (
            "fun m:f/256",
            "at column 1, before `fun`: an arity is a number from 0 to 255",
        ),
        (
            "1.0e999",
            "at column 1, before `1`: a float must be below 1.8e308",
        ),
    ] {
        assert_eq!(text.parse::<Term>().unwrap_err().to_string(), message);
    }
}
