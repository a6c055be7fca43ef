//! Writing frames.

use crate::frame::{Eoj, Esv, Properties};

/// Writes a frame at the end of a buffer. What has been written is a frame at any time, except that
/// a `SetGet` needs a second list.
#[derive(Debug)]
pub struct Writer<'o> {
    out: &'o mut Vec<u8>,
    count: usize,
}

impl<'o> Writer<'o> {
    /// A frame without properties.
    pub fn begin(out: &'o mut Vec<u8>, tid: u16, from: Eoj, to: Eoj, esv: Esv) -> Self {
        out.extend_from_slice(&[0x10, 0x81]);
        out.extend_from_slice(&tid.to_be_bytes());
        out.extend_from_slice(&from.bytes());
        out.extend_from_slice(&to.bytes());
        out.extend_from_slice(&[esv as u8, 0]);
        let count = out.len() - 1;
        Writer { out, count }
    }

    /// The properties of the second list follow.
    pub fn next_list(&mut self) {
        self.count = self.out.len();
        self.out.push(0);
    }

    /// Adds a property. A value that is longer than 255 bytes, or the 256th property of a list,
    /// does not fit: returns whether it did.
    pub fn property(&mut self, epc: u8, edt: &[u8]) -> bool {
        self.property_with(epc, |out| {
            out.extend_from_slice(edt);
            true
        })
    }

    /// Adds a property whose value the function appends, if it returns true.
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
