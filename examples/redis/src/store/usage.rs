//! How much a key is used: by when (LRU) or how often (LFU), in 32 bits.
//!
//! LRU: seconds, and the highest bit is 0. LFU: `1 | minutes: 16 bits … | counter: 8 bits`, a
//! counter of logarithms that decays, as Redis has it.

/// What is added to the stamp of a new key.
pub(super) const NEW: u32 = 0;
/// The stamp counts uses.
const COUNTS: u32 = 1 << 31;
/// Where a counter begins.
const FIRST: u32 = 5;

/// The stamp of a moment.
#[must_use]
pub fn stamp(now: u64, counts: bool) -> u32 {
    let seconds = u32::try_from((now / 1000) & 0x7fff_ffff).unwrap_or_default();
    match counts {
        false => seconds,
        true => COUNTS | ((now / 60_000) as u16 as u32) << 8 | FIRST,
    }
}

/// The stamp of a key that had one and is used now.
pub(super) fn used(before: u32, now: u32) -> u32 {
    if now & COUNTS == 0 || before & COUNTS == 0 {
        return now;
    }
    let counter = decayed(before, now);
    let base = counter.saturating_sub(FIRST);
    let grows = fastrand::u32(..=base * 10) == 0 && counter < 255;
    (now & !0xff) | (counter + u32::from(grows))
}

/// The counter of a key, less the minutes without a use.
#[must_use]
pub fn decayed(used: u32, now: u32) -> u32 {
    let minutes = |stamp: u32| (stamp >> 8) as u16;
    let idle = minutes(now).wrapping_sub(minutes(used));
    (used & 0xff).saturating_sub(u32::from(idle))
}

/// Seconds since the last use.
#[must_use]
pub fn idle(used: u32, now: u32) -> u32 {
    match used & COUNTS {
        0 => (now & !COUNTS).saturating_sub(used),
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_that_is_used_often_counts_more_and_forgets() {
        let now = stamp(60_000 * 100, true);
        let mut often = now;
        for _ in 0..1000 {
            often = used(often, now);
        }
        assert!(often & 0xff > 10, "{}", often & 0xff);
        let later = stamp(60_000 * 400, true);
        assert_eq!(decayed(often, later), 0);
    }
}
