//! Parses the engine's log.

/// The progress of a target's run, according to its log.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct FuzzProgress {
    pub(super) executions: u64,
    /// The number of edges of the program that were taken.
    pub(super) reached: u64,
    /// The number of edges in the program.
    pub(super) edges: u64,
    /// The number of inputs in the corpus.
    pub(super) kept: u64,
}

/// Parses a log, complete or not.
pub(super) fn progress(log: &str) -> FuzzProgress {
    let mut progress = FuzzProgress::default();
    for line in log.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        if let Some(number) = line.strip_prefix("stat::number_of_executed_units:") {
            progress.executions = number.trim().parse().unwrap_or(progress.executions);
        } else if line.starts_with("INFO: Loaded") && line.contains("PC tables") {
            let edges = line
                .split_once('(')
                .and_then(|(_, rest)| rest.split(' ').next());
            progress.edges = edges.and_then(|edges| edges.parse().ok()).unwrap_or(0);
        } else if let Some(number) = line.strip_prefix('#') {
            let digits = number.split(|c: char| !c.is_ascii_digit()).next();
            let executions = digits.and_then(|digits| digits.parse().ok());
            progress.executions = executions.unwrap_or(progress.executions);
            progress.reached = after(&words, "cov:").unwrap_or(progress.reached);
            progress.kept = after(&words, "corp:").unwrap_or(progress.kept);
        }
    }
    progress
}

/// Returns the number in the word after `name`: `12` of `corp: 12/3b`.
fn after(words: &[&str], name: &str) -> Option<u64> {
    let at = words.iter().position(|word| *word == name)?;
    words.get(at + 1)?.split('/').next()?.parse().ok()
}

/// Returns the reason of the target's end: the panic's place and message, or the engine's message.
pub(super) fn reason(log: &str) -> String {
    let lines: Vec<&str> = log.lines().collect();
    if let Some(at) = lines.iter().position(|line| line.contains("panicked at ")) {
        let place = lines[at]
            .split_once("panicked at ")
            .map_or("", |(_, place)| place);
        let message = lines.get(at + 1).copied().unwrap_or_default();
        let more = lines.get(at + 2..at + 4).unwrap_or_default();
        let more = more.iter().filter(|line| line.starts_with("  "));
        let message = more.fold(message.to_owned(), |text, line| text + " " + line.trim());
        let message: String = message.chars().take(LONGEST).collect();
        return format!("{} {message}", place.trim());
    }
    let engine = lines.iter().find(|line| line.contains("ERROR: libFuzzer:"));
    let engine = engine.and_then(|line| line.split_once("libFuzzer: "));
    let last = lines.last().copied().unwrap_or("it ended");
    engine.map_or(last, |(_, text)| text).to_owned()
}

/// The maximum length of a message.
const LONGEST: usize = 400;

#[cfg(test)]
mod tests {
    use super::*;

    const LOG: &str = "\
INFO: Loaded 1 modules   (113 inline 8-bit counters): 113 [0x562b, 0x5630),
INFO: Loaded 1 PC tables (113 PCs): 113 [0x562bf35ad480,0x562bf35adb90),
#2\tINITED cov: 7 ft: 7 corp: 1/1b exec/s: 0 rss: 27Mb
#8388608\tpulse  cov: 8 ft: 8 corp: 2/4b lim: 4096 exec/s: 4194304 rss: 27Mb
";

    #[test]
    fn a_log_says_how_far_a_run_is() {
        let expected = FuzzProgress {
            executions: 8_388_608,
            reached: 8,
            edges: 113,
            kept: 2,
        };
        assert_eq!(progress(LOG), expected);
        let ended = format!("{LOG}stat::number_of_executed_units: 9000000\n");
        assert_eq!(progress(&ended).executions, 9_000_000);
        assert_eq!(progress(""), FuzzProgress::default());
    }

    #[test]
    fn a_finding_has_a_reason() {
        let panic = "thread '<unnamed>' panicked at src/bin/x.rs:5:1:\nassertion failed\n  left: 1\n right: 2\n";
        assert_eq!(reason(panic), "src/bin/x.rs:5:1: assertion failed left: 1");
        let timeout = "==12== ERROR: libFuzzer: timeout after 12 seconds\n";
        assert_eq!(reason(timeout), "timeout after 12 seconds");
    }
}
