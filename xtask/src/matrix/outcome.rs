//! Parses the output of a test binary.

use std::fmt;

/// A test and its result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Line {
    test: String,
    name: String,
    ended: String,
}

impl Line {
    pub(super) fn skipped(test: &str, name: &str, reason: &str) -> Self {
        Self {
            test: test.to_owned(),
            name: name.to_owned(),
            ended: format!("ignored, {reason}"),
        }
    }

    /// Returns the name of the test binary.
    pub(super) fn test(&self) -> &str {
        &self.test
    }

    pub(super) fn is_success(&self) -> bool {
        self.ended == "ok"
    }

    pub(super) fn is_left_out(&self) -> bool {
        self.ended.starts_with("ignored")
    }

    pub(super) fn is_failure(&self) -> bool {
        !self.is_success() && !self.is_left_out()
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:<12} {} ... {}", self.test, self.name, self.ended)
    }
}

/// Returns the lines `test NAME ... ENDED` of libtest's output. A failed run without such lines
/// also becomes a line.
pub(super) fn lines(test: &str, printed: &str, succeeded: bool) -> Vec<Line> {
    let line = |name: &str, ended: &str| Line {
        test: test.to_owned(),
        name: name.to_owned(),
        ended: ended.to_owned(),
    };
    let told = printed.lines().filter_map(|text| {
        let (name, ended) = text.strip_prefix("test ")?.rsplit_once(" ... ")?;
        Some(line(name, ended))
    });
    let mut lines: Vec<Line> = told.collect();
    if !succeeded && !lines.iter().any(Line::is_failure) {
        lines.push(line("(all)", "not run to its end"));
    } else if lines.is_empty() {
        lines.push(line("(all)", "no test was run"));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_test_is_a_line() {
        let printed = "running 3 tests\ntest a ... ok\ntest b ... FAILED\ntest c ... ignored, slow\n\
                    \nfailures:\ntest result: FAILED. 1 passed; 1 failed\n";
        let lines = lines("live", printed, false);
        let shown: Vec<_> = lines.iter().map(Line::to_string).collect();
        assert_eq!(shown[0], "live         a ... ok");
        assert_eq!(shown.len(), 3);
        let failures: Vec<_> = lines.iter().map(Line::is_failure).collect();
        assert_eq!(failures, [false, true, false]);
    }

    #[test]
    fn a_run_without_tests_is_a_failure() {
        for (printed, succeeded) in [("", false), ("test a ... ok\n", false), ("", true)] {
            let lines = lines("live", printed, succeeded);
            assert!(lines.iter().any(Line::is_failure), "{printed}");
        }
        assert!(!lines("live", "test a ... ok\n", true)[0].is_failure());
    }
}
