//! One table of all releases, as in docs/platforms.md.

use super::outcome::Line;

/// The results of one release.
pub(super) struct Column<'a> {
    pub(super) version: &'a str,
    pub(super) lines: &'a [Line],
}

/// Returns a table in Markdown, with a row for each test and one for the total.
pub(super) fn table(columns: &[Column<'_>]) -> String {
    let row = |first: &str, cells: Vec<String>| format!("| {first} | {} |\n", cells.join(" | "));
    let heads = columns
        .iter()
        .map(|column| format!("OTP {}", column.version));
    let mut text = row("test", heads.collect());
    text += &format!("|---{}|\n", "|---".repeat(columns.len()));
    let first = columns.first().map_or(&[][..], |column| column.lines);
    let mut tests: Vec<&str> = first.iter().map(Line::test).collect();
    tests.dedup();
    for test in tests {
        let of =
            |column: &Column<'_>| count(column.lines.iter().filter(|line| line.test() == test));
        text += &row(&format!("`{test}`"), columns.iter().map(of).collect());
    }
    let all = |column: &Column<'_>| count(column.lines.iter());
    text + &row("all", columns.iter().map(all).collect())
}

/// Counts the tests that passed, failed and were left out. Omits counts of zero.
fn count<'a>(lines: impl Iterator<Item = &'a Line>) -> String {
    let (mut passed, mut failed, mut left_out) = (0, 0, 0);
    for line in lines {
        passed += u32::from(line.is_success());
        failed += u32::from(line.is_failure());
        left_out += u32::from(line.is_left_out());
    }
    let parts = [
        format!("{passed} passed"),
        format!("{failed} failed"),
        format!("{left_out} left out"),
    ];
    let said = parts.into_iter().zip([true, failed > 0, left_out > 0]);
    let said: Vec<String> = said.filter(|(_, is)| *is).map(|(part, _)| part).collect();
    said.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matrix::outcome::lines;

    #[test]
    fn a_table_has_a_row_for_each_test_and_one_for_all() {
        let both = |failed: &str| {
            let live = format!("test a ... ok\ntest b ... {failed}\n");
            let terms = "test c ... ok\ntest d ... ignored\n";
            [lines("live", &live, true), lines("terms", terms, true)].concat()
        };
        let (old, new) = (both("ok"), both("FAILED"));
        let column = |version, lines| Column { version, lines };
        assert_eq!(
            table(&[column("27.1", &old), column("29.0", &new)]),
            "| test | OTP 27.1 | OTP 29.0 |\n\
             |---|---|---|\n\
             | `live` | 2 passed | 1 passed, 1 failed |\n\
             | `terms` | 1 passed, 1 left out | 1 passed, 1 left out |\n\
             | all | 3 passed, 1 left out | 2 passed, 1 failed, 1 left out |\n"
        );
    }
}
