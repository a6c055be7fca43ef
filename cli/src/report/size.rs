//! Numbers of bytes for people.

/// Returns a number of bytes in cargo's format.
pub(crate) fn size(bytes: u64) -> String {
    let units = ["KiB", "MiB", "GiB"];
    if bytes < 1024 {
        return format!("{bytes}B");
    }
    let mut amount = bytes as f64 / 1024.0;
    let mut unit = units[0];
    for larger in &units[1..] {
        if amount >= 1024.0 {
            (amount, unit) = (amount / 1024.0, larger);
        }
    }
    format!("{amount:.1}{unit}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_size_has_one_digit_after_the_point() {
        for (bytes, text) in [
            (0, "0B"),
            (1023, "1023B"),
            (1536, "1.5KiB"),
            (5 << 20, "5.0MiB"),
            (3 << 40, "3072.0GiB"),
        ] {
            assert_eq!(size(bytes), text);
        }
    }
}
