//! Slots: the units in which keys are divided among nodes.

/// Number of slots.
pub const SLOTS: usize = 16_384;

/// Index of a slot's node.
pub(super) type Owner = Option<usize>;

/// Returns the slot of a key. If the key has a part in braces, only that part counts.
#[must_use]
pub fn slot_of(key: &[u8]) -> usize {
    let begin = key.iter().position(|byte| *byte == b'{').map(|at| at + 1);
    let tag = begin.and_then(|begin| {
        let length = key[begin..].iter().position(|byte| *byte == b'}')?;
        (length > 0).then(|| &key[begin..begin + length])
    });
    usize::from(checksum(tag.unwrap_or(key))) % SLOTS
}

/// Computes the CRC-16 of XMODEM.
fn checksum(bytes: &[u8]) -> u16 {
    bytes.iter().fold(0, |crc, byte| {
        let [high, low] = crc.to_be_bytes();
        OF_BYTES[usize::from(high ^ byte)] ^ u16::from(low) << 8
    })
}

/// The checksum's change for each byte.
static OF_BYTES: [u16; 256] = {
    const POLYNOMIAL: u16 = 0x1021;
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < table.len() {
        let mut crc = (byte as u16) << 8;
        let mut bit = 0;
        while bit < 8 {
            let carry = crc & 0x8000 != 0;
            crc = if carry {
                crc << 1 ^ POLYNOMIAL
            } else {
                crc << 1
            };
            bit += 1;
        }
        table[byte] = crc;
        byte += 1;
    }
    table
};

/// Returns the slots of a node as ranges.
pub(super) fn ranges(owners: &[Owner], at: usize) -> Vec<(usize, usize)> {
    let mut found: Vec<(usize, usize)> = Vec::new();
    for (slot, _) in owners.iter().enumerate().filter(|(_, it)| **it == Some(at)) {
        match found.last_mut() {
            Some((_, last)) if *last + 1 == slot => *last = slot,
            _ => found.push((slot, slot)),
        }
    }
    found
}

/// Formats ranges.
pub(super) fn write_ranges(ranges: &[(usize, usize)], between: &str) -> String {
    let range = |(first, last): &(usize, usize)| match first == last {
        true => first.to_string(),
        false => format!("{first}-{last}"),
    };
    let all: Vec<String> = ranges.iter().map(range).collect();
    all.join(between)
}

/// Parses ranges such as `0-100,7,200-300`.
#[must_use]
pub fn read_ranges(text: &str) -> Option<Vec<(u16, u16)>> {
    let range = |text: &str| {
        let (first, last) = text.split_once('-').unwrap_or((text, text));
        let (first, last) = (first.parse().ok()?, last.parse().ok()?);
        (first <= last && usize::from(last) < SLOTS).then_some((first, last))
    };
    text.split(',').map(range).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_with_the_same_tag_have_the_same_slot() {
        assert_eq!(checksum(b"123456789"), 0x31c3);
        assert_eq!(slot_of(b"foo"), 12_182);
        assert_eq!(slot_of(b"{foo}.a"), slot_of(b"foo"));
        assert_eq!(slot_of(b"x{foo}{bar}"), slot_of(b"foo"));
        assert_ne!(slot_of(b"{}foo"), slot_of(b"foo"));
    }

    #[test]
    fn ranges_are_read() {
        assert_eq!(read_ranges("0-2,7"), Some(vec![(0, 2), (7, 7)]));
        assert_eq!(read_ranges("2-0"), None);
        assert_eq!(read_ranges("0-16384"), None);
    }
}
