//! HyperLogLog in redis-server's representation, which GET and DUMP make visible.
//!
//! The string has `HYLL`, a byte that tells whether it is dense, three zeros, the last computed
//! cardinality (whose highest bit marks it as stale), and 16,384 registers. These are either six
//! bits each (dense), or run-length encoded (`00`: zeros, `01`: many zeros, `1`: values up to 32).

/// Number of registers.
pub const REGISTERS: usize = 1 << BITS;
const BITS: u32 = 14;
const HEAD: usize = 16;
const DENSE: usize = HEAD + REGISTERS * 6 / 8;
/// A longer run-length encoding is converted to the dense form, as in redis-server.
const MOST_SPARSE: usize = 3000;
/// Maximum value in a run-length encoding.
const MOST_VALUE: u8 = 32;

/// The values of the registers.
pub type Registers = Vec<u8>;

/// Returns an empty HyperLogLog.
#[must_use]
pub fn empty() -> Vec<u8> {
    let mut bytes = b"HYLL\x01\0\0\0\0\0\0\0\0\0\0\0".to_vec();
    bytes.extend_from_slice(&[0x7f, 0xff]);
    bytes[HEAD - 1] = 0x80;
    bytes
}

/// Returns whether a string can be a HyperLogLog.
#[must_use]
pub fn is_one(bytes: &[u8]) -> bool {
    bytes.len() >= HEAD
        && bytes.starts_with(b"HYLL")
        && bytes[4] <= 1
        && (bytes[4] == 1 || bytes.len() == DENSE)
}

fn is_dense(bytes: &[u8]) -> bool {
    bytes[4] == 0
}

/// Computes a hash of 64 bits: MurmurHash2 in the form of its author, for little-endian machines.
fn hash(bytes: &[u8]) -> u64 {
    const FACTOR: u64 = 0xc6a4_a793_5bd1_e995;
    const SHIFT: u32 = 47;
    const SEED: u64 = 0xadc8_3b19;
    let length = u64::try_from(bytes.len()).unwrap_or_default();
    let mut hash = SEED ^ length.wrapping_mul(FACTOR);
    let mut chunks = bytes.chunks_exact(8);
    for chunk in &mut chunks {
        let mut word = u64::from_le_bytes(chunk.try_into().unwrap_or_default());
        word = word.wrapping_mul(FACTOR);
        word ^= word >> SHIFT;
        word = word.wrapping_mul(FACTOR);
        hash = (hash ^ word).wrapping_mul(FACTOR);
    }
    let rest = chunks.remainder();
    if !rest.is_empty() {
        for (at, byte) in rest.iter().enumerate() {
            hash ^= u64::from(*byte) << (8 * at);
        }
        hash = hash.wrapping_mul(FACTOR);
    }
    hash ^= hash >> SHIFT;
    hash = hash.wrapping_mul(FACTOR);
    hash ^ hash >> SHIFT
}

/// Returns the register of an element, and the value for it.
fn register(element: &[u8]) -> (usize, u8) {
    let hash = hash(element);
    let register = usize::try_from(hash).unwrap_or_default() & (REGISTERS - 1);
    let rest = hash >> BITS | 1 << (64 - BITS);
    (
        register,
        u8::try_from(rest.trailing_zeros() + 1).unwrap_or(u8::MAX),
    )
}

/// Decodes the registers. Returns `None` if the string is not a HyperLogLog.
#[must_use]
pub fn registers(bytes: &[u8]) -> Option<Registers> {
    if !is_one(bytes) {
        return None;
    }
    let mut registers = vec![0; REGISTERS];
    if is_dense(bytes) {
        let packed = &bytes[HEAD..];
        for (at, register) in registers.iter_mut().enumerate() {
            let (byte, bit) = (at * 6 / 8, at * 6 % 8);
            let pair = u16::from(packed[byte])
                | u16::from(packed.get(byte + 1).copied().unwrap_or(0)) << 8;
            *register = u8::try_from(pair >> bit & 0x3f).unwrap_or_default();
        }
        return Some(registers);
    }
    let (mut at, mut runs) = (0, bytes[HEAD..].iter());
    while let Some(byte) = runs.next() {
        let (length, value) = match byte >> 6 {
            0 => (usize::from(byte & 0x3f) + 1, 0),
            1 => (
                usize::from(byte & 0x3f) << 8 | usize::from(*runs.next()?),
                0,
            ),
            _ => (usize::from(byte & 3) + 1, (byte >> 2 & 0x1f) + 1),
        };
        let length = length + usize::from(byte >> 6 == 1);
        registers.get_mut(at..at + length)?.fill(value);
        at += length;
    }
    (at == REGISTERS).then_some(registers)
}

