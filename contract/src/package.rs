//! The mark in a library that identifies its package. It is needed because two checkouts of a
//! package that share a target folder write their libraries into one file.

/// The beginning of each mark.
const BEGINNING: &[u8; 16] = b"otp-rs package: ";

/// The hexadecimal digits at the end of a mark.
pub const DIGITS: usize = 16;

/// The bytes of a mark.
pub const MARK: usize = BEGINNING.len() + DIGITS;

/// Returns the mark of the package in a folder, as cargo names it (`CARGO_MANIFEST_DIR`). The mark
/// does not reveal the folder.
#[must_use]
pub const fn package_mark(folder: &str) -> [u8; MARK] {
    // FNV-1a is enough: there is no reason to forge a collision with one's own package.
    let (folder, mut hash) = (folder.as_bytes(), 0xcbf2_9ce4_8422_2325_u64);
    let mut at = 0;
    while at < folder.len() {
        hash = (hash ^ folder[at] as u64).wrapping_mul(0x0100_0000_01b3);
        at += 1;
    }
    let mut mark = [0; MARK];
    at = 0;
    while at < MARK {
        mark[at] = if at < BEGINNING.len() {
            BEGINNING[at]
        } else {
            let shift = 60 - 4 * (at - BEGINNING.len());
            b"0123456789abcdef"[(hash >> shift) as usize & 15]
        };
        at += 1;
    }
    mark
}

#[cfg(test)]
mod tests {
    use super::package_mark;

    #[test]
    fn a_mark_is_the_hash_of_the_folder() {
        assert_eq!(&package_mark(""), b"otp-rs package: cbf29ce484222325");
        assert_eq!(&package_mark("a"), b"otp-rs package: af63dc4c8601ec8c");
    }
}
