//! The External Term Format, compared with `term_to_binary/1`.

use otp_bridge::Term;
use otp_bridge::term::etf::{self, Encoding};
use otp_bridge::term::{MAX_DEPTH, TermMap};

use crate::generate::{self, Random, atom, integer, list, map, tuple};
use crate::oracle::{Question, ask, encoding, release, show};

fn random_terms(count: usize, identifiers: bool) -> Vec<Term> {
    let mut random = Random::new(42);
    (0..count)
        .map(|_| generate::term(&mut random, 4, identifiers))
        .collect()
}

/// Erlang reads the text of each term and writes its bytes.
#[test]
fn the_bytes_are_those_of_term_to_binary() {
    let terms = [generate::edges(), random_terms(600, false)].concat();
    let texts: Vec<Vec<u8>> = terms
        .iter()
        .map(|term| term.to_string().into_bytes())
        .collect();
    for (term, erlang) in terms.iter().zip(ask(Question::Read, &texts)) {
        assert_eq!(
            show(&etf::encode_as(term, encoding())),
            show(&erlang),
            "{term}"
        );
    }
}

/// Erlang reads the bytes of each term, including those without text, and writes the same bytes.
#[test]
fn erlang_reads_the_bytes_and_writes_the_same() {
    let terms = [
        generate::edges(),
        generate::identifiers(),
        random_terms(600, true),
    ]
    .concat();
    for own in [Encoding::Otp25, Encoding::Otp26] {
        let bytes: Vec<Vec<u8>> = terms.iter().map(|it| etf::encode_as(it, own)).collect();
        for (term, erlang) in terms.iter().zip(ask(Question::Again, &bytes)) {
            let expected = etf::encode_as(term, encoding());
            assert_eq!(show(&expected), show(&erlang), "from {own:?}");
        }
    }
}

/// Compares without the option `deterministic`, for terms that the option does not change.
#[test]
fn what_has_no_large_map_has_the_bytes_of_term_to_binary_itself() {
    let mut terms = [generate::edges(), generate::identifiers()].concat();
    terms.extend(random_terms(300, true));
    if release() >= 26 {
        terms.retain(|term| !has_map_of_atoms(term));
    }
    let bytes: Vec<Vec<u8>> = terms
        .iter()
        .map(|it| etf::encode_as(it, encoding()))
        .collect();
    for (own, erlang) in bytes.iter().zip(ask(Question::AsItIs, &bytes)) {
        assert_eq!(show(own), show(&erlang));
    }
}

/// Returns whether a part is a map with several keys, one of them an atom.
fn has_map_of_atoms(term: &Term) -> bool {
    let key = |entries: &TermMap| {
        entries.len() > 1 && entries.iter().any(|(key, _)| matches!(key, Term::Atom(_)))
    };
    match term {
        Term::Tuple(parts) | Term::List(parts) => parts.iter().any(has_map_of_atoms),
        Term::ImproperList(list) => list.elements().iter().any(has_map_of_atoms),
        Term::Map(entries) => {
            let mut parts = entries.iter();
            key(entries)
                || parts.any(|(key, value)| has_map_of_atoms(key) || has_map_of_atoms(value))
        }
        _ => false,
    }
}

#[test]
fn the_two_forms_differ_in_atoms_and_ports() {
    let bytes = |term: &Term| {
        let encodings = [Encoding::Otp25, Encoding::Otp26];
        encodings.map(|encoding| etf::encode_as(term, encoding)[1..].to_vec())
    };
    assert_eq!(bytes(&atom("é")), [&b"d\0\x01\xe9"[..], b"w\x02\xc3\xa9"]);
    assert_eq!(bytes(&atom("日")), [b"w\x03\xe6\x97\xa5"; 2]);
    let long = "é".repeat(255);
    let [latin1, utf8] = bytes(&atom(&long));
    assert_eq!((latin1[0], latin1.len()), (100, 3 + 255));
    assert_eq!((utf8[0], utf8.len()), (118, 3 + 510));
    let port = generate::port("n", 6);
    let otp25 = b"Yd\0\x01n\0\0\0\x06\0\0\0\x07";
    let otp26 = b"xw\x01n\0\0\0\0\0\0\0\x06\0\0\0\x07";
    assert_eq!(bytes(&port), [&otp25[..], otp26]);
    assert_eq!(
        etf::encode(&port),
        etf::encode_as(&port, Encoding::default())
    );
    assert_eq!(Encoding::of_release(25), Encoding::Otp25);
    assert_eq!(Encoding::of_release(26), Encoding::Otp26);
}

#[test]
fn large_maps_are_in_the_order_of_their_keys() {
    let mixed = map((0..50_i64).map(|number| match number % 3 {
        0 => (integer(number), integer(number)),
        1 => (generate::float(number as f64), atom("float")),
        _ => (tuple([atom("key"), integer(number)]), list([])),
    }));
    let squares = map((1..=1000).map(|number| (integer(number), integer(number * number))));
    let bytes = [mixed, squares].map(|term| etf::encode_as(&term, encoding()));
    for (own, erlang) in bytes.iter().zip(ask(Question::Again, &bytes)) {
        assert_eq!(show(own), show(&erlang));
    }
}