fn dense(registers: &[u8]) -> Vec<u8> {
    let mut bytes = b"HYLL\x01\0\0\0\0\0\0\0\0\0\0\0".to_vec();
    bytes[4] = 0;
    bytes.resize(DENSE, 0);
    for (at, register) in registers.iter().enumerate() {
        let (byte, bit) = (HEAD + at * 6 / 8, at * 6 % 8);
        let pair = u16::from(*register) << bit;
        bytes[byte] |= pair.to_le_bytes()[0];
        if let Some(next) = bytes.get_mut(byte + 1) {
            *next |= pair.to_le_bytes()[1];
        }
    }
    bytes
}

fn sparse(registers: &[u8]) -> Vec<u8> {
    let mut bytes = b"HYLL\x01\0\0\0\0\0\0\0\0\0\0\0".to_vec();
    let mut at = 0;
    while at < registers.len() {
        let value = registers[at];
        let run = registers[at..]
            .iter()
            .take_while(|it| **it == value)
            .count();
        at += run;
        let mut left = run;
        while left > 0 {
            let byte = |it: usize| u8::try_from(it).unwrap_or_default();
            let length = match value {
                0 if left > 64 => {
                    let length = left.min(REGISTERS);
                    let [high, low] = u16::try_from(length - 1).unwrap_or_default().to_be_bytes();
                    bytes.extend([0x40 | high, low]);
                    length
                }
                0 => {
                    bytes.push(byte(left - 1));
                    left
                }
                _ => {
                    let length = left.min(4);
                    bytes.push(0x80 | (value - 1) << 2 | byte(length - 1));
                    length
                }
            };
            left -= length;
        }
    }
    bytes
}

/// Encodes registers as a string that replaces another one. If that was dense, the result is dense
/// as well.
#[must_use]
pub fn written(registers: &[u8], was_dense: bool, before: &[u8]) -> Vec<u8> {
    let is_high = registers.iter().any(|it| *it > MOST_VALUE);
    let mut bytes = match was_dense || is_high {
        true => dense(registers),
        false => sparse(registers),
    };
    if bytes[4] == 1 && bytes.len() - HEAD > MOST_SPARSE {
        bytes = dense(registers);
    }
    if let Some(count) = before.get(8..HEAD) {
        bytes[8..HEAD].copy_from_slice(count);
    }
    // The cached cardinality becomes stale.
    bytes[HEAD - 1] |= 0x80;
    bytes
}

/// Adds elements. Returns the new string if it differs.
#[must_use]
pub fn added(bytes: &[u8], elements: &[&[u8]]) -> Option<Option<Vec<u8>>> {
    let mut registers = registers(bytes)?;
    let mut has_changed = false;
    for element in elements {
        let (at, value) = register(element);
        if value > registers[at] {
            registers[at] = value;
            has_changed = true;
        }
    }
    Some(has_changed.then(|| written(&registers, is_dense(bytes), bytes)))
}

/// Returns whether the form is dense.
#[must_use]
pub fn has_all_registers(bytes: &[u8]) -> bool {
    is_dense(bytes)
}

/// Returns the cached cardinality, unless it is stale.
#[must_use]
pub fn known(bytes: &[u8]) -> Option<u64> {
    let count = bytes[8..HEAD].try_into().map(u64::from_le_bytes).ok()?;
    (count >> 63 == 0).then_some(count)
}

/// Caches a cardinality in the string.
pub fn keep(bytes: &mut [u8], count: u64) {
    bytes[8..HEAD].copy_from_slice(&count.to_le_bytes());
}

/// Estimates the number of different elements, with Ertl's improved estimator.
#[must_use]
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "it is rounded and positive"
)]
pub fn count(registers: &[u8]) -> u64 {
    /// 1 / (2 ln 2).
    const ALPHA: f64 = 0.721_347_520_444_481_7;
    const Q: usize = 64 - BITS as usize;
    let mut histogram = [0_u32; 64];
    for register in registers {
        histogram[usize::from(*register).min(63)] += 1;
    }
    let m = REGISTERS as f64;
    let mut z = m * tau((m - f64::from(histogram[Q + 1])) / m);
    for number in histogram[1..=Q].iter().rev() {
        z += f64::from(*number);
        z *= 0.5;
    }
    z += m * sigma(f64::from(histogram[0]) / m);
    (ALPHA * m * m / z).round() as u64
}

fn sigma(mut x: f64) -> f64 {
    if x == 1.0 {
        return f64::INFINITY;
    }
    let (mut y, mut z) = (1.0, x);
    loop {
        x *= x;
        let before = z;
        z += x * y;
        y += y;
        if before == z {
            return z;
        }
    }
}

fn tau(mut x: f64) -> f64 {
    if x == 0.0 || x == 1.0 {
        return 0.0;
    }
    let (mut y, mut z) = (1.0, 1.0 - x);
    loop {
        x = x.sqrt();
        let before = z;
        y *= 0.5;
        z -= (1.0 - x).powi(2) * y;
        if before == z {
            return z / 3.0;
        }
    }
}
