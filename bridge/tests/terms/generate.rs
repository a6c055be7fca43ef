//! Terms for tests: selected ones at the limits, and any number of pseudo-random ones.

use otp_bridge::term::{
    Binary, Bitstring, Float, Fun, Heap, Integer, PidParts, Port, PortParts, ReferenceParts,
};
use otp_bridge::term::{ImproperList, OwnedHeap};
use otp_bridge::{Atom, Pid, Reference, Term};

/// A small generator of pseudo-random numbers (xorshift64*).
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub(crate) fn bits(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    pub(crate) fn below(&mut self, limit: usize) -> usize {
        (self.bits() >> 33) as usize % limit
    }

    fn pick<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }
}

pub(crate) fn atom(text: &str) -> Term {
    Term::Atom(Atom::new(text).expect("a short text"))
}

pub(crate) fn float(value: f64) -> Term {
    Term::Float(Float::new(value).expect("a finite value"))
}

pub(crate) fn big(digits: &str) -> Term {
    Term::BigInteger(digits.parse::<Integer>().expect("digits"))
}

pub(crate) fn bytes(bytes: &[u8]) -> Term {
    Term::Binary(Binary::from(bytes))
}

pub(crate) fn bits(bytes: &[u8], count: usize) -> Term {
    let bits = Bitstring::new(bytes.to_vec(), count).expect("so many bits");
    OwnedHeap.bitstring(&bits)
}

pub(crate) fn list(elements: impl IntoIterator<Item = Term>) -> Term {
    Term::List(elements.into_iter().collect())
}

pub(crate) fn tuple(elements: impl IntoIterator<Item = Term>) -> Term {
    Term::Tuple(elements.into_iter().collect())
}

pub(crate) fn map(entries: impl IntoIterator<Item = (Term, Term)>) -> Term {
    Term::Map(entries.into_iter().collect())
}

pub(crate) fn integer(value: i64) -> Term {
    Term::Integer(value)
}

pub(crate) fn pid(node: &str, id: u32, serial: u32) -> Term {
    let node = Atom::new(node).expect("a short text");
    Term::Pid(Pid::from_parts(PidParts {
        node,
        id,
        serial,
        creation: 7,
    }))
}

pub(crate) fn port(node: &str, id: u64) -> Term {
    let node = Atom::new(node).expect("a short text");
    Term::Port(Port::from_parts(PortParts {
        node,
        id,
        creation: 7,
    }))
}

pub(crate) fn reference(node: &str, ids: &[u32]) -> Term {
    let node = Atom::new(node).expect("a short text");
    let parts = ReferenceParts {
        node,
        creation: 7,
        ids: ids.to_vec(),
    };
    Term::Reference(Reference::from_parts(parts).expect("one to five words"))
}

pub(crate) fn fun(module: &str, function: &str, arity: u8) -> Term {
    let name = |text| Atom::new(text).expect("a short text");
    Term::Fun(Fun::external(name(module), name(function), arity))
}

/// Returns terms of every kind that has Erlang text, at the limits of their encodings.
pub(crate) fn edges() -> Vec<Term> {
    [atoms(), numbers(), bitstrings(), lists(), tuples_and_maps()].concat()
}

fn atoms() -> Vec<Term> {
    let texts = [
        "ok",
        "",
        "true",
        "undefined",
        "nil",
        "Ok",
        "_",
        "a@b",
        "aB_9",
        "9a",
        "two words",
        "it's",
        "back\\slash",
        "new\nline",
        "\u{1}",
        "\u{7f}",
        "\u{85}",
        "é",
        "Éa",
        "ÿ",
        "aé",
        "日本",
        "ſ",
        "a日",
        "🦀",
        "div",
        "case",
        "casex",
    ];
    let long = [
        "a".repeat(255),
        "é".repeat(255),
        "日".repeat(255),
        "日".repeat(85),
        "日".repeat(86),
    ];
    let texts = texts.into_iter().map(str::to_owned).chain(long);
    texts.map(|text| atom(&text)).collect()
}

