//! Formatting functions for the templates.

/// Formats a day and a time in UTC: `2026-11-24 19:34`.
pub(super) fn time(milliseconds: u64) -> String {
    let (minutes, days) = (milliseconds / 60_000 % 1_440, milliseconds / 86_400_000);
    let (year, month, day) = date(days);
    let (hour, minute) = (minutes / 60, minutes % 60);
    format!("{year}-{month:02}-{day:02} {hour:02}:{minute:02}")
}

/// Returns the date of a day since 1970. The calculation uses years that begin in March, so that
/// the leap day is the last day.
fn date(days: u64) -> (u64, u64, u64) {
    let days = days + 719_468;
    let (era, of_era) = (days / 146_097, days % 146_097);
    let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (era * 400 + year + u64::from(month <= 2), month, day)
}

/// Returns one of eight colours for a name.
pub(super) fn colour(name: &str) -> u32 {
    name.bytes().fold(7, |sum: u32, byte| {
        sum.wrapping_mul(31).wrapping_add(byte.into())
    }) % 8
}

/// Returns the first letter of a name.
pub(super) fn initial(name: &str) -> String {
    name.chars().take(1).flat_map(char::to_uppercase).collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn days_have_their_dates() {
        let days = [
            (0, "1970-01-01"),
            (951_782_400, "2000-02-29"),
            (1_735_689_599, "2024-12-31"),
        ];
        for (seconds, date) in days {
            assert!(super::time(seconds * 1000).starts_with(date), "{seconds}");
        }
    }
}
