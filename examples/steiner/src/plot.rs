//! Draws the ticks as text.

use std::fmt::Write as _;
use std::time::Duration;

use crate::experiment::Round;

/// Powers of ten on the axis, which goes from 0.001 to 10,000 ms.
const DECADES: usize = 7;
/// Columns for each power of ten.
const COLUMNS: usize = 9;

/// Returns a duration in milliseconds.
#[must_use]
pub fn milliseconds(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1_000.0
}

/// Returns a table of all rounds, and for each one a line with a mark for every tick.
#[must_use]
pub fn summary(rounds: &[Round]) -> String {
    let mut text = String::from("\nlate by (ms)     median      worst      trees\n");
    for round in rounds {
        let mut late = round.late.clone();
        late.sort_unstable();
        let median = late.get(late.len() / 2).copied().unwrap_or_default();
        let worst = late.last().copied().unwrap_or_default();
        let (median, worst) = (milliseconds(median), milliseconds(worst));
        let (name, trees) = (round.name, round.solved);
        // Writing to a `String` cannot fail.
        let _ = writeln!(text, "{name:<12} {median:>10.3} {worst:>10.3} {trees:>10}");
    }
    text.push('\n');
    for round in rounds {
        let _ = writeln!(text, "{:<12} {}", round.name, marks(&round.late));
    }
    let _ = write!(text, "{:<12} {}", "", axis());
    text
}

/// Returns the column of a delay on the logarithmic axis.
fn column(late: Duration) -> usize {
    let decades = milliseconds(late).max(0.001).log10() + 3.0;
    let column = (decades * COLUMNS as f64) as usize;
    column.min(DECADES * COLUMNS)
}

/// Returns the marks of a line. One to nine ticks in a column are a digit; more are `+`.
fn marks(late: &[Duration]) -> String {
    let mut counts = [0_u32; DECADES * COLUMNS + 1];
    for &late in late {
        counts[column(late)] += 1;
    }
    let mark = |&count: &u32| match count {
        0 => '·',
        _ => char::from_digit(count, 10).unwrap_or('+'),
    };
    counts.iter().map(mark).collect()
}

fn axis() -> String {
    let ends = (0..=DECADES).map(|decade| 10_f64.powf(decade as f64 - 3.0).to_string());
    ends.map(|end| format!("{end:<COLUMNS$}"))
        .collect::<String>()
        + "ms"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_stand_above_their_delay() {
        let of = |late: &[u64]| {
            marks(
                &late
                    .iter()
                    .map(|&it| Duration::from_micros(it))
                    .collect::<Vec<_>>(),
            )
        };
        let drawn = of(&[0, 1, 1_000, 99_999_999]);
        let marked: Vec<_> = drawn
            .chars()
            .enumerate()
            .filter(|(_, mark)| *mark != '·')
            .collect();
        assert_eq!(
            marked,
            [(0, '2'), (3 * COLUMNS, '1'), (DECADES * COLUMNS, '1')]
        );
        assert_eq!(of(&[1; 12]).chars().next(), Some('+'));
        let one = axis().find(" 1 ").map(|place| place + 1);
        assert_eq!(one, Some(3 * COLUMNS));
    }
}
