//! The order of terms, compared with Erlang's.

use std::cmp::Ordering;

use otp_bridge::Term;
use otp_bridge::term::{ImproperList, etf};

use crate::generate::{self, Random, atom, bits, bytes, float, integer, list, map, tuple};
use crate::oracle::{Question, ask, release};

fn corpus() -> Vec<Term> {
    let mut random = Random::new(11);
    let mut terms = generate::edges();
    // Comparing long terms takes much time and tests no more than comparing short ones.
    terms.retain(|term| term.to_string().len() < 400);
    terms.extend(generate::identifiers());
    terms.extend([
        tuple([integer(1), atom("b")]),
        tuple([float(1.0), atom("a")]),
        tuple([float(1.0), atom("b")]),
        map([(integer(1), integer(2))]),
        map([(integer(1), float(2.0))]),
        map([(float(1.0), integer(1))]),
        list([integer(1), float(2.0)]),
        list([float(1.0), integer(2)]),
        ImproperList::term(vec![atom("a")], tuple([])),
        ImproperList::term(vec![atom("a")], bytes(b"")),
        list([atom("a")]),
        list([atom("a"), atom("b")]),
        bits(&[0x40], 2),
        bits(&[0x40], 3),
        float(9_007_199_254_740_992.0),
        float(-9.3e18),
        generate::big("9007199254740993000000000000"),
        float(9_007_199_254_740_993e12),
        generate::fun("lists", "map", 3),
        generate::fun("lists", "filter", 2),
        generate::fun("apply", "map", 2),
    ]);
    terms.extend((0..80).map(|_| generate::term(&mut random, 2, true)));
    terms
}

#[test]
fn terms_compare_as_in_erlang() {
    let mut terms = corpus();
    if release() < 27 {
        // In those releases it is the same term as 0.0.
        terms.retain(|term| *term != float(-0.0));
    }
    let answer = ask(
        Question::Compare,
        &[etf::encode(&Term::List(terms.clone().into()))],
    )
    .remove(0);
    assert_eq!(
        answer.len(),
        terms.len() * terms.len(),
        "{}",
        String::from_utf8_lossy(&answer)
    );
    let rows = terms.iter().zip(answer.chunks_exact(terms.len()));
    for (left, row) in rows {
        for (right, erlang) in terms.iter().zip(row) {
            let own = match left.cmp(right) {
                Ordering::Less => b'<',
                Ordering::Greater => b'>',
                Ordering::Equal => b'=',
            };
            // If Erlang's `==` holds and its `=:=` does not, this order still decides.
            let expected = if *erlang == b'~' && own != b'=' {
                own
            } else {
                *erlang
            };
            assert_eq!(char::from(own), char::from(expected), "{left} and {right}");
            assert_eq!(left == right, *erlang == b'=', "{left} and {right}");
        }
    }
}

#[test]
fn the_order_is_total() {
    let mut terms = corpus();
    terms.sort();
    for (place, left) in terms.iter().enumerate() {
        for right in &terms[place..] {
            assert!(left <= right, "{left} and {right}");
            assert_eq!(
                left.cmp(right),
                right.cmp(left).reverse(),
                "{left} and {right}"
            );
        }
    }
}

#[test]
fn an_integer_comes_before_the_float_of_its_value() {
    assert!(integer(1) < float(1.0));
    assert!(integer(2) > float(1.0));
    assert_ne!(integer(1), float(1.0));
    assert!(tuple([integer(1), atom("b")]) > tuple([float(1.0), atom("a")]));
}

/// As OTP 27 and later compare them.
#[test]
fn there_are_two_zeros() {
    assert_ne!(float(0.0), float(-0.0));
    assert!(float(-0.0) < float(0.0));
    assert!(tuple([float(0.0), atom("a")]) < tuple([float(-0.0), atom("b")]));
    let both = map([(float(0.0), atom("plus")), (float(-0.0), atom("minus"))]);
    assert_eq!(both.to_string(), "#{-0.0 => minus,0.0 => plus}");
    assert_eq!(etf::decode(&etf::encode(&both)), Ok(both));
}

#[test]
fn maps_find_their_keys() {
    let Term::Map(mut entries) = map([(float(1.0), atom("float")), (integer(1), atom("integer"))])
    else {
        unreachable!("a map was made");
    };
    assert_eq!(entries.get(&integer(1)), Some(&atom("integer")));
    assert_eq!(entries.get(&float(1.0)), Some(&atom("float")));
    assert_eq!(entries.get(&integer(2)), None);
    assert_eq!(
        entries.insert(integer(1), atom("one")),
        Some(atom("integer"))
    );
    assert_eq!(entries.insert(integer(0), atom("zero")), None);
    assert_eq!(
        Term::Map(entries).to_string(),
        "#{0 => zero,1 => one,1.0 => float}"
    );
}

#[test]
fn of_two_entries_with_one_key_the_later_counts() {
    let doubled = map([
        (atom("a"), integer(1)),
        (atom("b"), integer(2)),
        (atom("a"), integer(3)),
    ]);
    assert_eq!(doubled.to_string(), "#{a => 3,b => 2}");
}
