//! Atoms, strings, characters and numbers as Erlang text.

use std::borrow::Cow;

use otp_contract::erlang::push_escaped;

use crate::ast::Constant;

pub use otp_contract::erlang::quote_atom as atom;

/// Returns a type variable. A name of another language that begins with a small letter is converted
/// to Erlang's style: `new_state` of Elixir is `NewState`.
pub(crate) fn variable(name: &str) -> Cow<'_, str> {
    if !name.starts_with(char::is_lowercase) {
        return Cow::Borrowed(name);
    }
    let words = name.split(|character: char| !character.is_alphanumeric());
    let capitalised = words.flat_map(|word| {
        let mut characters = word.chars();
        let first = characters.next().map(char::to_uppercase);
        first.into_iter().flatten().chain(characters)
    });
    Cow::Owned(capitalised.collect())
}

/// A string in double quotes.
pub(crate) fn string(text: &str) -> String {
    quoted(text, '"')
}

fn quoted(text: &str, quote: char) -> String {
    let mut result = String::with_capacity(text.len() + 2);
    result.push(quote);
    for character in text.chars() {
        push_escaped(&mut result, character, quote);
    }
    result.push(quote);
    result
}

/// `$a`, `$\n`
pub(crate) fn character(code: u32) -> String {
    match char::from_u32(code) {
        Some(' ') => "$\\s".to_owned(),
        Some(character) => {
            let mut text = String::from("$");
            push_escaped(&mut text, character, '\\');
            text
        }
        None => format!("$\\x{{{code:X}}}"),
    }
}

/// Returns the shortest text that reads back as the same float, as `~w` formats it.
pub(crate) fn float(value: f64) -> String {
    let text = format!("{value:e}");
    let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let with_point = |digits: &str| {
        if digits.contains('.') {
            digits.to_owned()
        } else {
            format!("{digits}.0")
        }
    };
    let plain = format!("{value}");
    let scientific = format!("{}e{exponent}", with_point(digits));
    let plain = with_point(&plain);
    // Erlang writes the shorter form, and never a plain number from 2^53 up.
    if plain.len() <= scientific.len() && value.abs() < 9_007_199_254_740_992.0 {
        plain
    } else {
        scientific
    }
}

/// A plain term.
#[must_use]
pub fn constant(term: &Constant) -> String {
    let list = |terms: &[Constant]| terms.iter().map(constant).collect::<Vec<_>>().join(", ");
    match term {
        Constant::Atom(name) => atom(name),
        Constant::Integer(integer) => integer.text(),
        Constant::Float(value) => float(*value),
        Constant::Char(code) => character(*code),
        Constant::String(codes) => match codes.iter().map(|code| char::from_u32(*code)).collect() {
            Some::<String>(text) => string(&text),
            None => format!("{codes:?}"),
        },
        Constant::Binary(bytes) => match std::str::from_utf8(bytes) {
            Ok(text) => format!("<<{}/utf8>>", string(text)),
            Err(_) => {
                let bytes = bytes.iter().map(u8::to_string);
                format!("<<{}>>", bytes.collect::<Vec<_>>().join(", "))
            }
        },
        Constant::Tuple(elements) => format!("{{{}}}", list(elements)),
        Constant::List(elements, None) => format!("[{}]", list(elements)),
        Constant::List(elements, Some(tail)) => {
            format!("[{} | {}]", list(elements), constant(tail))
        }
        Constant::Map(fields) => {
            let field = |(key, value): &(Constant, Constant)| {
                format!("{} => {}", constant(key), constant(value))
            };
            format!(
                "#{{{}}}",
                fields.iter().map(field).collect::<Vec<_>>().join(", ")
            )
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn atoms_are_quoted_when_they_must_be() {
        assert_eq!(atom("ok"), "ok");
        assert_eq!(atom("end"), "'end'");
        assert_eq!(atom("Ok"), "'Ok'");
        assert_eq!(atom(""), "''");
        assert_eq!(atom("it's"), "'it\\'s'");
        assert_eq!(atom("ärger"), "ärger");
    }

    #[test]
    fn floats_read_as_the_run_time_writes_them() {
        assert_eq!(float(1.0), "1.0");
        assert_eq!(float(0.1), "0.1");
        assert_eq!(float(1.0e22), "1.0e22");
        assert_eq!(float(1.5e-7), "1.5e-7");
        assert_eq!(float(-2.5), "-2.5");
    }
}