fn numbers() -> Vec<Term> {
    let mut numbers: Vec<Term> = [
        0,
        1,
        -1,
        255,
        256,
        -256,
        1 << 27,
        1 << 31,
        (1 << 31) - 1,
        -(1 << 31),
        -(1 << 31) - 1,
        1 << 32,
        1 << 40,
        1 << 59,
        (1 << 59) - 1,
        -(1 << 59),
        -(1 << 59) - 1,
        1 << 53,
        (1 << 53) + 1,
        i64::MAX,
        i64::MIN,
        i64::MIN + 1,
    ]
    .map(integer)
    .to_vec();
    numbers.extend(
        [
            "9223372036854775808",
            "-9223372036854775809",
            "18446744073709551616",
        ]
        .map(big),
    );
    // 255 and 256 bytes of magnitude: the limit between the two encodings of big integers.
    let power = |bits: u32| Integer::from(num_bigint::BigInt::from(1) << bits);
    let below = |bits: u32| Integer::from((num_bigint::BigInt::from(1) << bits) - 1);
    numbers.extend([below(2040), power(2040), power(5000)].map(Term::BigInteger));
    let floats = [
        0.0,
        -0.0,
        1.0,
        -1.5,
        0.1,
        0.0001,
        0.00012,
        100.0,
        1000.0,
        150.0,
        1500.0,
        123_456.789,
        9_007_199_254_740_991.0,
        9_007_199_254_740_992.0,
        1e22,
        1.5e300,
        -2.5e-300,
        5e-324,
        f64::MAX,
        f64::MIN_POSITIVE,
    ];
    numbers.extend(floats.map(float));
    numbers
}

fn bitstrings() -> Vec<Term> {
    let mut bitstrings: Vec<Term> = [
        &b""[..],
        b"text",
        b"\"q\"\\",
        "grün".as_bytes(),
        "日本".as_bytes(),
        b"\xff\x00",
        b"\xc3",
        b"\n\t\x1b",
        b"\0",
    ]
    .map(bytes)
    .to_vec();
    bitstrings.push(bytes(&vec![b'x'; 70_000]));
    bitstrings.extend([
        bits(&[0x80], 1),
        bits(&[0xA0], 3),
        bits(&[1, 2, 0xFE], 23),
        bits(b"ab\x80", 17),
        bits(&[7], 8),
    ]);
    bitstrings
}

fn lists() -> Vec<Term> {
    let codes = |text: &str| {
        list(
            text.chars()
                .map(|character| integer(u32::from(character).into())),
        )
    };
    let mut lists = vec![
        list([]),
        list([integer(1)]),
        codes("text"),
        codes("a\"b\\\n"),
        codes("grün"),
        codes("日本"),
        list([integer(97), atom("a")]),
        list([integer(255), integer(256)]),
        list([integer(-1)]),
        list([float(1.0)]),
        list((0..65_535).map(|number| integer(number % 256))),
        list((0..65_536).map(|number| integer(number % 256))),
        list([list([]), list([list([])])]),
    ];
    lists.push(ImproperList::term(vec![atom("a")], atom("b")));
    lists.push(ImproperList::term(vec![integer(97)], integer(98)));
    lists.push(ImproperList::term(
        vec![codes("ab"), atom("a")],
        bytes(b"c"),
    ));
    lists
}

fn tuples_and_maps() -> Vec<Term> {
    let squares =
        |count: i64| map((1..=count).map(|number| (integer(number), integer(number * number))));
    vec![
        tuple([]),
        tuple([atom("add"), integer(5)]),
        tuple((0..255).map(integer)),
        tuple((0..256).map(integer)),
        map([]),
        map([(atom("b"), integer(1)), (atom("a"), integer(2))]),
        map([(float(1.0), atom("float")), (integer(1), atom("integer"))]),
        map([
            (integer(2), atom("a")),
            (float(1.5), atom("b")),
            (integer(-3), atom("c")),
            (float(-7.0), atom("d")),
        ]),
        map([
            (list([]), tuple([])),
            (map([]), bytes(b"")),
            (bits(&[0x80], 1), list([])),
            (tuple([]), map([])),
        ]),
        squares(32),
        fun("lists", "map", 2),
        fun("Odd Module", "odd function", 255),
    ]
}

