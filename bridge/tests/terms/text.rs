//! Terms as text, compared with `io_lib:format("~0tp", [Term])`.

use otp_bridge::term::{describe, etf};
use otp_bridge::{Term, ToTerm};

use crate::generate::{self, Random, atom, float, integer, list, tuple};
use crate::oracle::{Question, ask};

#[test]
fn terms_look_as_in_erlang() {
    let mut random = Random::new(3);
    let mut terms = generate::edges();
    terms.extend((0..600).map(|_| generate::term(&mut random, 4, false)));
    terms.extend((0..400).map(|_| float(random_float(&mut random))));
    terms.retain(|term| !has_latin1_binary(term));
    let bytes: Vec<Vec<u8>> = terms.iter().map(etf::encode).collect();
    for (term, erlang) in terms.iter().zip(ask(Question::Print, &bytes)) {
        assert_eq!(term.to_string(), String::from_utf8_lossy(&erlang));
    }
}

/// Returns whether there is a binary whose bytes are Latin-1 letters and not UTF-8. Erlang shows it
/// as text, `<<"Ã">>`; this crate shows numbers.
fn has_latin1_binary(term: &Term) -> bool {
    match term {
        Term::Binary(bytes) => std::str::from_utf8(bytes).is_err(),
        Term::List(parts) | Term::Tuple(parts) => parts.iter().any(has_latin1_binary),
        Term::ImproperList(list) => list.elements().iter().any(has_latin1_binary),
        Term::Map(entries) => entries
            .iter()
            .any(|(key, value)| has_latin1_binary(key) || has_latin1_binary(value)),
        _ => false,
    }
}

/// Returns floats of all magnitudes with few digits, where it matters which notation is shorter.
fn random_float(random: &mut Random) -> f64 {
    let digits = random.below(2000) as f64;
    digits * 10_f64.powi(random.below(40) as i32 - 20)
}

/// OTP 27 reserves this word and OTP 25 does not. With quotes it is the atom in both.
#[test]
fn words_that_newer_releases_reserve_have_quotes() {
    assert_eq!(atom("maybe").to_string(), "'maybe'");
}

#[test]
fn debug_is_display() {
    let term = tuple([atom("add"), integer(5)]);
    assert_eq!(format!("{term:?}"), "{add,5}");
}

#[test]
fn identifiers_have_their_node() {
    let texts: Vec<String> = generate::identifiers()
        .iter()
        .map(Term::to_string)
        .collect();
    insta::assert_snapshot!(texts.join("\n"), @r#"
    <shop@host.85.0>
    <shop@host.268435455.5>
    <shöp@host.0.8191>
    <nonode@nohost.3.2>
    #Port<shop@host.6>
    #Port<shop@host.268435455>
    #Port<shop@host.268435456>
    #Port<shop@host.4294967295>
    #Port<shop@host.4294967296>
    #Port<shop@host.1099511627781>
    #Ref<shop@host.1>
    #Ref<shop@host.3.2.1>
    #Ref<shop@host.3.2.9>
    #Ref<shop@host.1.9.9.9.0>
    #Ref<shop@host.0.0.5.5.5>
    #Ref<other@host.3.2.1>
    "#);
}

#[test]
fn a_description_is_cut() {
    let long = list((0..1000).map(|_| atom("abc")));
    assert_eq!(describe(&long, 10), "[abc,abc,a...");
    let text: String = "x".repeat(1000);
    assert_eq!(describe(&Term::of(&text), 10), "<<\"xxxxxxx...");
    assert_eq!(describe(&Term::of(&text), 2000).len(), 1006);
    let characters =
        otp_bridge::term::ErlangString("y".repeat(1000)).to_term(otp_bridge::term::OwnedHeap);
    assert_eq!(describe(&characters, 5), "\"yyyy...");
}

#[test]
fn a_term_that_nests_deep_is_cut() {
    let deep = (0..20_000).fold(list([]), |inner, _| list([inner]));
    let text = deep.to_string();
    assert!(
        text.starts_with("[[[[") && text.ends_with("[[[..."),
        "{text}"
    );
}
