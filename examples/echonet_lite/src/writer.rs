//! Encoding frames.

use crate::frame::{Eoj, Esv, Properties};

/// Appends a frame to a buffer. At any time, the written bytes are a valid frame, except that a
/// `SetGet` needs its second list.
#[derive(Debug)]
pub struct Writer<'o> {
    out: &'o mut Vec<u8>,
    count: usize,
}

impl<'o> Writer<'o> {
    /// Starts a frame without properties.
    pub fn begin(out: &'o mut Vec<u8>, tid: u16, from: Eoj, to: Eoj, esv: Esv) -> Self {
        out.extend_from_slice(&[0x10, 0x81]);
        out.extend_from_slice(&tid.to_be_bytes());
        out.extend_from_slice(&from.bytes());
        out.extend_from_slice(&to.bytes());
        out.extend_from_slice(&[esv as u8, 0]);
        let count = out.len() - 1;
        Writer { out, count }
    }

    /// Starts the second list of properties.
    pub fn next_list(&mut self) {
        self.count = self.out.len();
        self.out.push(0);
    }

    /// Adds a property. Returns whether it fits: a value may have at most 255 bytes, and a list at
    /// most 255 properties.
    pub fn property(&mut self, epc: u8, edt: &[u8]) -> bool {
        self.property_with(epc, |out| {
            out.extend_from_slice(edt);
            true
        })
    }

    /// Adds a property whose value the function appends, if the function returns `true`.
    pub fn property_with(&mut self, epc: u8, edt: impl FnOnce(&mut Vec<u8>) -> bool) -> bool {
        let begin = self.out.len();
        self.out.extend_from_slice(&[epc, 0]);
        let is_there = edt(self.out);
        let length = u8::try_from(self.out.len() - begin - 2);
        let count = self.out[self.count].checked_add(1);
        match (is_there, length, count) {
            (true, Ok(length), Some(count)) => {
                self.out[begin + 1] = length;
                self.out[self.count] = count;
                true
            }
            _ => {
                self.out.truncate(begin);
                false
            }
        }
    }

    pub(crate) fn copy(&mut self, properties: Properties<'_>) {
        self.out[self.count] = properties.count;
        self.out.extend_from_slice(properties.bytes);
    }
}
