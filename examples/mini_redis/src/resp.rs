//! The protocol of Redis, RESP 2: requests are arrays of byte strings, or lines of words.

use bytes::{Buf, Bytes};
use otp_bridge::Term;

/// The largest word in bytes.
pub const MAX_WORD: usize = 1 << 20;
/// The largest number of words in a request.
const MAX_WORDS: usize = 1 << 16;

/// A reply, or a message to a subscriber.
#[derive(Debug, Clone, PartialEq, Eq, Term)]
pub enum Reply {
    /// `+OK`
    Status(String),
    /// `-ERR …`
    Error(String),
    /// `:7`
    Integer(i64),
    /// `$3 red`
    Bulk(Bytes),
    /// `$-1`: there is no value.
    Nil,
    /// `*-1`: there is no array.
    NilArray,
    /// `*2 …`
    Array(Vec<Reply>),
}

impl Reply {
    /// The reply `OK`.
    #[must_use]
    pub fn ok() -> Self {
        Reply::Status("OK".to_owned())
    }

    /// A reply of the class `ERR`.
    #[must_use]
    pub fn error(text: &str) -> Self {
        Reply::Error(format!("ERR {text}"))
    }

    /// Appends the reply as the client reads it.
    pub fn write(&self, to: &mut Vec<u8>) {
        match self {
            Reply::Status(text) => line(to, '+', text),
            Reply::Error(text) => line(to, '-', text),
            Reply::Integer(number) => line(to, ':', &number.to_string()),
            Reply::Bulk(bytes) => {
                line(to, '$', &bytes.len().to_string());
                to.extend_from_slice(bytes);
                to.extend_from_slice(b"\r\n");
            }
            Reply::Nil => line(to, '$', "-1"),
            Reply::NilArray => line(to, '*', "-1"),
            Reply::Array(all) => {
                line(to, '*', &all.len().to_string());
                all.iter().for_each(|reply| reply.write(to));
            }
        }
    }
}

fn line(to: &mut Vec<u8>, kind: char, text: &str) {
    to.extend_from_slice(format!("{kind}{text}\r\n").as_bytes());
}

/// Writes a request, as the journal has it.
pub fn write_request(words: &[Bytes], to: &mut Vec<u8>) {
    let words = words.iter().cloned().map(Reply::Bulk);
    Reply::Array(words.collect()).write(to);
}

/// Removes the first request from the input. Returns `None` if it has not arrived as a whole.
///
/// # Errors
/// The input is not a request. The connection cannot continue.
pub fn take_request(input: &mut Bytes) -> Result<Option<Vec<Bytes>>, &'static str> {
    let mut rest = input.clone();
    let words = read(&mut rest)?;
    if words.is_some() {
        *input = rest;
    }
    Ok(words)
}

fn read(input: &mut Bytes) -> Result<Option<Vec<Bytes>>, &'static str> {
    let Some(first) = take_line(input) else {
        return Ok(None);
    };
    let Some(count) = first.strip_prefix(b"*") else {
        // A line that somebody has typed.
        let words = first.split(u8::is_ascii_whitespace);
        let words = words.filter(|word| !word.is_empty());
        return Ok(Some(words.map(Bytes::copy_from_slice).collect()));
    };
    let count = number(count, MAX_WORDS).ok_or("invalid multibulk length")?;
    let mut words = Vec::new();
    for _ in 0..count {
        let Some(size) = take_line(input) else {
            return Ok(None);
        };
        let size = size.strip_prefix(b"$").ok_or("expected '$'")?;
        let size = number(size, MAX_WORD).ok_or("invalid bulk length")?;
        if input.len() < size + 2 {
            return Ok(None);
        }
        words.push(input.split_to(size));
        input.advance(2);
    }
    Ok(Some(words))
}

/// Removes a line, and returns it without its end.
fn take_line(input: &mut Bytes) -> Option<Bytes> {
    let end = input.iter().position(|byte| *byte == b'\n')?;
    let mut line = input.split_to(end + 1);
    line.truncate(end);
    if line.ends_with(b"\r") {
        line.truncate(end - 1);
    }
    Some(line)
}

fn number(text: &[u8], most: usize) -> Option<usize> {
    let number = std::str::from_utf8(text).ok()?.parse().ok()?;
    (number <= most).then_some(number)
}
