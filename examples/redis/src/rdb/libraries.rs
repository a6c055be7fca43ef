//! Libraries of functions in redis-server's format: the payload of FUNCTION DUMP.

use super::reader::Reader;
use super::write::Writer;
use super::{check, finish};
use crate::store::{Bytes, FunctionLibraries};

/// Marks a library in a file and in a payload.
pub(super) const MARK: u8 = 0xf5;

/// Marks a library of a version before 7.0.
pub(super) const OLD_MARK: u8 = 0xf6;

pub(super) fn write(writer: &mut Writer, libraries: &FunctionLibraries) {
    for library in libraries.iter() {
        writer.byte(MARK);
        writer.string(&library.code);
    }
}

/// Encodes libraries as FUNCTION DUMP does.
#[must_use]
pub fn dump_libraries(libraries: &FunctionLibraries) -> Vec<u8> {
    let mut writer = Writer::default();
    write(&mut writer, libraries);
    finish(writer)
}

/// Decodes a payload of FUNCTION RESTORE. Returns the codes of the libraries.
///
/// # Errors
/// The error for the client.
pub fn restore_libraries(payload: &[u8]) -> Result<Vec<Bytes>, &'static str> {
    let body = check(payload).ok_or("ERR DUMP payload version or checksum are wrong")?;
    let mut reader = Reader::new(body);
    let mut codes = Vec::new();
    while let Some(mark) = reader.byte() {
        match mark {
            MARK => {}
            OLD_MARK => return Err("ERR Pre-GA function format not supported"),
            _ => return Err("ERR given type is not a function"),
        }
        let code = reader.string();
        codes.push(code.ok_or("ERR failed loading the given functions payload")?);
    }
    Ok(codes)
}
