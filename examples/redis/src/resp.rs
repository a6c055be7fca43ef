//! The protocol of Redis: parsing requests, and writing replies (RESP2 and RESP3).

use std::fmt;
use std::io::Write as _;
use std::ops::Range;

/// Maximum length of a value, as in redis-server.
const MAX_BULK: usize = 512 << 20;
/// Maximum length of an inline request.
const MAX_INLINE: usize = 64 << 10;
/// Maximum number of arguments of a request, as in redis-server.
const MAX_ARGUMENTS: usize = i32::MAX as usize;

/// Result of parsing the beginning of a client's input.
#[derive(Debug, PartialEq, Eq)]
pub enum Parsed {
    /// A request of this length in bytes. The ranges of its arguments are in the list.
    Request(usize),
    /// The beginning of a request, which takes at least this many bytes in all.
    Incomplete(usize),
}

/// Defect of a request, after which the client is disconnected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Malformed {
    /// The number of arguments is malformed or too large.
    Multibulk,
    /// A length is malformed or too large.
    Bulk,
    /// An argument starts with this byte instead of `$`.
    ExpectedBulk(u8),
    /// A line is too long.
    TooBigInline,
    /// A quotation mark is missing.
    Quotes,
}

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Malformed::Multibulk => f.write_str("invalid multibulk length"),
            Malformed::Bulk => f.write_str("invalid bulk length"),
            Malformed::ExpectedBulk(found) => {
                write!(f, "expected '$', got '{}'", char::from(*found))
            }
            Malformed::TooBigInline => f.write_str("too big inline request"),
            Malformed::Quotes => f.write_str("unbalanced quotes in request"),
        }
    }
}

/// Parses a request.
///
/// # Errors
/// The defect of the request.
pub fn parse(bytes: &[u8], arguments: &mut Vec<Range<usize>>) -> Result<Parsed, Malformed> {
    arguments.clear();
    match bytes.first() {
        None => Ok(Parsed::Incomplete(1)),
        Some(b'*') => multibulk(bytes, arguments),
        Some(_) => inline(bytes, arguments),
    }
}

fn multibulk(bytes: &[u8], arguments: &mut Vec<Range<usize>>) -> Result<Parsed, Malformed> {
    let Some((line, mut at)) = line(bytes, 1, Malformed::Multibulk)? else {
        return Ok(Parsed::Incomplete(bytes.len() + 1));
    };
    let count = number(&bytes[line]).ok_or(Malformed::Multibulk)?;
    let count = usize::try_from(count).unwrap_or(0);
    if count > MAX_ARGUMENTS {
        return Err(Malformed::Multibulk);
    }
    for _ in 0..count {
        match bytes.get(at) {
            None => return Ok(Parsed::Incomplete(at + 1)),
            Some(b'$') => {}
            Some(found) => return Err(Malformed::ExpectedBulk(*found)),
        }
        let Some((line, begin)) = self::line(bytes, at + 1, Malformed::Bulk)? else {
            return Ok(Parsed::Incomplete(bytes.len() + 1));
        };
        let length = number(&bytes[line]).and_then(|it| usize::try_from(it).ok());
        let length = length.filter(|it| *it <= MAX_BULK).ok_or(Malformed::Bulk)?;
        let end = begin + length;
        if bytes.len() < end + 2 {
            return Ok(Parsed::Incomplete(end + 2));
        }
        arguments.push(begin..end);
        at = end + 2;
    }
    Ok(Parsed::Request(at))
}

/// Returns the line that starts at `begin`, without its end, and the position after it.
fn line(
    bytes: &[u8],
    begin: usize,
    too_long: Malformed,
) -> Result<Option<(Range<usize>, usize)>, Malformed> {
    /// Every number is shorter than this.
    const LONG: usize = 64;
    let rest = &bytes[begin..];
    match rest.iter().take(LONG).position(|byte| *byte == b'\n') {
        Some(end) => {
            let without = end.checked_sub(1).filter(|last| rest[*last] == b'\r');
            Ok(Some((
                begin..begin + without.unwrap_or(end),
                begin + end + 1,
            )))
        }
        None if rest.len() >= LONG => Err(too_long),
        None => Ok(None),
    }
}

