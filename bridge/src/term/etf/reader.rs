//! Reading numbers and runs of bytes from the input.

use super::error::{ErrorKind, EtfError};

pub(super) struct ByteReader<'b> {
    bytes: &'b [u8],
    position: usize,
}

impl<'b> ByteReader<'b> {
    pub(super) fn new(bytes: &'b [u8]) -> Self {
        ByteReader { bytes, position: 0 }
    }

    pub(super) fn position(&self) -> usize {
        self.position
    }

    pub(super) fn remaining(&self) -> usize {
        self.bytes.len() - self.position
    }

    /// Returns the error of the part that is being read.
    pub(super) fn error(&self, kind: ErrorKind) -> EtfError {
        EtfError::new(kind, self.position)
    }

    pub(super) fn take(&mut self, length: usize) -> Result<&'b [u8], EtfError> {
        let rest = &self.bytes[self.position..];
        let Some(taken) = rest.get(..length) else {
            return Err(self.error(ErrorKind::Truncated));
        };
        self.position += length;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], EtfError> {
        let mut array = [0; N];
        array.copy_from_slice(self.take(N)?);
        Ok(array)
    }

    pub(super) fn unsigned8(&mut self) -> Result<u8, EtfError> {
        self.array().map(u8::from_be_bytes)
    }

    pub(super) fn unsigned16(&mut self) -> Result<u16, EtfError> {
        self.array().map(u16::from_be_bytes)
    }

    pub(super) fn unsigned32(&mut self) -> Result<u32, EtfError> {
        self.array().map(u32::from_be_bytes)
    }

    pub(super) fn unsigned64(&mut self) -> Result<u64, EtfError> {
        self.array().map(u64::from_be_bytes)
    }

    pub(super) fn signed32(&mut self) -> Result<i32, EtfError> {
        self.array().map(i32::from_be_bytes)
    }

    pub(super) fn float64(&mut self) -> Result<f64, EtfError> {
        self.array().map(f64::from_be_bytes)
    }

    pub(super) fn bytes16(&mut self) -> Result<[u8; 16], EtfError> {
        self.array()
    }

    /// Reads the number of parts that follow, each of at least `least` bytes. A number that the
    /// input cannot hold is rejected here, before memory is allocated for the parts.
    pub(super) fn count(&mut self, least: usize) -> Result<usize, EtfError> {
        let start = self.position;
        let count = self.unsigned32()? as usize;
        if count.saturating_mul(least) > self.remaining() {
            return Err(EtfError::new(ErrorKind::Truncated, start));
        }
        Ok(count)
    }
}
