//! Terms as Erlang text.

use std::fmt::{self, Write};

use super::depth::deeper;
use super::lines::lines;
use super::{Term, TermKind, View};
use otp_contract::erlang::push_escaped;

/// Returns the Erlang text of a term, cut to about `limit` characters. `...` marks the cut.
pub fn describe<'a, V: View<'a>>(view: V, limit: usize) -> String {
    let mut printer = Printer {
        text: String::new(),
        left: limit,
    };
    if printer.term(view, 0).is_err() {
        printer.text.push_str("...");
    }
    printer.text
}

/// `{:#}` breaks terms that do not fit on a line of 80 characters into several lines.
impl fmt::Display for Term {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if formatter.alternate() {
            return formatter.write_str(&lines(self));
        }
        let mut printer = Printer {
            text: String::new(),
            left: usize::MAX,
        };
        let printed = printer.term(self, 0);
        formatter.write_str(&printer.text)?;
        if printed.is_err() {
            formatter.write_str("...")
        } else {
            Ok(())
        }
    }
}

impl fmt::Debug for Term {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

/// Prints terms of any backend like `~0tp` of `io_lib:format/2` under `+pc unicode`: lists of
/// printable characters as `"text"`, binaries of printable UTF-8 as `<<"text"/utf8>>`. There is one
/// difference: binaries that are not UTF-8 are always printed as numbers.
struct Printer {
    text: String,
    /// The number of characters that may still be printed.
    left: usize,
}

impl fmt::Write for Printer {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let characters = text.chars().count();
        if characters <= self.left {
            self.left -= characters;
            self.text.push_str(text);
            return Ok(());
        }
        self.text.extend(text.chars().take(self.left));
        self.left = 0;
        Err(fmt::Error)
    }
}

impl Printer {
    fn term<'a, V: View<'a>>(&mut self, view: V, depth: usize) -> fmt::Result {
        if depth > super::MAX_DEPTH {
            return Err(fmt::Error);
        }
        match view.kind() {
            TermKind::Atom => self.leaf(view.atom()),
            TermKind::Integer => match view.integer() {
                Some(value) => write!(self, "{value}"),
                None => self.leaf(view.big_integer()),
            },
            TermKind::Float => match view.float() {
                Some(float) => self.float(float.value()),
                None => Err(fmt::Error),
            },
            TermKind::Bitstring => self.bitstring(view),
            TermKind::List => deeper(|| self.list(view, depth)),
            TermKind::Tuple => deeper(|| self.tuple(view, depth)),
            TermKind::Map => deeper(|| self.map(view, depth)),
            TermKind::Pid => self.leaf(view.pid()),
            TermKind::Port => self.leaf(view.port()),
            TermKind::Reference => self.leaf(view.reference()),
            TermKind::Fun => self.leaf(view.fun()),
        }
    }

    /// Prints a part of the term. It is always `Some`, since the kind of the term is known.
    fn leaf(&mut self, part: Option<impl fmt::Display>) -> fmt::Result {
        match part {
            Some(part) => write!(self, "{part}"),
            None => Err(fmt::Error),
        }
    }

    /// Prints the shortest digits that are read as the same float, with or without an exponent,
    /// whichever is shorter, like `float_to_list(Float, [short])`.
    fn float(&mut self, value: f64) -> fmt::Result {
        /// From this value, not every integer is a float, and Erlang does not print all digits.
        const EXPONENT_FROM: f64 = 9_007_199_254_740_992.0;
        let scientific = format!("{value:e}");
        let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
        let scientific = format!("{}e{exponent}", with_point(mantissa));
        let decimal = with_point(&value.to_string());
        let is_scientific = value.abs() >= EXPONENT_FROM || scientific.len() < decimal.len();
        self.write_str(if is_scientific { &scientific } else { &decimal })
    }

