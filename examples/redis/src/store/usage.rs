//! Usage of a key in 32 bits: the time of the last use (LRU), or a counter of uses (LFU).
//!
//! LRU stores seconds, with 0 as the highest bit. LFU stores
//! `1 | minutes: 16 bits … | counter: 8 bits`, where the counter is logarithmic and decays, as in
//! Redis.

/// Added to the stamp of a new key.
pub(super) const NEW: u32 = 0;
/// Flag: the stamp counts uses.
const COUNTS: u32 = 1 << 31;
/// Initial value of a counter.
const FIRST: u32 = 5;

/// Returns the stamp of a time.
#[must_use]
pub fn stamp(now: u64, counts: bool) -> u32 {
    let seconds = u32::try_from((now / 1000) & 0x7fff_ffff).unwrap_or_default();
    match counts {
        false => seconds,
        true => COUNTS | ((now / 60_000) as u16 as u32) << 8 | FIRST,
    }
}

/// Returns the new stamp of a key that is used now.
pub(super) fn used(before: u32, now: u32) -> u32 {
    if now & COUNTS == 0 || before & COUNTS == 0 {
        return now;
    }
    let counter = decayed(before, now);
    let base = counter.saturating_sub(FIRST);
    let grows = fastrand::u32(..=base * 10) == 0 && counter < 255;
    (now & !0xff) | (counter + u32::from(grows))
}

/// Returns a key's counter after its decay by the minutes without a use.
#[must_use]
pub fn decayed(used: u32, now: u32) -> u32 {
    let minutes = |stamp: u32| (stamp >> 8) as u16;
    let idle = minutes(now).wrapping_sub(minutes(used));
    (used & 0xff).saturating_sub(u32::from(idle))
}

/// Returns the seconds since the last use.
#[must_use]
pub fn idle(used: u32, now: u32) -> u32 {
    match used & COUNTS {
        0 => (now & !COUNTS).saturating_sub(used),
        _ => 0,
    }
}

/// Returns the stamp of a key that was last used a number of seconds before this stamp.
#[must_use]
pub fn idle_for(now: u32, seconds: u32) -> u32 {
    now.saturating_sub(seconds)
}

/// Returns a stamp with another counter, which has at most 8 bits.
#[must_use]
pub fn counted(now: u32, uses: u32) -> u32 {
    (now & !0xff) | uses.min(0xff)
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
