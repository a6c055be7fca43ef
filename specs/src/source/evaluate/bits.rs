//! Binaries: `<<1:16/little, "text"/utf8>>`.

/// Maximum number of bits in a condition.
const MAX_BITS: usize = 1 << 20;

/// A bitstring: one element for each bit, first bit first.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(super) struct Bits(pub(super) Vec<bool>);

impl Bits {
    /// Returns its length in bits.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    pub(super) fn is_binary(&self) -> bool {
        self.0.len().is_multiple_of(8)
    }

    /// Returns bytes of a binary from `start` up; a negative length counts backwards.
    pub(super) fn part(&self, start: i128, length: i128) -> Option<Bits> {
        if !self.is_binary() {
            return None;
        }
        let end = start.checked_add(length)?;
        let index = |byte: i128| usize::try_from(byte.checked_mul(8)?).ok();
        let range = index(start.min(end))?..index(start.max(end))?;
        self.0.get(range).map(|bits| Bits(bits.to_vec()))
    }

    pub(super) fn extend(&mut self, bits: &[bool]) -> Option<()> {
        if self.0.len() + bits.len() > MAX_BITS {
            return None;
        }
        self.0.extend_from_slice(bits);
        Some(())
    }

    /// Appends the last bits of an integer in two's complement.
    pub(super) fn push_integer(&mut self, value: i128, bits: usize, little: bool) -> Option<()> {
        if bits > MAX_BITS {
            return None;
        }
        // Beyond 128 bits, the sign is repeated.
        let bit = |index: usize| value >> index.min(127) & 1 == 1;
        let big: Vec<bool> = (0..bits).rev().map(bit).collect();
        if !little {
            return self.extend(&big);
        }
        // A little-endian integer begins with its last byte. An incomplete byte comes last.
        let bytes: Vec<&[bool]> = big.rchunks(8).collect();
        self.extend(&bytes.concat())
    }

    pub(super) fn push_character(
        &mut self,
        character: char,
        width: usize,
        little: bool,
    ) -> Option<()> {
        match width {
            8 => {
                let mut bytes = [0; 4];
                let text = character.encode_utf8(&mut bytes);
                text.bytes()
                    .try_for_each(|byte| self.push_integer(i128::from(byte), 8, false))
            }
            16 => {
                let mut units = [0; 2];
                let units = character.encode_utf16(&mut units);
                units
                    .iter()
                    .try_for_each(|unit| self.push_integer(i128::from(*unit), 16, little))
            }
            _ => self.push_integer(i128::from(u32::from(character)), 32, little),
        }
    }
}

#[derive(Debug, Clone, Copy)]
pub(super) enum SegmentKind {
    Integer,
    Float,
    Bits { unit: usize },
    Utf { width: usize },
}

/// The specification of a segment: `:Size/type-little-unit:8`.
#[derive(Debug)]
pub(super) struct Segment {
    pub(super) kind: SegmentKind,
    pub(super) size: Option<usize>,
    pub(super) unit: Option<usize>,
    pub(super) little: bool,
}

impl Segment {
    /// Integer, eight bits.
    pub(super) fn new(size: Option<usize>) -> Segment {
        Segment {
            kind: SegmentKind::Integer,
            size,
            unit: None,
            little: false,
        }
    }

    /// Applies a word of the type; `None` if the word is unknown.
    pub(super) fn specify(&mut self, word: &str) -> Option<()> {
        match word {
            "integer" => self.kind = SegmentKind::Integer,
            "float" => self.kind = SegmentKind::Float,
            "binary" | "bytes" => self.kind = SegmentKind::Bits { unit: 8 },
            "bitstring" | "bits" => self.kind = SegmentKind::Bits { unit: 1 },
            "utf8" => self.kind = SegmentKind::Utf { width: 8 },
            "utf16" => self.kind = SegmentKind::Utf { width: 16 },
            "utf32" => self.kind = SegmentKind::Utf { width: 32 },
            "little" => self.little = true,
            // Little-endian, as on every machine on which OTP commonly runs.
            "native" => self.little = cfg!(target_endian = "little"),
            "big" | "signed" | "unsigned" => {}
            _ => return None,
        }
        Some(())
    }

    pub(super) fn set_unit(&mut self, unit: usize) -> Option<()> {
        self.unit = Some(unit).filter(|unit| (1..=256).contains(unit));
        self.unit.map(drop)
    }

    /// Returns its length. The arguments are its default size and unit.
    pub(super) fn bits(&self, size: usize, unit: usize) -> Option<usize> {
        let size = self.size.unwrap_or(size);
        let unit = self.unit.unwrap_or(unit);
        size.checked_mul(unit).filter(|bits| *bits <= MAX_BITS)
    }
}