    fn bitstring<'a, V: View<'a>>(&mut self, view: V) -> fmt::Result {
        if let Some(bytes) = view.binary() {
            return match printable_text(bytes) {
                Some("") => self.write_str("<<>>"),
                Some(text) => {
                    let suffix = if text.is_ascii() { "" } else { "/utf8" };
                    self.quoted(text)?;
                    write!(self, "{suffix}>>")
                }
                None => {
                    self.write_str("<<")?;
                    self.bytes(bytes)?;
                    self.write_str(">>")
                }
            };
        }
        let Some(bits) = view.bitstring() else {
            return Err(fmt::Error);
        };
        let (last, whole) = bits.padded_bytes().split_last().ok_or(fmt::Error)?;
        let last_bits = bits.bit_count() % 8;
        self.write_str("<<")?;
        self.bytes(whole)?;
        let comma = if whole.is_empty() { "" } else { "," };
        write!(self, "{comma}{}:{last_bits}>>", last >> (8 - last_bits))
    }

    /// Prints `<<"text"` without its end.
    fn quoted(&mut self, text: &str) -> fmt::Result {
        self.write_str("<<")?;
        self.string(text.chars())
    }

    fn string(&mut self, characters: impl Iterator<Item = char>) -> fmt::Result {
        self.write_str("\"")?;
        let mut escaped = String::new();
        for character in characters {
            escaped.clear();
            push_escaped(&mut escaped, character, '"');
            self.write_str(&escaped)?;
        }
        self.write_str("\"")
    }

    fn bytes(&mut self, bytes: &[u8]) -> fmt::Result {
        for (index, byte) in bytes.iter().enumerate() {
            let comma = if index == 0 { "" } else { "," };
            write!(self, "{comma}{byte}")?;
        }
        Ok(())
    }

    fn list<'a, V: View<'a>>(&mut self, view: V, depth: usize) -> fmt::Result {
        if let Some(characters) = printable_list(view, self.left) {
            return self.string(characters.into_iter());
        }
        let Some((elements, tail)) = view.list_with_tail() else {
            return Err(fmt::Error);
        };
        self.write_str("[")?;
        self.separated(elements, depth)?;
        if let Some(tail) = tail {
            self.write_str("|")?;
            self.term(tail, depth + 1)?;
        }
        self.write_str("]")
    }

    fn tuple<'a, V: View<'a>>(&mut self, view: V, depth: usize) -> fmt::Result {
        let Some(elements) = view.tuple_elements() else {
            return Err(fmt::Error);
        };
        self.write_str("{")?;
        self.separated(elements, depth)?;
        self.write_str("}")
    }

    fn separated<'a, V: View<'a>>(
        &mut self,
        elements: impl Iterator<Item = V>,
        depth: usize,
    ) -> fmt::Result {
        for (index, element) in elements.enumerate() {
            if index > 0 {
                self.write_str(",")?;
            }
            self.term(element, depth + 1)?;
        }
        Ok(())
    }

    fn map<'a, V: View<'a>>(&mut self, view: V, depth: usize) -> fmt::Result {
        let Some(entries) = view.map_entries() else {
            return Err(fmt::Error);
        };
        self.write_str("#{")?;
        for (index, (key, value)) in entries.enumerate() {
            if index > 0 {
                self.write_str(",")?;
            }
            self.term(key, depth + 1)?;
            self.write_str(" => ")?;
            self.term(value, depth + 1)?;
        }
        self.write_str("}")
    }
}

/// Adds the decimal point that Erlang's floats always have.
fn with_point(digits: &str) -> String {
    if digits.contains('.') {
        digits.to_owned()
    } else {
        format!("{digits}.0")
    }
}

fn is_printable(character: char) -> bool {
    matches!(character, '\u{8}'..='\u{d}' | '\u{1b}' | ' '..='~' | '\u{a0}'..)
}

fn printable_text(bytes: &[u8]) -> Option<&str> {
    let text = std::str::from_utf8(bytes).ok()?;
    text.chars().all(is_printable).then_some(text)
}

/// Returns the characters of a non-empty list of characters. If the list is long, only those that
/// can be shown.
fn printable_list<'a, V: View<'a>>(view: V, limit: usize) -> Option<Vec<char>> {
    let elements = view.list()?;
    if elements.len() == 0 {
        return None;
    }
    let character = |element: V| {
        let code_point = u32::try_from(element.integer()?).ok()?;
        char::from_u32(code_point).filter(|character| is_printable(*character))
    };
    elements
        .take(limit.saturating_add(1))
        .map(character)
        .collect()
}