/// Encodings of other nodes and older releases, and a local fun.
#[test]
fn all_that_erlang_writes_is_read() {
    let expressions = [
        "fun(X) -> X end",
        "Y = {1, \"a\"}, fun() -> Y end",
        "self()",
        "make_ref()",
        "hd(erlang:ports())",
        "erlang:monitor(process, self())",
        "alias()",
        "maps:from_list([{X, X * X} || X <- lists:seq(1, 40)])",
        "lists:foldl(fun(X, A) -> {X, A} end, [], lists:seq(1, 100))",
    ];
    let texts = expressions.map(|text| text.as_bytes().to_vec());
    for (text, erlang) in expressions.iter().zip(ask(Question::Read, &texts)) {
        let term = etf::decode(&erlang).unwrap_or_else(|error| panic!("{text}: {error}"));
        let again = etf::decode(&etf::encode(&term)).expect("own bytes are read");
        assert_eq!(term, again, "{text}");
        if !text.starts_with("maps") {
            assert_eq!(
                show(&etf::encode_as(&term, encoding())),
                show(&erlang),
                "{text}"
            );
        }
    }
}

#[test]
fn older_forms_are_read() {
    let node = b"\x73\x01n";
    let with_node = |tag: u8, rest: &[u8]| [&[131, tag], &node[..], rest].concat();
    let mut old_float = vec![131, 99];
    old_float.extend_from_slice(b"1.50000000000000000000e+00\0\0\0\0\0");
    let old_reference = [&[131, 114, 0, 1][..], node, &[3, 0, 0, 0, 9]].concat();
    for (bytes, text) in [
        (vec![131, 115, 2, b'o', b'k'], "ok"),
        (vec![131, 118, 0, 2, 0xC3, 0xA9], "é"),
        (old_float, "1.5"),
        (with_node(103, &[0, 0, 0, 5, 0, 0, 0, 6, 1]), "<n.5.6>"),
        (with_node(102, &[0, 0, 0, 5, 1]), "#Port<n.5>"),
        (old_reference, "#Ref<n.9>"),
        (vec![131, 105, 0, 0, 0, 1, 106], "{[]}"),
        (vec![131, 111, 0, 0, 0, 1, 1, 5], "-5"),
    ] {
        let term = etf::decode(&bytes).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(term.to_string(), text);
    }
}

#[test]
fn wrong_bytes_are_refused_with_the_place() {
    for (bytes, message) in [
        (&[][..], "the term ends early, at byte 0"),
        (&[130], "not a term: starts with 130, not 131, at byte 0"),
        (&[131], "the term ends early, at byte 1"),
        (
            &[131, 80, 0, 0, 0, 1, 0],
            "the term is compressed, which is not supported, at byte 1",
        ),
        (&[131, 9], "unknown tag 9, at byte 1"),
        (&[131, 97, 1, 97], "bytes follow the term, at byte 3"),
        (&[131, 119, 1, 0xFF], "an atom is not UTF-8, at byte 3"),
        (
            &[131, 70, 0x7F, 0xF0, 0, 0, 0, 0, 0, 0],
            "a float is infinite or not a number, at byte 2",
        ),
        (
            &[131, 77, 0, 0, 0, 1, 9, 0],
            "a bitstring does not use 1 to 8 bits of its last byte, at byte 6",
        ),
        (
            &[131, 116, 0, 0, 0, 2, 97, 1, 106, 97, 1, 106],
            "a map has a key twice, at byte 2",
        ),
        (
            &[131, 108, 0xFF, 0xFF, 0xFF, 0xFF, 106],
            "the term ends early, at byte 2",
        ),
        (
            &[131, 113, 115, 1, b'm', 115, 1, b'f', 106],
            "the arity of a fun is wrong, at byte 8",
        ),
        (&[131, 88, 106], "unknown tag 106, at byte 2"),
    ] {
        let error = etf::decode(bytes).expect_err(message);
        assert_eq!(error.to_string(), message, "{bytes:?}");
    }
}

#[test]
fn an_atom_of_more_than_255_characters_is_refused() {
    let mut bytes = vec![131, 118, 1, 0];
    bytes.extend([b'a'; 256]);
    let error = etf::decode(&bytes).expect_err("too long");
    assert_eq!(
        error.to_string(),
        "an atom has more than 255 characters, at byte 4"
    );
}

#[test]
fn depth_is_bounded() {
    let nested = |depth: usize| {
        let mut bytes = vec![131];
        bytes.extend([104, 1].repeat(depth));
        bytes.push(106);
        bytes
    };
    assert!(etf::decode(&nested(MAX_DEPTH)).is_ok());
    let message = "the term is nested deeper than 16384 levels, at byte 32771";
    for depth in [MAX_DEPTH + 1, 1_000_000] {
        assert_eq!(
            etf::decode(&nested(depth)).expect_err(message).to_string(),
            message
        );
    }
}

/// Damaged bytes are refused, or they are another term, whose own bytes then give the same term.
#[test]
fn damaged_bytes_do_no_harm() {
    let mut random = Random::new(7);
    let terms = [generate::identifiers(), random_terms(300, true)].concat();
    let (mut refused, mut read) = (0, 0);
    for term in &terms {
        let bytes = etf::encode(term);
        for _ in 0..50 {
            let mut damaged = bytes.clone();
            match random.below(3) {
                0 => damaged.truncate(random.below(bytes.len())),
                1 => damaged.insert(random.below(bytes.len()), random.below(256) as u8),
                _ => {
                    let place = random.below(bytes.len());
                    damaged[place] = random.below(256) as u8;
                }
            }
            match etf::decode(&damaged) {
                Err(_) => refused += 1,
                Ok(other) => {
                    read += 1;
                    assert_eq!(etf::decode(&etf::encode(&other)), Ok(other));
                }
            }
        }
    }
    assert!(
        refused > 1000 && read > 1000,
        "{refused} refused, {read} read"
    );
}
