//! Compressed pages. A page is compressed once, in two parts. The visitor's token is sent
//! uncompressed between them, so that the length of a reply reveals nothing about the token.

use axum::http::HeaderValue;
use hyper::body::Bytes;
use miniz_oxide::DataFormat;
use miniz_oxide::deflate::CompressionLevel;
use miniz_oxide::deflate::core::{CompressorOxide, TDEFLFlush, compress_to_output};

use super::body::Sent;
use super::cookies::Token;

/// Header of gzip (RFC 1952): no name, no time, an unknown operating system.
const HEAD: [u8; 10] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255];
/// Header of an uncompressed block of 32 bytes (RFC 1951).
const STORED: [u8; 5] = [0, 32, 0, 223, 255];
/// The polynomials 1 and x^8, with their bits reversed.
const ONE: u32 = 1 << 31;
const X8: u32 = 1 << 23;

/// Returns whether the browser accepts gzip.
pub(super) fn is_in(accepted: &HeaderValue) -> bool {
    let mut codings = accepted.as_bytes().split(|byte| *byte == b',');
    codings.any(|coding| {
        let mut words = coding.split(|byte| *byte == b';').map(<[u8]>::trim_ascii);
        let is_gzip = words.next().is_some_and(|name| name == b"gzip");
        is_gzip
            && !words.any(|word| {
                word.starts_with(b"q=0") && !word.iter().any(|it| (b'1'..=b'9').contains(it))
            })
    })
}

/// A compressed page.
#[derive(Debug)]
pub(super) struct Zipped {
    before: Bytes,
    after: Bytes,
    /// Checksum of the text before the token, extended by the token's length.
    sum_before: u32,
    sum_after: u32,
    /// Factor that extends a checksum by the length of the text after the token.
    shift: u32,
    /// Length of the page in bytes.
    length: usize,
}

impl Zipped {
    pub(super) fn new(before: &[u8], has_token: bool, after: &[u8]) -> Self {
        let token = if has_token { Token::LENGTH } else { 0 };
        let stored = if has_token { &STORED[..] } else { &[] };
        let first = compressed(before, TDEFLFlush::Sync);
        Zipped {
            before: [&HEAD[..], &first, stored].concat().into(),
            after: compressed(after, TDEFLFlush::Finish).into(),
            sum_before: times(power(token), crc32fast::hash(before)),
            sum_after: crc32fast::hash(after),
            shift: power(after.len()),
            length: before.len() + token + after.len(),
        }
    }

    pub(super) fn with(&self, token: Option<Token>) -> Sent {
        let sum = token.map_or(0, |token| crc32fast::hash(token.text()));
        let sum = times(self.shift, self.sum_before ^ sum) ^ self.sum_after;
        // RFC 1952 stores the length in 32 bits as well.
        let length = self.length as u32;
        let end = u64::from(sum) | u64::from(length) << 32;
        Sent::new(self.before.clone(), token, self.after.clone()).ending(end.to_le_bytes())
    }
}

fn compressed(text: &[u8], flush: TDEFLFlush) -> Vec<u8> {
    let level = CompressionLevel::DefaultLevel;
    let mut compressor = CompressorOxide::with_format_and_level(DataFormat::Raw, level);
    let mut all = Vec::with_capacity(text.len() / 4);
    compress_to_output(&mut compressor, text, flush, |bytes| {
        all.extend_from_slice(bytes);
        true
    });
    all.shrink_to_fit();
    all
}

/// Multiplies two polynomials, modulo the polynomial of CRC-32.
fn times(one: u32, mut other: u32) -> u32 {
    let mut product = 0;
    for bit in (0..32).rev() {
        product ^= other * (one >> bit & 1);
        other = (other >> 1) ^ (0xedb8_8320 * (other & 1));
    }
    product
}

/// Returns x^(8 × bytes). Multiplying a checksum by it extends the checksum by this many bytes.
fn power(mut bytes: usize) -> u32 {
    let (mut product, mut base) = (ONE, X8);
    while bytes > 0 {
        if bytes & 1 == 1 {
            product = times(product, base);
        }
        base = times(base, base);
        bytes >>= 1;
    }
    product
}

#[cfg(test)]
mod tests {
    use hyper::body::Buf;

    use super::*;

    #[test]
    fn only_those_who_take_it_get_it() {
        let is_in = |text| is_in(&HeaderValue::from_static(text));
        assert!(
            is_in("gzip, deflate, br") && is_in("br;q=1.0, gzip;q=0.8") && is_in("gzip;q=0.01")
        );
        assert!(
            !is_in("") && !is_in("br, xgzip") && !is_in("gzip;q=0, br") && !is_in("gzip; q=0.000")
        );
    }

    #[test]
    fn what_is_unpacked_is_the_page_with_the_token() {
        let long = "<p>some words, as people write them</p>".repeat(1000);
        for (before, after) in [
            ("", ""),
            ("a", "b"),
            (&*long, "</html>"),
            ("<html>", &*long),
        ] {
            let mut lengths = Vec::new();
            for token in [
                None,
                Token::read(&[b'0'; 32]),
                Token::read(b"0123456789abcdef0123456789abcdee"),
            ] {
                let zipped = Zipped::new(before.as_bytes(), token.is_some(), after.as_bytes());
                let mut sent = zipped.with(token);
                let bytes = sent.copy_to_bytes(sent.remaining());
                let (packed, end) = bytes[10..].split_at(bytes.len() - 18);
                let page = miniz_oxide::inflate::decompress_to_vec(packed).expect("it is whole");
                let token = token.map_or(String::new(), |token| {
                    lengths.push(bytes.len());
                    String::from_utf8_lossy(token.text()).into_owned()
                });
                assert_eq!(
                    String::from_utf8_lossy(&page),
                    format!("{before}{token}{after}")
                );
                let sum = crc32fast::hash(&page).to_le_bytes();
                assert_eq!(end[..4], sum, "{} and {}", before.len(), after.len());
                assert_eq!(end[4..], (page.len() as u32).to_le_bytes());
            }
            assert_eq!(
                lengths[0], lengths[1],
                "the length does not depend on the token"
            );
        }
    }
}
