//! The kind of a file, and the forms in it.

use std::path::Path;

use otp_specs::ast::Entry;
use otp_specs::{Options, Parsed};

use super::headers::Headers;
use crate::files::read_bounded;
use crate::report::{Error, Result};

/// The first bytes of a BEAM file, and of an external term.
const BEAM_START: &[u8] = b"FOR1";
const TERM_START: &[u8] = &[131];

/// Reads the forms of a file.
pub(super) fn parse_file(path: &Path, headers: &Headers) -> Result<Parsed> {
    let bytes = read_bounded(path).map_err(|error| Error::io("read", path, &error))?;
    let options = Options {
        release: headers.release(),
        ..Options::default()
    };
    let mut forms = Vec::new();
    let mut parsed = parse_by_form(path, &bytes, headers, &options, |form| forms.push(form));
    parsed.module.forms = forms;
    Ok(parsed)
}

/// The kind of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FileKind {
    Source,
    Beam,
    Chunk,
}

impl FileKind {
    /// Determines the kind by the extension of the name; if that is unknown, by the first bytes.
    fn of(path: &Path, bytes: &[u8]) -> Self {
        let ending = path.extension().and_then(|ending| ending.to_str());
        match ending {
            Some("erl" | "hrl") => FileKind::Source,
            Some("beam") => FileKind::Beam,
            Some("chunk") => FileKind::Chunk,
            _ if bytes.starts_with(BEAM_START) => FileKind::Beam,
            _ if bytes.starts_with(TERM_START) => FileKind::Chunk,
            _ => FileKind::Source,
        }
    }
}

/// Returns whether a file is text.
pub(crate) fn is_source(path: &Path, bytes: &[u8]) -> bool {
    FileKind::of(path, bytes) == FileKind::Source
}

/// Reads a file that is in memory. It passes the forms to `take`, one after the other, and does not
/// return them.
pub(crate) fn parse_by_form(
    path: &Path,
    bytes: &[u8],
    headers: &Headers,
    options: &Options,
    take: impl FnMut(Entry),
) -> Parsed {
    let name = path.to_string_lossy();
    let mut parsed = match FileKind::of(path, bytes) {
        FileKind::Source => {
            let includes = headers.seen_from(path);
            return otp_specs::parse_source_by_form(&name, bytes, &includes, options, take);
        }
        FileKind::Beam => otp_specs::parse_beam(&name, bytes),
        FileKind::Chunk => otp_specs::parse_chunk(&name, bytes),
    };
    std::mem::take(&mut parsed.module.forms)
        .into_iter()
        .for_each(take);
    parsed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_without_a_known_ending_tell_by_their_start() {
        let kind = |path: &str, bytes: &[u8]| FileKind::of(Path::new(path), bytes);
        assert_eq!(kind("a.erl", b"FOR1"), FileKind::Source);
        assert_eq!(kind("a.beam", b""), FileKind::Beam);
        assert_eq!(kind("a.chunk", b""), FileKind::Chunk);
        assert_eq!(kind("a", b"FOR1"), FileKind::Beam);
        assert_eq!(kind("a", &[131, 104]), FileKind::Chunk);
        assert_eq!(kind("a.app.src", b"{application,"), FileKind::Source);
    }
}
