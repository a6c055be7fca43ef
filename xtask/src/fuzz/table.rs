//! The table at the end.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use super::log::FuzzProgress;
use super::shown;

/// An input that makes a target fail.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Finding {
    pub(super) reason: String,
    pub(super) program: PathBuf,
    pub(super) input: PathBuf,
}

impl fmt::Display for Finding {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (program, input) = (shown(&self.program), shown(&self.input));
        write!(formatter, "{}\n  {program} {input}\n", self.reason)
    }
}

/// The results of a target.
#[derive(Default)]
pub(super) struct FuzzRow {
    pub(super) target: &'static str,
    pub(super) executions: u64,
    pub(super) time: Duration,
    /// The state of its last process.
    pub(super) progress: FuzzProgress,
    pub(super) findings: Vec<Finding>,
    /// The executions of all runs on this machine.
    pub(super) total: u64,
}

pub(super) fn table(rows: &[FuzzRow]) -> String {
    let heads = [
        "target",
        "executions",
        "per second",
        "edges",
        "inputs",
        "findings",
        "executions in all",
    ];
    let mut text = line(heads.map(str::to_owned));
    for row in rows {
        let seconds = row.time.as_secs_f64().max(0.001);
        let FuzzProgress {
            reached,
            edges,
            kept,
            ..
        } = row.progress;
        text += &line([
            row.target.to_owned(),
            row.executions.to_string(),
            format!("{:.0}", row.executions as f64 / seconds),
            format!("{reached} of {edges}"),
            kept.to_string(),
            row.findings.len().to_string(),
            row.total.to_string(),
        ]);
    }
    text
}

fn line([target, executions, speed, edges, inputs, findings, total]: [String; 7]) -> String {
    format!(
        "{target:<10} {executions:>12} {speed:>11} {edges:>17} {inputs:>8} {findings:>9} {total:>18}\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_has_a_line_for_each_target() {
        let row = FuzzRow {
            target: "etf",
            executions: 3_000,
            time: Duration::from_secs(2),
            progress: FuzzProgress {
                executions: 3_000,
                reached: 70,
                edges: 500,
                kept: 12,
            },
            findings: Vec::new(),
            total: 9_000,
        };
        assert_eq!(
            table(&[row]),
            "target       executions  per second             edges   inputs  findings  executions in all\n\
             etf                3000        1500         70 of 500       12         0               9000\n"
        );
    }
}
