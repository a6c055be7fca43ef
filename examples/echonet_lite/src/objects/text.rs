//! Parses `facts/objects.txt`. The first lines of that file describe its format.
//!
//! The file is part of the program, so a mistake in it causes a panic, which a test would find.

use super::data::{Access, Data, Number, Rule, State};
use super::{Class, Property};

/// Returns the code and the text of each class.
pub(super) fn classes(text: &'static str) -> impl Iterator<Item = (u16, &'static str)> {
    // The lines before the first class are comments.
    let each = text.split("\nclass ").skip(1);
    each.map(|text| (code(text.split(' ').next().unwrap_or_default()), text))
}

/// Parses the text of a class.
pub(super) fn class(text: &'static str) -> Class {
    let (line, properties) = text.split_once('\n').unwrap_or((text, ""));
    let (class_code, rest) = line.split_once(' ').expect("a name");
    let (name, title) = rest.split_once(": ").expect("a title");
    Class {
        code: code(class_code),
        name,
        title,
        properties: properties.lines().map(property).collect(),
    }
}

fn code(digits: &str) -> u16 {
    u16::from_str_radix(digits, 16).expect("a code")
}

fn property(line: &'static str) -> Property {
    let words: Vec<&str> = line.splitn(5, ' ').collect();
    let [epc, name, releases, access, data] = words[..] else {
        panic!("five words: {line}");
    };
    let rules: Vec<Rule> = access.chars().map(rule).collect();
    let [get, set, inf] = rules[..] else {
        panic!("three rules: {line}");
    };
    let mut rest = data;
    let data = one_of(&mut rest);
    assert!(rest.is_empty(), "{rest} is left of {line}");
    Property {
        epc: u8::from_str_radix(epc, 16).expect("a code"),
        name,
        releases: releases.split_once('-').expect("from and to"),
        access: Access { get, set, inf },
        data,
    }
}

fn rule(letter: char) -> Rule {
    match letter {
        'R' => Rule::Required,
        'C' | 'S' => Rule::Conditional,
        'O' => Rule::Optional,
        '-' => Rule::Absent,
        other => panic!("{other} is not a rule"),
    }
}

type Rest<'r> = &'r mut &'static str;

fn one_of(rest: Rest<'_>) -> Data {
    let mut all = vec![one(rest)];
    while take(rest, "|") {
        all.push(one(rest));
    }
    match all.len() {
        1 => all.swap_remove(0),
        _ => Data::OneOf(all),
    }
}

fn one(rest: Rest<'_>) -> Data {
    let word = while_true(rest, |it| it.is_ascii_lowercase());
    match word {
        "u" | "i" => Data::Number(number(rest, word == "i")),
        "state" => states(rest),
        "level" => {
            let (base, count) = brackets(rest, "+");
            Data::Level {
                size: base.len() / 2,
                base: u32::from_str_radix(base, 16).expect("a code"),
                count: count.parse().expect("a count"),
            }
        }
        "raw" => {
            let (least, most) = range(rest);
            Data::Raw { least, most }
        }
        "time" => Data::Time { size: digits(rest) },
        "date" => Data::Date { size: digits(rest) },
        "list" => {
            let size = digits(rest);
            let (least, most) = range(rest);
            assert!(take(rest, "("));
            let items = Box::new(one_of(rest));
            assert!(take(rest, ")"));
            Data::List {
                size,
                least,
                most,
                items,
            }
        }
        "object" => Data::Object(braces(rest, |rest| (until(rest, ":"), one_of(rest)))),
        "bits" => Data::Bits {
            size: digits(rest),
            fields: braces(rest, |rest| {
                let name = until(rest, "@");
                let index = until(rest, "/").parse().expect("an index");
                let mask = u8::from_str_radix(until(rest, ":"), 16).expect("bits");
                (name, index, mask, one_of(rest))
            }),
        },
        other => panic!("{other} is not a type, before {rest}"),
    }
}

/// Parses `state1{41=true,42=false}`, or `state2{000A..0013=component}`, after the word.
fn states(rest: Rest<'_>) -> Data {
    let size = digits(rest);
    let values = braces(rest, |rest| {
        let codes = until(rest, "=");
        let (first, last) = codes.split_once("..").unwrap_or((codes, codes));
        State {
            first: bytes(first),
            last: bytes(last),
            name: while_true(rest, |it| !matches!(it, ',' | '}')),
        }
    });
    Data::State { size, values }
}

/// Parses `u16[0..100]/10@C2"kWh"` after the first letter. A list may replace the range.
fn number(rest: Rest<'_>, is_signed: bool) -> Number {
    let size = digits(rest) / 8;
    assert!(take(rest, "["));
    let inside = until(rest, "]");
    let ends = inside.split_once("..");
    let ends = ends.or_else(|| Some((inside.split(' ').next()?, inside.rsplit(' ').next()?)));
    let (least, most) = ends.expect("a range");
    let divisor = if take(rest, "/") { digits(rest) } else { 1 };
    let times = if take(rest, "*") { digits(rest) } else { 1 };
    let coefficient = take(rest, "@").then(|| {
        let (code, after) = rest.split_at(2);
        *rest = after;
        u8::from_str_radix(code, 16).expect("a code")
    });
    let unit = if take(rest, "\"") {
        until(rest, "\"")
    } else {
        ""
    };
    Number {
        size,
        is_signed,
        least: least.parse().expect("a number"),
        most: most.parse().expect("a number"),
        times: times as i64,
        divisor: divisor as i64,
        coefficient,
        unit,
    }
}

fn take(rest: Rest<'_>, text: &str) -> bool {
    let after = rest.strip_prefix(text);
    after.inspect(|after| *rest = after).is_some()
}

fn until(rest: Rest<'_>, text: &str) -> &'static str {
    let (before, after) = rest.split_once(text).expect(text);
    *rest = after;
    before
}

fn while_true(rest: Rest<'_>, is: impl Fn(char) -> bool) -> &'static str {
    let end = rest.find(|it| !is(it)).unwrap_or(rest.len());
    let (word, after) = rest.split_at(end);
    *rest = after;
    word
}

fn digits(rest: Rest<'_>) -> usize {
    while_true(rest, |it| it.is_ascii_digit())
        .parse()
        .expect("a number")
}

fn brackets(rest: Rest<'_>, between: &str) -> (&'static str, &'static str) {
    assert!(take(rest, "["));
    until(rest, "]").split_once(between).expect(between)
}

fn range(rest: Rest<'_>) -> (usize, usize) {
    let (least, most) = brackets(rest, "..");
    (
        least.parse().expect("a number"),
        most.parse().expect("a number"),
    )
}

fn braces<T>(rest: Rest<'_>, mut element: impl FnMut(Rest<'_>) -> T) -> Vec<T> {
    assert!(take(rest, "{"));
    let mut all = Vec::new();
    loop {
        all.push(element(rest));
        if !take(rest, ",") {
            assert!(take(rest, "}"), "a brace before {rest}");
            return all;
        }
    }
}

fn bytes(code: &str) -> Box<[u8]> {
    let byte = |at: usize| u8::from_str_radix(&code[at..at + 2], 16).expect("a code");
    (0..code.len()).step_by(2).map(byte).collect()
}
