//! The tokens of JSON, and of the extensions that cjson accepts.

/// A token with its position.
pub struct Found {
    pub token: Token,
    pub at: usize,
}

#[derive(Debug, PartialEq)]
pub enum Token {
    ObjectBegin,
    ObjectEnd,
    ListBegin,
    ListEnd,
    Text(Vec<u8>),
    Number(f64),
    Boolean(bool),
    Null,
    Colon,
    Comma,
    End,
    /// An error.
    Wrong(&'static str),
}

impl Token {
    /// Returns the token's name in texts of errors.
    pub fn name(&self) -> &'static str {
        match self {
            Token::ObjectBegin => "T_OBJ_BEGIN",
            Token::ObjectEnd => "T_OBJ_END",
            Token::ListBegin => "T_ARR_BEGIN",
            Token::ListEnd => "T_ARR_END",
            Token::Text(_) => "T_STRING",
            Token::Number(_) => "T_NUMBER",
            Token::Boolean(_) => "T_BOOLEAN",
            Token::Null => "T_NULL",
            Token::Colon => "T_COLON",
            Token::Comma => "T_COMMA",
            Token::End => "T_END",
            Token::Wrong(why) => why,
        }
    }
}

/// The tokenizer.
pub struct Tokens<'a> {
    pub text: &'a [u8],
    pub at: usize,
    /// Whether to accept numbers that JSON does not have.
    pub takes_invalid_numbers: bool,
}

impl Tokens<'_> {
    /// Returns the byte at a position. A zero byte ends the text, as in C.
    fn byte(&self, at: usize) -> u8 {
        self.text.get(at).copied().unwrap_or(0)
    }

    pub fn next(&mut self) -> Found {
        while matches!(self.byte(self.at), b' ' | b'\t' | b'\n' | b'\r') {
            self.at += 1;
        }
        let at = self.at;
        let single = match self.byte(at) {
            b'{' => Token::ObjectBegin,
            b'}' => Token::ObjectEnd,
            b'[' => Token::ListBegin,
            b']' => Token::ListEnd,
            b':' => Token::Colon,
            b',' => Token::Comma,
            0 => Token::End,
            _ => return self.longer(at),
        };
        self.at += usize::from(single != Token::End);
        Found { token: single, at }
    }

    fn longer(&mut self, at: usize) -> Found {
        let rest = &self.text[at..];
        let mut word = |word: &[u8], token: Token| {
            rest.starts_with(word).then(|| {
                self.at += word.len();
                token
            })
        };
        let words = word(b"true", Token::Boolean(true))
            .or_else(|| word(b"false", Token::Boolean(false)))
            .or_else(|| word(b"null", Token::Null));
        if let Some(token) = words {
            return Found { token, at };
        }
        match rest.first() {
            Some(b'"') => self.string(at),
            Some(b'-' | b'0'..=b'9') => self.number(at),
            _ if self.takes_invalid_numbers && is_no_json_number(rest) => self.number(at),
            _ => Found {
                token: Token::Wrong("invalid token"),
                at,
            },
        }
    }

    fn number(&mut self, at: usize) -> Found {
        let rest = &self.text[at..];
        let token = match !self.takes_invalid_numbers && is_no_json_number(rest) {
            true => Token::Wrong("invalid number"),
            false => match number(rest) {
                Some((number, length)) => {
                    self.at += length;
                    Token::Number(number)
                }
                None => Token::Wrong("invalid number"),
            },
        };
        Found { token, at }
    }

    fn string(&mut self, begin: usize) -> Found {
        let mut text = Vec::new();
        let mut at = begin + 1;
        let wrong = |why, at| Found {
            token: Token::Wrong(why),
            at,
        };
        loop {
            match self.byte(at) {
                b'"' => break,
                0 => return wrong("unexpected end of string", at),
                b'\\' => match self.escaped(at, &mut text) {
                    Ok(next) => at = next,
                    Err(why) => return wrong(why, at),
                },
                byte => {
                    text.push(byte);
                    at += 1;
                }
            }
        }
        self.at = at + 1;
        Found {
            token: Token::Text(text),
            at: begin,
        }
    }

    /// Decodes an escape sequence, and returns the position after it.
    fn escaped(&self, at: usize, text: &mut Vec<u8>) -> Result<usize, &'static str> {
        let byte = match self.byte(at + 1) {
            byte @ (b'"' | b'\\' | b'/') => byte,
            b'b' => 0x08,
            b'f' => 0x0c,
            b'n' => b'\n',
            b'r' => b'\r',
            b't' => b'\t',
            b'u' => {
                let found = self.character(at).ok_or("invalid unicode escape code")?;
                let mut bytes = [0; 4];
                text.extend_from_slice(found.encode_utf8(&mut bytes).as_bytes());
                return Ok(at + 6 + 6 * usize::from(found > '\u{ffff}'));
            }
            _ => return Err("invalid escape code"),
        };
        text.push(byte);
        Ok(at + 2)
    }

    /// Decodes the four digits after `\u`.
    fn unit(&self, at: usize) -> Option<u16> {
        if self.byte(at) != b'\\' || self.byte(at + 1) != b'u' {
            return None;
        }
        let digits = self.text.get(at + 2..at + 6)?;
        digits.iter().try_fold(0, |unit: u16, digit| {
            let digit = char::from(*digit).to_digit(16)?;
            Some(unit << 4 | u16::try_from(digit).ok()?)
        })
    }

    /// Decodes a character, which may consist of two UTF-16 units.
    fn character(&self, at: usize) -> Option<char> {
        let first = self.unit(at)?;
        let units = match first {
            0xd800..=0xdbff => vec![first, self.unit(at + 6)?],
            _ => vec![first],
        };
        char::decode_utf16(units).next()?.ok()
    }
}

