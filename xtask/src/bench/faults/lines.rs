//! Counts the lines of code of a program.

use std::fs;
use std::path::Path;

use super::scenarios::Scenario;
use crate::step::Outcome;

/// Counts the lines of a contestant's program for a scenario.
pub(super) fn of(scenario: &Scenario, contestant: &str) -> Outcome<usize> {
    Ok(code(&read(&scenario.file(contestant))?))
}

fn read(file: &Path) -> Outcome<String> {
    fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))
}

/// Counts the lines up to the tests, without blank lines and comment lines. The programs have no
/// block comments and no strings of several lines.
fn code(text: &str) -> usize {
    let program = text.split("#[cfg(test)]").next().unwrap_or(text);
    let lines = program.lines().map(str::trim);
    lines
        .filter(|line| !line.is_empty() && !line.starts_with("//"))
        .count()
}

#[cfg(test)]
mod tests {
    use super::super::scenarios::{CONTESTANTS, SCENARIOS};
    use super::*;

    #[test]
    fn comments_blank_lines_and_tests_are_not_code() {
        let text = "//! About.\n\nuse a::b; // counts\n\n/// Says.\nfn c() {\n    // why\n    d()\n}\n\n#[cfg(test)]\nmod tests {}\n";
        assert_eq!(code(text), 4);
    }

    #[test]
    fn the_programs_are_such_that_lines_can_be_counted() {
        for scenario in SCENARIOS {
            for contestant in CONTESTANTS.iter().filter(|it| scenario.has(it)) {
                let text = read(&scenario.file(contestant)).unwrap();
                assert!(!text.contains("/*"), "{contestant} {}", scenario.name);
                assert!(
                    of(scenario, contestant).unwrap() > 10,
                    "{contestant} {}",
                    scenario.name
                );
            }
        }
    }
}
