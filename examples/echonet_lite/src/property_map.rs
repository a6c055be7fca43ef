//! Property maps: the properties that an object has, in the two encodings of the specification.
//!
//! Up to 15 properties are listed after their number. From 16 properties on, there are 16 bytes of
//! bits instead: byte `n` has the codes that end with `n`, and its bit `m` is the code that begins
//! with `8 + m`.

/// A set of property codes (0x80 to 0xFF).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PropertyMap(u128);

impl PropertyMap {
    /// Adds a code. Codes below 0x80 are ignored, because they are not properties.
    pub fn insert(&mut self, epc: u8) {
        if let Some(bit) = epc.checked_sub(0x80) {
            self.0 |= 1 << bit;
        }
    }

    /// Returns whether the map has a code.
    #[must_use]
    pub fn contains(&self, epc: u8) -> bool {
        epc.checked_sub(0x80)
            .is_some_and(|bit| self.0 >> bit & 1 == 1)
    }

    /// Returns the number of codes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.count_ones() as usize
    }

    /// Returns whether the map is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0 == 0
    }

    /// Iterates over the codes in order.
    pub fn iter(&self) -> impl Iterator<Item = u8> + use<> {
        let map = *self;
        (0x80..=0xFF).filter(move |epc| map.contains(*epc))
    }

    /// Appends the value of the property 0x9D, 0x9E or 0x9F.
    pub fn write(&self, out: &mut Vec<u8>) {
        // There are at most 128 codes.
        out.push(self.len() as u8);
        if self.len() < 16 {
            out.extend(self.iter());
            return;
        }
        for low in 0..16 {
            let has = |high: u8| self.contains(0x80 + (high << 4) + low);
            out.push((0..8).filter(|high| has(*high)).map(|high| 1 << high).sum());
        }
    }

    /// Decodes a map. Devices miscount, and pad with zeros. So the number only decides between the
    /// two encodings, and not even that if the codes contradict it.
    #[must_use]
    pub fn read(edt: &[u8]) -> Option<Self> {
        let (&count, codes) = edt.split_first()?;
        let end = codes
            .iter()
            .rposition(|epc| *epc != 0)
            .map_or(0, |it| it + 1);
        let is_list = codes[..end].iter().all(|epc| *epc >= 0x80);
        match <&[u8; 16]>::try_from(codes) {
            Ok(bits) if count >= 16 || !is_list => Some(PropertyMap::of_bits(bits)),
            _ if is_list => Some(codes[..end].iter().copied().collect()),
            _ => None,
        }
    }

    fn of_bits(bits: &[u8; 16]) -> Self {
        let mut map = PropertyMap::default();
        for (low, byte) in (0..16).zip(bits) {
            let highs = (0..8).filter(|high| byte >> high & 1 == 1);
            highs.for_each(|high| map.insert(0x80 + (high << 4) + low));
        }
        map
    }
}

impl FromIterator<u8> for PropertyMap {
    fn from_iter<I: IntoIterator<Item = u8>>(codes: I) -> Self {
        let mut map = PropertyMap::default();
        codes.into_iter().for_each(|epc| map.insert(epc));
        map
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_codings_are_read_again() {
        let mut random = fastrand::Rng::with_seed(1);
        for count in 0..=128 {
            let mut codes: Vec<u8> = (0x80..=0xFF).collect();
            random.shuffle(&mut codes);
            let map: PropertyMap = codes.into_iter().take(count).collect();
            let mut edt = Vec::new();
            map.write(&mut edt);
            assert_eq!(edt.len(), if count < 16 { 1 + count } else { 17 });
            assert_eq!(PropertyMap::read(&edt), Some(map));
        }
    }

    #[test]
    fn the_bits_are_where_the_specification_has_them() {
        let map: PropertyMap = (0x80..0x90).chain([0x9F, 0xFF]).collect();
        let mut edt = Vec::new();
        map.write(&mut edt);
        let mut expected = [1; 17];
        expected[0] = 18;
        expected[16] = 0b1000_0011;
        assert_eq!(edt, expected);
    }

    #[test]
    fn a_map_with_a_wrong_number_or_with_zeros_behind_it_is_read() {
        let map = |codes: &[u8]| Some(codes.iter().copied().collect::<PropertyMap>());
        let list = map(&[0x80, 0xB0]);
        for edt in [
            &[2, 0x80, 0xB0][..],
            &[3, 0x80, 0xB0],
            &[1, 0x80, 0xB0],
            &[3, 0x80, 0x80, 0xB0],
            &[2, 0x80, 0xB0, 0, 0],
            &[2, 0x80, 0xB0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
        ] {
            assert_eq!(PropertyMap::read(edt), list, "{edt:?}");
        }
        let mut bits = [1; 17];
        for count in [16, 17, 3, 255] {
            bits[0] = count;
            assert_eq!(
                PropertyMap::read(&bits).map(|it| it.len()),
                Some(16),
                "{count}"
            );
        }
        let seventeen: Vec<u8> = [17].into_iter().chain(0x80..=0x90).collect();
        assert_eq!(PropertyMap::read(&seventeen), map(&seventeen[1..]));
        assert_eq!(PropertyMap::read(&[0]), map(&[]));
    }

    #[test]
    fn what_is_not_a_map_is_refused() {
        for edt in [&[][..], &[1, 0x7F], &[2, 0x80, 0x31], &[17; 18]] {
            assert_eq!(PropertyMap::read(edt), None, "{edt:?}");
        }
    }
}
