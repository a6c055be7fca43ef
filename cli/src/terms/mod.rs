//! Terms of users: reads them, checks them against a type, and writes them.

mod builtin;
mod instance;
mod rust_text;

use std::fmt::Write;

use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use otp_bridge::Term;
use otp_bridge::term::etf;

use crate::report::{Result, catalog};
pub(crate) use instance::{Definitions, check};
pub(crate) use rust_text::rust_text;

/// The first byte of the External Term Format.
const VERSION: u8 = 131;

/// Reads Erlang text.
pub(crate) fn of_erlang(text: &str) -> Result<Term> {
    let term = text.parse();
    term.map_err(|error: otp_bridge::term::TextError| {
        catalog::NOT_A_TERM.with(&[&"a term", &error])
    })
}

/// Reads JSON.
pub(crate) fn of_json(text: &str) -> Result<Term> {
    let term = serde_json::from_str::<otp_bridge::json::Json<Term>>(text);
    term.map(|term| term.0)
        .map_err(|error| catalog::NOT_A_TERM.with(&[&"a term in JSON", &error]))
}

/// Reads bytes, or a text of them. The first byte distinguishes them: no text of bytes begins with
/// it.
pub(crate) fn of_bytes(input: &[u8]) -> Result<Term> {
    let refused = |why: &dyn std::fmt::Display| {
        let what = "a term in the External Term Format";
        catalog::NOT_A_TERM.with(&[&what, &why])
    };
    let text = input.trim_ascii();
    let given = match text.first() {
        Some(&VERSION) => Some(input.to_vec()),
        Some(b'<') => of_binary_text(text)?,
        Some(b'8') => of_hex(text),
        Some(_) => BASE64.decode(text).ok(),
        None => None,
    };
    let bytes = given.ok_or_else(|| {
        refused(&"it is neither such bytes nor their hex, base64 or Erlang binary")
            .help("it begins with the byte 131: 83 in hex, `g` in base64, `<<131` in Erlang")
    })?;
    etf::decode(&bytes).map_err(|error| refused(&error))
}

/// `<<131,97,1>>`
fn of_binary_text(text: &[u8]) -> Result<Option<Vec<u8>>> {
    Ok(match of_erlang(&String::from_utf8_lossy(text))? {
        Term::Binary(bytes) => Some(bytes.to_vec()),
        _ => None,
    })
}

fn of_hex(text: &[u8]) -> Option<Vec<u8>> {
    let read: Option<Vec<u8>> = text
        .iter()
        .filter(|byte| !byte.is_ascii_whitespace())
        .map(|byte| char::from(*byte).to_digit(16)?.try_into().ok())
        .collect();
    let digits = read?;
    let pairs = digits.chunks_exact(2);
    let whole = pairs.remainder().is_empty();
    whole.then(|| pairs.map(|pair| pair[0] << 4 | pair[1]).collect())
}

/// Returns the bytes in hex.
pub(crate) fn hex(term: &Term) -> String {
    let mut text = String::new();
    for byte in etf::encode(term) {
        let _ = write!(text, "{byte:02x}");
    }
    text
}

/// Returns the bytes in base64.
pub(crate) fn base64(term: &Term) -> String {
    BASE64.encode(etf::encode(term))
}

/// Returns the JSON of a term.
pub(crate) fn json(term: &Term) -> Result<String> {
    let text = serde_json::to_string(&otp_bridge::json::Json(term.clone()));
    text.map_err(|error| catalog::INTERNAL.with(&[&format!("the term is not JSON: {error}")]))
}
