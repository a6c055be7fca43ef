//! `"strings"`, `'quoted atoms'`, `$c` and their escapes.

use super::{Kind, LexResult, Lexer, Token, Value};
use crate::ast::{Location, Name};
use crate::catalog;

/// The length of the VM's longest atom, in characters.
const MAX_ATOM: usize = 255;

impl Lexer<'_> {
    /// Reads a string, from its quote.
    pub(super) fn string(&mut self, at: Location) -> LexResult<Token> {
        if self.release >= 27 && self.rest().starts_with(b"\"\"\"") {
            return self.triple_quoted(at, Kind::String, true);
        }
        let text = self.quoted(at, b'"', "string")?;
        Ok(Token {
            kind: Kind::String,
            at,
            value: Value::Text(text),
        })
    }

    /// Reads a quoted atom, from its quote.
    pub(super) fn quoted_atom(&mut self, at: Location) -> LexResult<Token> {
        let text = self.quoted(at, b'\'', "atom")?;
        if text.chars().count() > MAX_ATOM {
            return Err(catalog::ATOM_TOO_LONG.at(at, ""));
        }
        Ok(Token::atom(text, at))
    }

    /// Reads an atom without quotes, or a keyword.
    pub(super) fn plain_atom(&mut self, at: Location) -> LexResult<Token> {
        let token = self.name(at, false);
        match &token.value {
            Value::Text(text) if text.chars().count() > MAX_ATOM => {
                Err(catalog::ATOM_TOO_LONG.at(at, ""))
            }
            _ => Ok(token),
        }
    }

    /// Reads the text up to the closing quote.
    fn quoted(&mut self, at: Location, quote: u8, what: &str) -> LexResult<Name> {
        self.position += 1;
        self.quoted_until(at, quote, true, what)
    }

    /// Reads the text from here up to `close`, and `close` itself, also after an escape that is not
    /// legal: otherwise `close` would open another text.
    pub(super) fn quoted_until(
        &mut self,
        at: Location,
        close: u8,
        escapes: bool,
        what: &str,
    ) -> LexResult<Name> {
        let mut text = String::new();
        let mut illegal = None;
        let mut start = self.position;
        loop {
            let Some(&byte) = self.bytes.get(self.position) else {
                return Err(illegal.unwrap_or_else(|| catalog::UNTERMINATED.at(at, what)));
            };
            if byte == close {
                break;
            }
            if byte == b'\\' && escapes {
                text.push_str(&self.slice(start, self.position));
                match self.escape() {
                    Ok(character) => text.push(character),
                    Err(diagnostic) => illegal = illegal.or(Some(diagnostic)),
                }
                start = self.position;
                continue;
            }
            if byte == b'\n' {
                self.newline_at(self.position);
            }
            self.position += 1;
        }
        let last = self.slice(start, self.position);
        self.position += 1;
        if let Some(diagnostic) = illegal {
            return Err(diagnostic);
        }
        if text.is_empty() {
            return Ok(last);
        }
        text.push_str(&last);
        Ok(text.into())
    }

    /// Reads `$a` or `$\n`, from the dollar.
    pub(super) fn character_literal(&mut self, at: Location) -> LexResult<Token> {
        self.position += 1;
        let code = match self.peek(0) {
            _ if self.at_end() => {
                return Err(catalog::UNTERMINATED.at(at, "character"));
            }
            b'\\' => u32::from(self.escape()?),
            _ => {
                let (code, length) = self.character().unwrap_or((0xFFFD, 1));
                if code == u32::from('\n') {
                    self.newline_at(self.position);
                }
                self.position += length;
                code
            }
        };
        Ok(Token {
            kind: Kind::Char,
            at,
            value: Value::Code(code),
        })
    }

    /// Reads an escape, from the backslash, and returns its character.
    pub(super) fn escape(&mut self) -> LexResult<char> {
        let at = self.location();
        self.position += 1;
        let Some((code, length)) = self.character() else {
            return Err(catalog::UNTERMINATED.at(at, "escape"));
        };
        match code {
            0x30..=0x37 => Ok(self.octal()),
            0x78 => self.hexadecimal(at),
            0x5E => {
                self.position += 1;
                let Some((control, length)) = self.character() else {
                    return Err(catalog::UNTERMINATED.at(at, "escape"));
                };
                self.advance_over(control, length);
                Ok(char::from((control & 31) as u8))
            }
            _ => {
                self.advance_over(code, length);
                Ok(named_escape(code))
            }
        }
    }

    fn advance_over(&mut self, code: u32, length: usize) {
        if code == u32::from('\n') {
            self.newline_at(self.position);
        }
        self.position += length;
    }

    fn octal(&mut self) -> char {
        let mut value = 0;
        for _ in 0..3 {
            match self.peek(0) {
                digit @ b'0'..=b'7' => value = value * 8 + u32::from(digit - b'0'),
                _ => break,
            }
            self.position += 1;
        }
        // Three octal digits stay below U+0200.
        char::from_u32(value).unwrap_or('\u{FFFD}')
    }

    /// `\xHH` or `\x{H…}`.
    fn hexadecimal(&mut self, at: Location) -> LexResult<char> {
        self.position += 1;
        let illegal = catalog::ILLEGAL_ESCAPE.at(at, "");
        let mut value: u32 = 0;
        if self.peek(0) != b'{' {
            for _ in 0..2 {
                let Some(digit) = char::from(self.peek(0)).to_digit(16) else {
                    return Err(illegal);
                };
                value = value * 16 + digit;
                self.position += 1;
            }
            return char::from_u32(value).ok_or(illegal);
        }
        self.position += 1;
        while let Some(digit) = char::from(self.peek(0)).to_digit(16) {
            value = value.saturating_mul(16).saturating_add(digit);
            self.position += 1;
        }
        if self.peek(0) != b'}' {
            return Err(illegal);
        }
        self.position += 1;
        match char::from_u32(value) {
            Some(character) if !matches!(value, 0xFFFE | 0xFFFF) => Ok(character),
            _ => Err(illegal),
        }
    }
}

fn named_escape(code: u32) -> char {
    match char::from_u32(code).unwrap_or('\u{FFFD}') {
        'n' => '\n',
        'r' => '\r',
        't' => '\t',
        'v' => '\u{B}',
        'b' => '\u{8}',
        'f' => '\u{C}',
        'e' => '\u{1B}',
        's' => ' ',
        'd' => '\u{7F}',
        other => other,
    }
}
