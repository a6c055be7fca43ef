//! The first line of a script or of a library of functions, such as `#!lua flags=no-writes`.

use super::{Script, name_of};
use crate::store::ScriptFlags;

/// The beginning of a library's code.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct LibraryHead<'a> {
    /// Name of the library.
    pub name: Vec<u8>,
    /// The code after the first line. It begins with the end of this line, so that lines keep
    /// their numbers.
    pub rest: &'a [u8],
}

impl Script {
    /// Parses a script, including the flags in its first line.
    pub(super) fn read(text: &[u8]) -> Result<Self, String> {
        let name = name_of(text).into();
        if !text.starts_with(b"#!") {
            let (text, flags) = (text.to_vec(), None);
            return Ok(Script { name, text, flags });
        }
        let end = text.iter().position(|byte| *byte == b'\n');
        let end = end.ok_or("ERR Invalid script shebang")?;
        let line = String::from_utf8_lossy(&text[..end]).into_owned();
        let mut words = line.split_whitespace();
        let engine = words.next().unwrap_or_default();
        if engine != "#!lua" {
            return Err(format!("ERR Unexpected engine in script shebang: {engine}"));
        }
        let mut flags = ScriptFlags::default();
        for word in words {
            let Some(names) = word.strip_prefix("flags=") else {
                return Err(format!("ERR Unknown lua shebang option: {word}"));
            };
            for flag in names.split(',').filter(|it| !it.is_empty()) {
                if !flags.add(flag) {
                    return Err(format!("ERR Unexpected flag in script shebang: {flag}"));
                }
            }
        }
        // The end of the first line stays, so that lines keep their numbers.
        Ok(Script {
            name,
            text: text[end..].to_vec(),
            flags: Some(flags),
        })
    }
}

/// Parses the first line of a library, such as `#!lua name=mine`.
///
/// # Errors
/// The error for the client.
pub(super) fn of_library(code: &[u8]) -> Result<LibraryHead<'_>, String> {
    const INVALID: &str = "ERR Invalid library metadata";
    const NAME: &[u8] = b"name=";
    if !code.starts_with(b"#!") {
        return Err("ERR Missing library metadata".to_owned());
    }
    let end = code.iter().position(|byte| *byte == b'\n').ok_or(INVALID)?;
    let words = words(&code[..end]).ok_or(INVALID)?;
    let (engine, options) = words.split_first().ok_or(INVALID)?;
    let mut name = None;
    for option in options {
        let is_name = |it: &&[u8]| it.eq_ignore_ascii_case(NAME);
        if option.get(..NAME.len()).filter(is_name).is_none() {
            let option = String::from_utf8_lossy(option);
            return Err(format!("ERR Invalid metadata value given: {option}"));
        }
        if name.replace(option[NAME.len()..].to_vec()).is_some() {
            let why = "ERR Invalid metadata value, name argument was given multiple times";
            return Err(why.to_owned());
        }
    }
    let name = name.ok_or("ERR Library name was not given")?;
    if name.is_empty()
        || !name
            .iter()
            .all(|it| it.is_ascii_alphanumeric() || *it == b'_')
    {
        return Err(
            "ERR Library names can only contain letters, numbers, or underscores(_) and must be at least one character long"
                .to_owned(),
        );
    }
    if !engine[2..].eq_ignore_ascii_case(b"lua") {
        let engine = String::from_utf8_lossy(&engine[2..]);
        return Err(format!("ERR Engine '{engine}' not found"));
    }
    let rest = &code[end..];
    Ok(LibraryHead { name, rest })
}

/// Splits a line into words, which may contain parts in quotation marks. Returns `None` if a
/// quotation mark is missing, or if no blank follows the second one.
fn words(line: &[u8]) -> Option<Vec<Vec<u8>>> {
    let mut words = Vec::new();
    let mut word: Option<Vec<u8>> = None;
    let mut rest = line.iter().copied().peekable();
    while let Some(byte) = rest.next() {
        match byte {
            b'"' | b'\'' => {
                let word = word.get_or_insert_default();
                loop {
                    match rest.next()? {
                        b'\\' => word.push(rest.next()?),
                        end if end == byte => break,
                        other => word.push(other),
                    }
                }
                if rest.peek().is_some_and(|it| !it.is_ascii_whitespace()) {
                    return None;
                }
            }
            blank if blank.is_ascii_whitespace() => words.extend(word.take()),
            other => word.get_or_insert_default().push(other),
        }
    }
    words.extend(word);
    Some(words)
}