fn begins_with_word(text: &[u8], word: &[u8]) -> bool {
    let head = text.get(..word.len());
    head.is_some_and(|head| head.eq_ignore_ascii_case(word))
}

/// Returns whether a number is not valid JSON: `+1`, `0x10`, `01`, `inf`, `nan`.
fn is_no_json_number(text: &[u8]) -> bool {
    let unsigned = match text {
        [b'+', ..] => return true,
        [b'-', rest @ ..] => rest,
        _ => text,
    };
    match unsigned {
        [b'0', b'x' | b'X' | b'0'..=b'9', ..] => true,
        [b'0'..=b'9', ..] => false,
        _ => begins_with_word(unsigned, b"inf") || begins_with_word(unsigned, b"nan"),
    }
}

/// Parses the number at the beginning of a text, as `strtod` does. Returns it with its length.
fn number(text: &[u8]) -> Option<(f64, usize)> {
    let is_negative = text.first() == Some(&b'-');
    let sign = usize::from(is_negative || text.first() == Some(&b'+'));
    let unsigned = &text[sign..];
    let (number, length) = match unsigned {
        [b'0', b'x' | b'X', digits @ ..] if digits.first().is_some_and(u8::is_ascii_hexdigit) => {
            let count = digits
                .iter()
                .take_while(|it| it.is_ascii_hexdigit())
                .count();
            (hexadecimal(&digits[..count]), 2 + count)
        }
        _ if begins_with_word(unsigned, b"infinity") => (f64::INFINITY, 8),
        _ if begins_with_word(unsigned, b"inf") => (f64::INFINITY, 3),
        _ if begins_with_word(unsigned, b"nan") => (f64::NAN, 3),
        _ => decimal(unsigned)?,
    };
    let number = if is_negative { -number } else { number };
    Some((number, sign + length))
}

fn hexadecimal(digits: &[u8]) -> f64 {
    digits.iter().fold(0.0, |number, digit| {
        let digit = char::from(*digit).to_digit(16).unwrap_or(0);
        number * 16.0 + f64::from(digit)
    })
}

fn decimal(text: &[u8]) -> Option<(f64, usize)> {
    let digits = |at: usize| {
        let rest = text.get(at..).unwrap_or_default();
        rest.iter().take_while(|it| it.is_ascii_digit()).count()
    };
    let mut length = digits(0);
    if text.get(length) == Some(&b'.') {
        let fraction = digits(length + 1);
        if length + fraction > 0 {
            length += 1 + fraction;
        }
    }
    if matches!(text.get(length), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(text.get(length + 1), Some(b'+' | b'-')));
        let exponent = digits(length + 1 + sign);
        if exponent > 0 {
            length += 1 + sign + exponent;
        }
    }
    let number = std::str::from_utf8(&text[..length]).ok()?.parse().ok()?;
    Some((number, length))
}
