//! Marks in a library. That of its package is needed because two checkouts of a package that share
//! a target folder write their libraries into one file. That of the NIF interface can be read
//! without loading the library, which may be for another processor.

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

/// The beginning of each mark of the NIF interface.
pub const NIF: &[u8; 11] = b"otp-rs NIF ";

/// The bytes of a mark of the NIF interface.
pub const NIF_MARK: usize = NIF.len() + 5;

/// Returns the mark of a library for this version of the NIF interface: `otp-rs NIF 02.15`.
#[must_use]
pub const fn nif_mark(major: u8, minor: u8) -> [u8; NIF_MARK] {
    let mut mark = *b"otp-rs NIF 00.00";
    let at = NIF.len();
    mark[at] += major / 10 % 10;
    mark[at + 1] += major % 10;
    mark[at + 3] += minor / 10 % 10;
    mark[at + 4] += minor % 10;
    mark
}

/// Returns the version of the NIF interface in a mark at the beginning of these bytes: major and
/// minor.
#[must_use]
pub fn nif_version(bytes: &[u8]) -> Option<(u8, u8)> {
    let version = bytes.get(..NIF_MARK)?.strip_prefix(NIF)?;
    let (major, minor) = str::from_utf8(version).ok()?.split_once('.')?;
    Some((major.parse().ok()?, minor.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::{nif_mark, nif_version, package_mark};

    #[test]
    fn a_mark_has_the_version_of_the_nif_interface() {
        assert_eq!(&nif_mark(2, 15), b"otp-rs NIF 02.15");
        let bytes = [nif_mark(2, 17).as_slice(), b"..."].concat();
        assert_eq!(nif_version(&bytes), Some((2, 17)));
        for other in [b"otp-rs NIF ".as_slice(), b"otp-rs NIF xx.yy"] {
            assert_eq!(nif_version(other), None);
        }
    }

    #[test]
    fn a_mark_is_the_hash_of_the_folder() {
        assert_eq!(&package_mark(""), b"otp-rs package: cbf29ce484222325");
        assert_eq!(&package_mark("a"), b"otp-rs package: af63dc4c8601ec8c");
    }
}
