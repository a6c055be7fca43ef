//! Reading requests into memory that connections share.

use std::io;

use otp_bridge::net::TcpStream;

use super::{KEPT, LARGE};

/// Reads once: to the shared buffer, or directly to the end of an incomplete large request. Returns
/// the number of bytes, or `None` if the client has closed the connection.
pub(super) fn read(
    stream: &TcpStream,
    before: &mut Vec<u8>,
    missing: usize,
    shared: &mut [u8],
) -> io::Result<Option<usize>> {
    let begin = before.len();
    let is_direct = begin > 0 && missing >= LARGE;
    let read = if is_direct {
        before.resize(begin + missing.min(KEPT), 0);
        let read = stream.try_read(&mut before[begin..]);
        before.truncate(begin + read.as_ref().copied().unwrap_or(0));
        read
    } else {
        stream.try_read(shared)
    };
    let count = match if_ready(read)? {
        Some(0) => return Ok(None),
        count => count.unwrap_or(0),
    };
    if begin > 0 && !is_direct {
        before.extend_from_slice(&shared[..count]);
    }
    Ok(Some(count))
}

/// Keeps the memory of an answered request for the next large one, unless more memory is kept
/// already.
pub(super) fn keep(spare: &mut Vec<u8>, mut memory: Vec<u8>) {
    if (spare.capacity()..=2 * KEPT).contains(&memory.capacity()) {
        memory.clear();
        *spare = memory;
    }
}

/// Returns the number of bytes, or `None` if the operation would block.
pub(super) fn if_ready(done: io::Result<usize>) -> io::Result<Option<usize>> {
    match done {
        Ok(count) => Ok(Some(count)),
        Err(error) if error.kind() == io::ErrorKind::WouldBlock => Ok(None),
        Err(error) => Err(error),
    }
}
