//! Words, numbers and texts.

use crate::error::Error;
use crate::parser::{Pair, Rule};

/// Maximum number of digits of an integer: the conversion to a number takes quadratic time.
pub const MOST_DIGITS: usize = 10_000;
/// Maximum number of characters of an atom.
const LONGEST_ATOM: usize = 255;

/// An integer without its sign.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Digits<'t> {
    /// From 2 to 36.
    pub base: u32,
    /// Digits of the base, at least one, possibly with `_` between them.
    text: &'t str,
}

impl Digits<'_> {
    /// Returns the digits' values, most significant first.
    pub fn values(&self) -> impl Iterator<Item = u32> + '_ {
        let letters = self.text.chars();
        letters.filter_map(|letter| letter.to_digit(self.base))
    }
}

/// Returns the only node inside another one.
///
/// # Errors
/// There is none. The grammar rules that out.
pub fn inner(pair: Pair<'_>) -> Result<Pair<'_>, Error> {
    let missing = Error::at(&pair, "syntax error");
    pair.into_inner().next().ok_or(missing)
}

/// Returns the text of an atom.
///
/// # Errors
/// It has more than 255 characters, or an escape that is not a character.
pub fn atom(pair: Pair<'_>) -> Result<String, Error> {
    let word = inner(pair)?;
    let text = match word.as_rule() {
        Rule::quoted => quoted(word.clone())?,
        _ => word.as_str().to_owned(),
    };
    if text.chars().count() > LONGEST_ATOM {
        return Err(Error::at(&word, "an atom of more than 255 characters"));
    }
    Ok(text)
}

/// Returns the text between the quotes of `'…'`.
///
/// # Errors
/// An escape is not a character.
pub fn quoted(pair: Pair<'_>) -> Result<String, Error> {
    unescaped(&inner(pair)?)
}

/// Returns the text between the quotes of `"…"`.
///
/// # Errors
/// An escape is not a character.
pub fn text(pair: Pair<'_>) -> Result<String, Error> {
    unescaped(&inner(pair)?)
}

/// `$a`
///
/// # Errors
/// An escape is not a character.
pub fn character(pair: Pair<'_>) -> Result<char, Error> {
    let letter = inner(pair)?;
    let text = unescaped(&letter)?;
    let missing = || Error::at(&letter, "syntax error");
    text.chars().next().ok_or_else(missing)
}

/// `42`, `1_000`, `16#ff`
///
/// # Errors
/// The base is not from 2 to 36, a digit is not one of the base, or there are too many of them.
pub fn integer<'t>(pair: &Pair<'t>) -> Result<Digits<'t>, Error> {
    let (written, text) = pair
        .as_str()
        .split_once('#')
        .unwrap_or(("10", pair.as_str()));
    let known = |base: &u32| (2..=36).contains(base);
    let read = written.replace('_', "").parse().ok().filter(known);
    let base = read.ok_or_else(|| Error::at(pair, "a base is an integer from 2 to 36"))?;
    if text.len() > MOST_DIGITS {
        let what = format!("an integer of more than {MOST_DIGITS} digits");
        return Err(Error::at(pair, what));
    }
    let is_digit = |letter: char| letter == '_' || letter.is_digit(base);
    match text.chars().find(|letter| !is_digit(*letter)) {
        Some(letter) => {
            let what = format!("`{letter}` is not a digit of base {base}");
            Err(Error::at(pair, what))
        }
        None => Ok(Digits { base, text }),
    }
}

/// `1.5e-3`
///
/// # Errors
/// It is too large for a float.
pub fn float(pair: &Pair<'_>) -> Result<f64, Error> {
    let read: Option<f64> = pair.as_str().replace('_', "").parse().ok();
    let value = read.filter(|value| value.is_finite());
    value.ok_or_else(|| Error::at(pair, "a float must be below 1.8e308"))
}

/// Returns a text without its escapes.
fn unescaped(pair: &Pair<'_>) -> Result<String, Error> {
    let mut text = String::with_capacity(pair.as_str().len());
    let mut rest = pair.as_str();
    while let Some((plain, escape)) = rest.split_once('\\') {
        text.push_str(plain);
        let (character, behind) =
            escaped(escape).ok_or_else(|| Error::at(pair, "an escape that is not a character"))?;
        text.push(character);
        rest = behind;
    }
    text.push_str(rest);
    Ok(text)
}

/// Returns the character of an escape, and the text behind it.
fn escaped(escape: &str) -> Option<(char, &str)> {
    let first = escape.chars().next()?;
    let behind = &escape[first.len_utf8()..];
    Some(match first {
        'x' => return hexadecimal(behind),
        '0'..='7' => {
            let is_octal = |letter: &char| letter.is_digit(8);
            let count = escape.chars().take(3).take_while(is_octal).count();
            let code = u32::from_str_radix(&escape[..count], 8).ok()?;
            return Some((char::from_u32(code)?, &escape[count..]));
        }
        '^' => {
            let letter = behind.chars().next()?;
            let code = char::from_u32(u32::from(letter) & 31)?;
            return Some((code, &behind[letter.len_utf8()..]));
        }
        'n' => ('\n', behind),
        'r' => ('\r', behind),
        't' => ('\t', behind),
        'b' => ('\u{8}', behind),
        'v' => ('\u{b}', behind),
        'f' => ('\u{c}', behind),
        'e' => ('\u{1b}', behind),
        's' => (' ', behind),
        'd' => ('\u{7f}', behind),
        other => (other, behind),
    })
}

/// `HH` or `{H…}`, behind `\x`.
fn hexadecimal(escape: &str) -> Option<(char, &str)> {
    let (digits, behind) = match escape.strip_prefix('{') {
        Some(rest) => rest.split_once('}')?,
        None => escape.split_at_checked(2)?,
    };
    let code = u32::from_str_radix(digits, 16).ok()?;
    Some((char::from_u32(code)?, behind))
}
