//! Sigils and triple-quoted strings (EEP 66 and EEP 64, OTP 27).

use super::{Kind, LexResult, Lexer, Token, Value};
use crate::ast::{Location, Name};
use crate::catalog;

impl Lexer<'_> {
    /// Reads `~name<delimiter>text<delimiter>suffix`, from the tilde.
    pub(super) fn sigil(&mut self, at: Location) -> LexResult<Token> {
        self.position += 1;
        let start = self.position;
        while self.name_character() > 0 {
            self.position += self.name_character();
        }
        let name = &self.bytes[start..self.position];
        let escapes = matches!(name, b"" | b"s" | b"b");
        let kind = if matches!(name, b"s" | b"S") {
            Kind::String
        } else {
            Kind::Sigil
        };
        if self.rest().starts_with(b"\"\"\"") {
            let escapes = escapes && self.position > start;
            return self.triple_quoted(at, kind, !escapes);
        }
        let close = match self.peek(0) {
            b'(' => b')',
            b'[' => b']',
            b'{' => b'}',
            b'<' => b'>',
            same @ (b'/' | b'|' | b'\'' | b'"' | b'`' | b'#') => same,
            _ => return Err(catalog::ILLEGAL_SIGIL.at(at, "")),
        };
        self.position += 1;
        let text = self.quoted_until(at, close, escapes, "sigil")?;
        while self.name_character() > 0 {
            self.position += self.name_character();
        }
        Ok(Token {
            kind,
            at,
            value: Value::Text(text),
        })
    }

    /// Reads `"""`, a line break, lines and `"""`, from the first quote.
    pub(super) fn triple_quoted(
        &mut self,
        at: Location,
        kind: Kind,
        verbatim: bool,
    ) -> LexResult<Token> {
        let quotes = self.rest().iter().take_while(|byte| **byte == b'"').count();
        self.position += quotes;
        let Some(first_break) = memchr::memchr(b'\n', self.rest()) else {
            return Err(catalog::UNTERMINATED.at(at, "triple-quoted string"));
        };
        let first_line = &self.rest()[..first_break];
        if !first_line.trim_ascii().is_empty() {
            // The closing quotes are read, too: otherwise they would open another text.
            if let Some(index) = memchr::memmem::find(first_line, b"\"\"\"") {
                self.position += index + 3;
            } else {
                self.position += first_break;
                let _ = self.lines_until_quotes(at, quotes);
            }
            return Err(catalog::TEXT_AFTER_TRIPLE_QUOTE.at(at, ""));
        }
        self.position += first_break;
        let lines = self.lines_until_quotes(at, quotes)?;
        let text = if verbatim {
            lines
        } else {
            self.with_escapes(&lines)?
        };
        Ok(Token {
            kind,
            at,
            value: Value::Text(text),
        })
    }

    /// Reads the lines up to one that starts with `quotes` quotes, and removes that line's
    /// indentation from them.
    fn lines_until_quotes(&mut self, at: Location, quotes: usize) -> LexResult<Name> {
        let mut lines: Vec<&[u8]> = Vec::new();
        loop {
            if self.at_end() {
                return Err(catalog::UNTERMINATED.at(at, "triple-quoted string"));
            }
            self.newline_at(self.position);
            self.position += 1;
            let rest = self.rest();
            let indent = rest
                .iter()
                .take_while(|byte| matches!(byte, b' ' | b'\t'))
                .count();
            let close = rest[indent..]
                .iter()
                .take_while(|byte| **byte == b'"')
                .count();
            if close >= quotes {
                self.position += indent + quotes;
                return Ok(self.join(&lines, &rest[..indent]));
            }
            let end = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
            lines.push(&rest[..end]);
            self.position += end;
        }
    }

    fn join(&self, lines: &[&[u8]], indent: &[u8]) -> Name {
        let mut text = String::new();
        for (index, line) in lines.iter().enumerate() {
            if index > 0 {
                text.push('\n');
            }
            text.push_str(
                &self
                    .encoding
                    .decode(line.strip_prefix(indent).unwrap_or(line)),
            );
        }
        // The last line break, with its carriage return, belongs to the closing quotes.
        text.strip_suffix('\r').unwrap_or(&text).into()
    }

    /// Replaces the escapes in the text of a sigil that has them.
    fn with_escapes(&self, text: &str) -> LexResult<Name> {
        let mut inner = Lexer::new(text.as_bytes(), super::Encoding::Utf8, self.release);
        inner.line = self.line;
        let mut result = String::new();
        while let Some((code, length)) = inner.character() {
            if code == u32::from('\\') {
                result.push(inner.escape()?);
            } else {
                result.push(char::from_u32(code).unwrap_or('\u{FFFD}'));
                inner.position += length;
            }
        }
        Ok(result.into())
    }
}
