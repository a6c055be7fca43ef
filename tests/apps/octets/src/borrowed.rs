//! Functions that borrow binaries, and examine their addresses.
use otp_bridge::module;

#[module("borrowed")]
pub mod functions {
    use bytes::Bytes;
    use otp_bridge::{Cx, Pid, Term};

    /// `{From, To, Text}`
    #[derive(Debug, Term)]
    #[term(tuple)]
    pub struct Excerpt<'a> {
        from: usize,
        to: usize,
        text: &'a str,
    }

    /// Returns the sum of the bytes.
    pub fn sum(bytes: &[u8]) -> u64 {
        bytes.iter().map(|byte| u64::from(*byte)).sum()
    }

    /// Returns the distance of two binaries in memory.
    pub fn distance(one: &[u8], other: &[u8]) -> i64 {
        other.as_ptr().addr().wrapping_sub(one.as_ptr().addr()) as i64
    }

    /// Returns the distance of the first and the last text in memory.
    pub fn reach(texts: Vec<&str>) -> Option<i64> {
        let (first, last) = (texts.first()?, texts.last()?);
        Some(distance(first.as_bytes(), last.as_bytes()))
    }

    /// Returns the bytes, a part of them, and a copy.
    pub fn again(bytes: Bytes) -> (Bytes, Bytes, Bytes) {
        let part = bytes.slice(bytes.len() / 4..bytes.len() / 2);
        let copy = Bytes::copy_from_slice(&bytes);
        (bytes, part, copy)
    }

    /// Returns a part of a text, the number of bytes before it, and the calling process.
    pub fn excerpt(excerpt: &Excerpt<'_>, cx: &Cx<'_>) -> (String, i64, Pid) {
        let part = excerpt
            .text
            .get(excerpt.from..excerpt.to)
            .unwrap_or_default();
        let far = distance(excerpt.text.as_bytes(), part.as_bytes());
        (part.to_owned(), far, cx.pid())
    }
}
