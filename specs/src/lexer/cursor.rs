//! The position in the file, and the bytes there.

use super::Lexer;
use super::encoding::Encoding;
use crate::ast::{Location, Name};

impl<'a> Lexer<'a> {
    /// Returns the location of the next byte.
    pub(crate) fn location(&self) -> Location {
        self.location_of(self.position)
    }

    pub(super) fn location_of(&self, position: usize) -> Location {
        let mut column = position - self.line_start;
        if !self.single_byte {
            column -= self.continued(position);
        }
        Location {
            line: self.line,
            column: u32::try_from(column + 1).unwrap_or(u32::MAX),
        }
    }

    /// Returns how many bytes of the line before `position` continue a character.
    pub(super) fn continued(&self, position: usize) -> usize {
        let (from, known) = match self.counted.get() {
            (line, counted, known) if line == self.line_start && counted <= position => {
                (counted, known)
            }
            _ => (self.line_start, 0),
        };
        let new = self.bytes[from..position].iter();
        let continued = known + new.filter(|byte| (**byte & 0xC0) == 0x80).count();
        self.counted.set((self.line_start, position, continued));
        continued
    }

    /// Returns the byte at `offset` from here; 0 past the end (a blank, as in `erl_scan`).
    pub(super) fn peek(&self, offset: usize) -> u8 {
        self.bytes.get(self.position + offset).copied().unwrap_or(0)
    }

    pub(crate) fn at_end(&self) -> bool {
        self.position >= self.bytes.len()
    }

    /// Returns the bytes not read yet.
    pub(crate) fn rest(&self) -> &'a [u8] {
        &self.bytes[self.position.min(self.bytes.len())..]
    }

    /// Returns the character here and its length in bytes.
    pub(super) fn character(&self) -> Option<(u32, usize)> {
        let rest = self.rest();
        let first = *rest.first()?;
        if first < 0x80 || self.encoding == Encoding::Latin1 {
            return Some((u32::from(first), 1));
        }
        let length = match first {
            0xC0..=0xDF => 2,
            0xE0..=0xEF => 3,
            _ => 4,
        };
        let text = std::str::from_utf8(rest.get(..length)?).ok()?;
        text.chars()
            .next()
            .map(|character| (u32::from(character), length))
    }

    pub(super) fn newline_at(&mut self, position: usize) {
        self.line = self.line.saturating_add(1);
        self.line_start = position + 1;
    }

    /// Skips white space and comments.
    pub(crate) fn skip_blanks(&mut self) {
        while let Some(&byte) = self.bytes.get(self.position) {
            match byte {
                b'\n' => {
                    self.newline_at(self.position);
                    self.position += 1;
                }
                0..=b' ' => self.position += 1,
                b'%' => self.skip_comment(),
                0x80.. if self.blank_character() > 0 => self.position += self.blank_character(),
                _ => return,
            }
        }
    }

    /// Returns the length of a blank from U+0080 to U+00A0 here; 0 if there is none.
    pub(super) fn blank_character(&self) -> usize {
        match self.character() {
            Some((0x80..=0xA0, length)) => length,
            _ => 0,
        }
    }

    pub(super) fn skip_comment(&mut self) {
        let rest = self.rest();
        self.position += memchr::memchr(b'\n', rest).unwrap_or(rest.len());
    }

    /// Returns the text between two positions.
    pub(super) fn slice(&self, start: usize, end: usize) -> Name {
        match self.text.and_then(|text| text.get(start..end)) {
            Some(text) => Name::new(text),
            None => self.encoding.decode(&self.bytes[start..end]),
        }
    }
}