/// Parses a number as Redis does: without blanks and without `+`.
#[must_use]
pub fn number(text: &[u8]) -> Option<i64> {
    let has_sign = text.first() == Some(&b'-');
    let digits = if has_sign { &text[1..] } else { text };
    let is_canonical = digits == b"0" && !has_sign || digits.first() != Some(&b'0');
    if digits.is_empty() || !is_canonical {
        return None;
    }
    // There is one more negative number than positive ones.
    let negative = digits.iter().try_fold(0_i64, |number, digit| {
        let digit = digit.wrapping_sub(b'0');
        let number = number.checked_mul(10)?.checked_sub(i64::from(digit))?;
        (digit <= 9).then_some(number)
    })?;
    if has_sign {
        Some(negative)
    } else {
        negative.checked_neg()
    }
}

/// Parses an inline request: a line that a person can type.
fn inline(bytes: &[u8], arguments: &mut Vec<Range<usize>>) -> Result<Parsed, Malformed> {
    let Some(end) = bytes.iter().position(|byte| *byte == b'\n') else {
        return match bytes.len() > MAX_INLINE {
            true => Err(Malformed::TooBigInline),
            false => Ok(Parsed::Incomplete(bytes.len() + 1)),
        };
    };
    let line = bytes[..end].strip_suffix(b"\r").unwrap_or(&bytes[..end]);
    if line.iter().any(|byte| matches!(byte, b'"' | b'\'')) {
        return Err(Malformed::Quotes);
    }
    let mut begin = None;
    for (at, byte) in line.iter().chain(b" ").enumerate() {
        match (byte.is_ascii_whitespace(), begin) {
            (false, None) => begin = Some(at),
            (true, Some(from)) => {
                arguments.push(from..at);
                begin = None;
            }
            _ => {}
        }
    }
    Ok(Parsed::Request(end + 1))
}

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

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(bytes: &[u8]) -> (Result<Parsed, Malformed>, Vec<&[u8]>) {
        let mut ranges = Vec::new();
        let parsed = parse(bytes, &mut ranges);
        (
            parsed,
            ranges.into_iter().map(|range| &bytes[range]).collect(),
        )
    }

    #[test]
    fn a_request_is_complete_at_its_last_byte_only() {
        let request = b"*2\r\n$3\r\nGET\r\n$2\r\n\r\n\r\n";
        let (whole, arguments) = parsed(request);
        assert_eq!(whole, Ok(Parsed::Request(request.len())));
        assert_eq!(arguments, [b"GET".as_slice(), b"\r\n"]);
        for end in 0..request.len() {
            let (part, _) = parsed(&request[..end]);
            assert!(matches!(part, Ok(Parsed::Incomplete(_))), "{end}: {part:?}");
        }
    }

    #[test]
    fn a_number_is_read_as_redis_reads_it() {
        for known in [0, 7, -7, 10, i64::MAX, i64::MIN] {
            assert_eq!(number(known.to_string().as_bytes()), Some(known));
        }
        let others: [&[u8]; 12] = [
            b"",
            b"-",
            b"-0",
            b"00",
            b"07",
            b"+7",
            b" 7",
            b"7 ",
            b"7a",
            b"--7",
            b"9223372036854775808",
            b"-9223372036854775809",
        ];
        for other in others {
            assert_eq!(number(other), None);
        }
    }

    #[test]
    fn a_line_is_a_request_too() {
        let (whole, arguments) = parsed(b"  set  a b \r\nrest");
        assert_eq!(whole, Ok(Parsed::Request(13)));
        assert_eq!(arguments, [b"set".as_slice(), b"a", b"b"]);
        assert_eq!(parsed(b"\r\n"), (Ok(Parsed::Request(2)), vec![]));
    }

    #[test]
    fn what_is_not_a_request_is_named() {
        for (bytes, why) in [
            (b"*x\r\n".as_slice(), Malformed::Multibulk),
            (b"*2147483648\r\n", Malformed::Multibulk),
            (b"*1\r\n$-1\r\n", Malformed::Bulk),
            (b"*1\r\n$536870913\r\n", Malformed::Bulk),
            (b"*1\r\n:1\r\n", Malformed::ExpectedBulk(b':')),
            (b"set a \"b\n", Malformed::Quotes),
        ] {
            assert_eq!(parsed(bytes).0, Err(why));
        }
        assert_eq!(parsed(&[b'x'; 70_000]).0, Err(Malformed::TooBigInline));
    }
}
