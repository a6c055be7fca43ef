//! The protocol of Redis: parsing requests, and writing replies (RESP2 and RESP3).

// With its path, because a benchmark includes this file from elsewhere.
#[path = "resp/replies.rs"]
mod replies;

use std::fmt;
use std::ops::Range;

pub use replies::Replies;

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
