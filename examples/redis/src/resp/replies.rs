//! Writing replies.

use std::fmt;
use std::io::Write as _;

/// Buffer of encoded replies.
#[derive(Debug, Default)]
pub struct Replies {
    /// The encoded replies.
    pub bytes: Vec<u8>,
    /// Whether the client has switched to RESP3.
    pub is_resp3: bool,
    /// Maximum number of bytes, if there is one.
    most: Option<usize>,
    /// Whether replies are missing because of the limit.
    is_over: bool,
}

impl Replies {
    /// Returns an empty buffer.
    #[must_use]
    pub fn of(is_resp3: bool) -> Self {
        Replies {
            is_resp3,
            ..Replies::default()
        }
    }

    /// Sets the maximum number of bytes for the next turn of a client. The bytes of the reply that
    /// exceeds it, and those of later ones, are missing.
    pub fn limit(&mut self, most: u64) {
        self.most = usize::try_from(most).ok();
        self.is_over = false;
    }

    /// Returns whether replies are missing because of the limit.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.is_over
    }

    fn has_room(&mut self, more: usize) -> bool {
        let is_over = |most| self.bytes.len().saturating_add(more) > most;
        self.is_over |= self.most.is_some_and(is_over);
        !self.is_over
    }

    fn line(&mut self, text: fmt::Arguments<'_>) {
        // Writing to a vector cannot fail.
        let _ = self.bytes.write_fmt(text);
        self.bytes.extend_from_slice(b"\r\n");
    }

    /// Writes `+OK`.
    pub fn ok(&mut self) {
        self.bytes.extend_from_slice(b"+OK\r\n");
    }

    /// Writes a fixed word.
    pub fn simple(&mut self, text: &str) {
        self.line(format_args!("+{text}"));
    }

    /// Writes an error. Its text starts with a code: `ERR …`.
    pub fn error(&mut self, text: impl fmt::Display) {
        // The end of a line within the text would end the reply.
        let text = text.to_string().replace(['\r', '\n'], " ");
        self.line(format_args!("-{text}"));
    }

    /// Writes an integer.
    pub fn integer(&mut self, number: i64) {
        match usize::try_from(number) {
            Ok(number) => self.head(b':', number),
            Err(_) => self.line(format_args!(":{number}")),
        }
    }

    /// Writes a count.
    pub fn count(&mut self, count: usize) {
        self.head(b':', count);
    }

    /// Writes a boolean.
    pub fn boolean(&mut self, is_so: bool) {
        match (self.is_resp3, is_so) {
            (true, true) => self.bytes.extend_from_slice(b"#t\r\n"),
            (true, false) => self.bytes.extend_from_slice(b"#f\r\n"),
            (false, _) => self.integer(i64::from(is_so)),
        }
    }

    /// Writes bytes.
    pub fn bulk(&mut self, bytes: &[u8]) {
        if self.has_room(bytes.len()) {
            self.head(b'$', bytes.len());
            self.bytes.extend_from_slice(bytes);
            self.bytes.extend_from_slice(b"\r\n");
        }
    }

    /// Writes a text for people.
    pub fn verbatim(&mut self, text: &[u8]) {
        if !self.is_resp3 {
            return self.bulk(text);
        }
        self.head(b'=', text.len() + 4);
        self.bytes.extend_from_slice(b"txt:");
        self.bytes.extend_from_slice(text);
        self.bytes.extend_from_slice(b"\r\n");
    }

    /// Writes bytes, or nil.
    pub fn maybe(&mut self, bytes: Option<&[u8]>) {
        match bytes {
            Some(bytes) => self.bulk(bytes),
            None => self.nil(),
        }
    }

    /// Writes nil.
    pub fn nil(&mut self) {
        let nil: &[u8] = if self.is_resp3 { b"_\r\n" } else { b"$-1\r\n" };
        self.bytes.extend_from_slice(nil);
    }

    /// Writes nil in the place of an array.
    pub fn nil_array(&mut self) {
        let nil: &[u8] = if self.is_resp3 { b"_\r\n" } else { b"*-1\r\n" };
        self.bytes.extend_from_slice(nil);
    }

    /// Starts an array of this many replies.
    pub fn array(&mut self, count: usize) {
        self.head(b'*', count);
    }

    /// Starts a map of this many pairs.
    pub fn map(&mut self, pairs: usize) {
        match self.is_resp3 {
            true => self.head(b'%', pairs),
            false => self.array(2 * pairs),
        }
    }

    /// Starts this many attributes of the next reply, which only RESP3 has.
    pub fn attributes(&mut self, pairs: usize) {
        self.head(b'|', pairs);
    }

    /// Writes an integer of any size, by its digits.
    pub fn big_number(&mut self, digits: &str) {
        if !self.is_resp3 {
            self.bulk(digits.as_bytes());
        } else if self.has_room(digits.len()) {
            self.bytes.push(b'(');
            self.bytes.extend_from_slice(digits.as_bytes());
            self.bytes.extend_from_slice(b"\r\n");
        }
    }

    /// Starts a push message of this many replies.
    pub fn push(&mut self, count: usize) {
        match self.is_resp3 {
            true => self.head(b'>', count),
            false => self.array(count),
        }
    }

    /// Writes a type's character and a number.
    fn head(&mut self, mark: u8, mut number: usize) {
        if !self.has_room(1) {
            return;
        }
        let mut digits = [0; 20];
        let mut at = digits.len();
        loop {
            at -= 1;
            digits[at] = b'0' + (number % 10) as u8;
            number /= 10;
            if number == 0 {
                break;
            }
        }
        self.bytes.push(mark);
        self.bytes.extend_from_slice(&digits[at..]);
        self.bytes.extend_from_slice(b"\r\n");
    }

    /// Starts a set of this many members.
    pub fn set(&mut self, count: usize) {
        match self.is_resp3 {
            true => self.head(b'~', count),
            false => self.array(count),
        }
    }

    /// Writes a number with its decimal places.
    pub fn decimal(&mut self, number: f64) {
        let text = format!("{number:.17}");
        let text = text.trim_end_matches('0').trim_end_matches('.');
        match self.is_resp3 {
            true => self.line(format_args!(",{text}")),
            false => self.bulk(text.as_bytes()),
        }
    }

    /// Writes a score.
    pub fn double(&mut self, number: f64) {
        let text = crate::number::text(number);
        match self.is_resp3 {
            true => self.line(format_args!(",{text}")),
            false => self.bulk(text.as_bytes()),
        }
    }
}
