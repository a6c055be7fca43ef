//! Values that are packed into one string: LZF, intset, ziplist, listpack.

use super::reader::{Reader, digits};
use crate::store::Bytes;

/// Decompresses LZF.
pub(super) fn inflate(packed: &[u8], length: usize) -> Option<Vec<u8>> {
    /// Approximate maximum number of bytes into which one byte can expand.
    const MOST: usize = 264;
    if length > packed.len().checked_mul(MOST)? {
        return None;
    }
    let (mut bytes, mut reader) = (Vec::with_capacity(length), Reader::new(packed));
    while !reader.is_at_end() {
        let control = usize::from(reader.byte()?);
        if control < 32 {
            bytes.extend_from_slice(reader.take(control + 1)?);
            continue;
        }
        let mut count = control >> 5;
        if count == 7 {
            count += usize::from(reader.byte()?);
        }
        let back = (control & 0x1f) << 8 | usize::from(reader.byte()?);
        let begin = bytes.len().checked_sub(back + 1)?;
        for at in begin..begin + count + 2 {
            let byte = *bytes.get(at)?;
            bytes.push(byte);
        }
        if bytes.len() > length {
            return None;
        }
    }
    (bytes.len() == length).then_some(bytes)
}

/// Decodes the integers of an intset.
pub(super) fn numbers(packed: &[u8]) -> Option<Vec<Bytes>> {
    let mut reader = Reader::new(packed);
    let (size, count) = (
        u32::from_le_bytes(reader.array()?),
        u32::from_le_bytes(reader.array()?),
    );
    let mut numbers = Vec::new();
    for _ in 0..count {
        let number = match size {
            2 => i16::from_le_bytes(reader.array()?).into(),
            4 => i32::from_le_bytes(reader.array()?).into(),
            8 => i64::from_le_bytes(reader.array()?),
            _ => return None,
        };
        numbers.push(digits(number));
    }
    reader.is_at_end().then_some(numbers)
}

fn three(bytes: [u8; 3]) -> i64 {
    let [low, middle, high] = bytes;
    i64::from(i32::from_le_bytes([0, low, middle, high]) >> 8)
}

/// Decodes the elements of a ziplist.
pub(super) fn ziplist(packed: &[u8]) -> Option<Vec<Bytes>> {
    const HEAD: usize = 10;
    let mut reader = Reader::new(packed);
    reader.take(HEAD)?;
    let mut elements = Vec::new();
    loop {
        match reader.byte()? {
            0xff => return reader.is_at_end().then_some(elements),
            0xfe => drop(reader.take(4)?),
            _ => {}
        }
        let first = reader.byte()?;
        let text = |length: u32, reader: &mut Reader<'_>| -> Option<Bytes> {
            Some(reader.take(usize::try_from(length).ok()?)?.into())
        };
        elements.push(match first {
            0..=0x3f => text(u32::from(first), &mut reader)?,
            0x40..=0x7f => {
                let length = u32::from(first & 0x3f) << 8 | u32::from(reader.byte()?);
                text(length, &mut reader)?
            }
            0x80..=0xbf => {
                let length = u32::from_be_bytes(reader.array()?);
                text(length, &mut reader)?
            }
            0xc0 => digits(i16::from_le_bytes(reader.array()?).into()),
            0xd0 => digits(i32::from_le_bytes(reader.array()?).into()),
            0xe0 => digits(i64::from_le_bytes(reader.array()?)),
            0xf0 => digits(three(reader.array()?)),
            0xfe => digits(i8::from_le_bytes(reader.array()?).into()),
            0xf1..=0xfd => digits(i64::from(first & 0xf) - 1),
            _ => return None,
        });
    }
}

/// Decodes the elements of a listpack.
pub(super) fn listpack(packed: &[u8]) -> Option<Vec<Bytes>> {
    const HEAD: usize = 6;
    let mut reader = Reader::new(packed);
    reader.take(HEAD)?;
    let mut elements = Vec::new();
    loop {
        let before = reader.left();
        let first = reader.byte()?;
        if first == 0xff {
            return reader.is_at_end().then_some(elements);
        }
        let element = match first {
            0..=0x7f => digits(i64::from(first)),
            0x80..=0xbf => reader.take(usize::from(first & 0x3f))?.into(),
            0xc0..=0xdf => {
                let number = i64::from(first & 0x1f) << 8 | i64::from(reader.byte()?);
                digits(if number >= 1 << 12 {
                    number - (1 << 13)
                } else {
                    number
                })
            }
            0xe0..=0xef => {
                let length = usize::from(first & 0xf) << 8 | usize::from(reader.byte()?);
                reader.take(length)?.into()
            }
            0xf0 => {
                let length = u32::from_le_bytes(reader.array()?);
                reader.take(usize::try_from(length).ok()?)?.into()
            }
            0xf1 => digits(i16::from_le_bytes(reader.array()?).into()),
            0xf2 => digits(three(reader.array()?)),
            0xf3 => digits(i32::from_le_bytes(reader.array()?).into()),
            0xf4 => digits(i64::from_le_bytes(reader.array()?)),
            _ => return None,
        };
        reader.take(back_length(before - reader.left()).len())?;
        elements.push(element);
    }
}

/// Encodes the length of an element as it stands after the element, where it is read backwards.
fn back_length(mut length: usize) -> Vec<u8> {
    let mut groups = vec![];
    loop {
        groups.push(u8::try_from(length & 0x7f).unwrap_or_default());
        length >>= 7;
        if length == 0 {
            break;
        }
    }
    let last = groups.len() - 1;
    // The highest group comes first. All other groups have a bit that tells that another one
    // precedes them.
    groups[..last].iter_mut().for_each(|it| *it |= 0x80);
    groups.reverse();
    groups
}

/// Encoder of a listpack.
#[derive(Debug)]
pub(super) struct Listpack {
    bytes: Vec<u8>,
    count: usize,
}

impl Listpack {
    pub fn new() -> Self {
        Listpack {
            bytes: vec![0; 6],
            count: 0,
        }
    }

    fn end(&mut self, begin: usize) {
        let length = self.bytes.len() - begin;
        self.bytes.extend(back_length(length));
        self.count += 1;
    }

    pub fn number(&mut self, number: i64) {
        let begin = self.bytes.len();
        match u8::try_from(number).ok().filter(|it| *it < 0x80) {
            Some(small) => self.bytes.push(small),
            None => {
                self.bytes.push(0xf4);
                self.bytes.extend(number.to_le_bytes());
            }
        }
        self.end(begin);
    }

    pub fn string(&mut self, text: &[u8]) {
        let begin = self.bytes.len();
        match u8::try_from(text.len()).ok().filter(|it| *it < 0x40) {
            Some(length) => self.bytes.push(0x80 | length),
            None => {
                self.bytes.push(0xf0);
                let length = u32::try_from(text.len()).unwrap_or(u32::MAX);
                self.bytes.extend(length.to_le_bytes());
            }
        }
        self.bytes.extend_from_slice(text);
        self.end(begin);
    }

    pub fn finish(mut self) -> Vec<u8> {
        self.bytes.push(0xff);
        let length = u32::try_from(self.bytes.len()).unwrap_or(u32::MAX);
        self.bytes[..4].copy_from_slice(&length.to_le_bytes());
        // The count is only stored if it fits.
        let count = u16::try_from(self.count).unwrap_or(u16::MAX);
        self.bytes[4..6].copy_from_slice(&count.to_le_bytes());
        self.bytes
    }
}
