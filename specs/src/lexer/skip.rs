//! Skips an unneeded form, up to its full stop.

use super::{LexResult, Lexer};
use crate::catalog;

/// Bytes with a meaning for [`Lexer::skip_form`].
static STOPS: [bool; 256] = {
    let mut stops = [false; 256];
    let mut index = 0;
    let special = b"\n\"'$%.~";
    while index < special.len() {
        stops[special[index] as usize] = true;
        index += 1;
    }
    stops
};

impl Lexer<'_> {
    /// Skips up to and including the next full stop, or to the end of the file.
    ///
    /// # Errors
    /// A string or quoted atom is not closed. The lexer is then at the end of the file.
    pub(crate) fn skip_form(&mut self) -> LexResult<()> {
        loop {
            self.skip_plain();
            match self.peek(0) {
                _ if self.at_end() => return Ok(()),
                b'\n' => {
                    self.newline_at(self.position);
                    self.position += 1;
                }
                b'%' => self.skip_comment(),
                b'.' => {
                    if self.skip_dots() {
                        return Ok(());
                    }
                }
                b'$' => self.skip_character(),
                b'"' => self.skip_string()?,
                b'\'' => self.skip_quoted(b'\'', "atom")?,
                _ if self.release >= 27 => self.skip_sigil()?,
                _ => self.position += 1,
            }
        }
    }

    fn skip_plain(&mut self) {
        let rest = self.rest();
        let plain = rest.iter().position(|byte| STOPS[usize::from(*byte)]);
        self.position += plain.unwrap_or(rest.len());
    }

    /// Skips one to three dots; true if it was the full stop.
    fn skip_dots(&mut self) -> bool {
        if self.peek(1) == b'.' {
            self.position += if self.peek(2) == b'.' { 3 } else { 2 };
            return false;
        }
        self.position += 1;
        self.ends_form(self.position)
    }

    fn skip_character(&mut self) {
        self.position += 1;
        if self.peek(0) == b'\\' {
            self.position += 1;
            if self.peek(0) == b'^' {
                self.position += 1;
            }
        }
        if self.peek(0) == b'\n' && !self.at_end() {
            self.newline_at(self.position);
        }
        self.position = (self.position + 1).min(self.bytes.len());
    }

    fn skip_string(&mut self) -> LexResult<()> {
        if self.release >= 27 && self.rest().starts_with(b"\"\"\"") {
            return self.string(self.location()).map(drop);
        }
        self.skip_quoted(b'"', "string")
    }

    fn skip_quoted(&mut self, quote: u8, what: &str) -> LexResult<()> {
        let at = self.location();
        self.position += 1;
        while let Some(&byte) = self.bytes.get(self.position) {
            self.position += 1;
            if byte == quote {
                return Ok(());
            }
            if byte == b'\n' {
                self.newline_at(self.position - 1);
            } else if byte == b'\\' {
                if self.peek(0) == b'\n' && !self.at_end() {
                    self.newline_at(self.position);
                }
                self.position = (self.position + 1).min(self.bytes.len());
            }
        }
        Err(catalog::UNTERMINATED.at(at, what))
    }

    /// A tilde that does not start a sigil is accepted here, because skipped forms are not checked.
    fn skip_sigil(&mut self) -> LexResult<()> {
        let start = self.position;
        match self.sigil(self.location()) {
            Ok(_) => Ok(()),
            Err(diagnostic) if diagnostic.message == &catalog::ILLEGAL_SIGIL => {
                self.position = start + 1;
                Ok(())
            }
            Err(diagnostic) => Err(diagnostic),
        }
    }
}