/// Returns terms without Erlang text.
pub(crate) fn identifiers() -> Vec<Term> {
    vec![
        pid("shop@host", 85, 0),
        pid("shop@host", (1 << 28) - 1, 5),
        pid("shöp@host", 0, 8191),
        pid("nonode@nohost", 3, 2),
        port("shop@host", 6),
        port("shop@host", (1 << 28) - 1),
        port("shop@host", 1 << 28),
        port("shop@host", u64::from(u32::MAX)),
        port("shop@host", 1 << 32),
        port("shop@host", (1 << 40) + 5),
        reference("shop@host", &[1]),
        reference("shop@host", &[1, 2, 3]),
        reference("shop@host", &[9, 2, 3]),
        reference("shop@host", &[0, 9, 9, 9, 1]),
        reference("shop@host", &[5, 5, 5, 0, 0]),
        reference("other@host", &[1, 2, 3]),
    ]
}

/// Returns a random term of at most `depth` levels. With `identifiers`, it may have no Erlang text.
pub(crate) fn term(random: &mut Random, depth: usize, identifiers: bool) -> Term {
    let containers = if depth == 0 { 0 } else { 5 };
    let extra = if identifiers { 3 } else { 0 };
    match random.below(7 + extra + containers) {
        0 => atom(random.pick(&["a", "b", "ok", "Z", "é", "日本", "", "two words"])),
        1 => integer(random.below(300) as i64 - 20),
        2 => integer(random.bits() as i64 >> random.below(64)),
        3 => OwnedHeap.big_integer(&Integer::from(
            i128::from(random.bits() as i64) << random.below(60),
        )),
        4 => float(finite(random)),
        5 => bytes(&octets(random)),
        6 => {
            let octets = octets(random);
            let unused = random.below(8).min(octets.len() * 8);
            bits(&octets, octets.len() * 8 - unused)
        }
        7 if identifiers => pid(
            random.pick(&["a@h", "b@h"]),
            random.below(9) as u32,
            random.below(3) as u32,
        ),
        8 if identifiers => port(
            random.pick(&["a@h", "b@h"]),
            random.bits() >> random.below(64),
        ),
        9 if identifiers => {
            let ids: Vec<u32> = (0..1 + random.below(5))
                .map(|_| random.below(4) as u32)
                .collect();
            reference(random.pick(&["a@h", "b@h"]), &ids)
        }
        other => container(random, other, depth - 1, identifiers),
    }
}

fn container(random: &mut Random, choice: usize, depth: usize, identifiers: bool) -> Term {
    let count = random.below(5);
    let parts = |random: &mut Random| -> Vec<Term> {
        (0..count)
            .map(|_| term(random, depth, identifiers))
            .collect()
    };
    match choice % 5 {
        0 => list(parts(random)),
        1 => tuple(parts(random)),
        2 => ImproperList::term(parts(random), atom("tail")),
        3 => list(octets(random).into_iter().map(|byte| integer(byte.into()))),
        _ => {
            let keys = parts(random);
            map(keys.into_iter().zip(parts(random)))
        }
    }
}

fn finite(random: &mut Random) -> f64 {
    match random.below(3) {
        0 => random.below(2000) as f64 / 8.0 - 100.0,
        1 => (random.bits() as i64 >> random.below(64)) as f64,
        _ => Some(f64::from_bits(random.bits()))
            .filter(|value| value.is_finite())
            .unwrap_or(0.5),
    }
}

fn octets(random: &mut Random) -> Vec<u8> {
    let printable = random.below(2) == 0;
    let length = random.below(6);
    let octet = |random: &mut Random| {
        if printable {
            32 + random.below(95)
        } else {
            random.below(256)
        }
    };
    (0..length).map(|_| octet(random) as u8).collect()
}
