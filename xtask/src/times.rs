//! Measures the time of a check's steps.
//!
//! Steps that run in parallel belong to two processes of this program, so both write their times
//! into one file.

use std::fmt;
use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use crate::folders::target;

/// The number of commands in the report.
const LONGEST: usize = 10;
/// The unit of the system's processor times. Linux always counts a hundred ticks a second.
const TICK: Duration = Duration::from_millis(10);

#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum TimedKind {
    Step,
    Command,
}

/// The elapsed time of a step or command, and the processor time of the programs that it waited
/// for. On a shared machine, only the processor time can be compared.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Took {
    wall: Duration,
    processor: Option<Duration>,
}

impl fmt::Display for Took {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.0} s", self.wall.as_secs_f64())?;
        match self.processor {
            Some(processor) => write!(f, ", {:.0} s of a core", processor.as_secs_f64()),
            None => Ok(()),
        }
    }
}

fn file() -> PathBuf {
    target().join("times.txt")
}

/// Deletes the times of an earlier check.
pub(crate) fn begin() {
    let _ = fs::remove_file(file());
}

/// Runs a function and records its time.
pub(crate) fn of(
    kind: TimedKind,
    name: &str,
    work: impl FnOnce() -> Result<(), String>,
) -> Result<Took, String> {
    let (begun, before) = (Instant::now(), of_children());
    work()?;
    let took = Took {
        wall: begun.elapsed(),
        processor: of_children().zip(before).map(|(now, before)| now - before),
    };
    // A failure is ignored because no later step needs the record.
    let _ = keep(&line(kind, name, took));
    Ok(took)
}

fn keep(line: &str) -> std::io::Result<()> {
    fs::create_dir_all(target())?;
    let mut file = OpenOptions::new().create(true).append(true).open(file())?;
    // Uses one write, so that the lines of two processes do not mix.
    file.write_all(line.as_bytes())
}

fn line(kind: TimedKind, name: &str, took: Took) -> String {
    let processor = took.processor.map(|it| it.as_millis().to_string());
    let processor = processor.unwrap_or_default();
    let name = name.replace(['\t', '\n'], " ");
    format!("{kind:?}\t{}\t{processor}\t{name}\n", took.wall.as_millis())
}

fn read(line: &str) -> Option<(TimedKind, Took, String)> {
    let mut words = line.splitn(4, '\t');
    let kind = match words.next()? {
        "Step" => TimedKind::Step,
        "Command" => TimedKind::Command,
        _ => return None,
    };
    let wall = Duration::from_millis(words.next()?.parse().ok()?);
    let processor = words.next()?.parse().ok().map(Duration::from_millis);
    Some((kind, Took { wall, processor }, words.next()?.to_owned()))
}

/// Returns the steps, and the longest of their commands.
pub(crate) fn report() -> String {
    let text = fs::read_to_string(file()).unwrap_or_default();
    report_of(&text)
}

fn report_of(text: &str) -> String {
    let all: Vec<_> = text.lines().filter_map(read).collect();
    let of = |kind: TimedKind| {
        let mut of: Vec<_> = all.iter().filter(|(it, ..)| *it == kind).collect();
        of.sort_by_key(|(_, took, _)| std::cmp::Reverse(took.processor.unwrap_or(took.wall)));
        of
    };
    let mut report = "\nWhere the time went:\n".to_owned();
    for (_, took, name) in of(TimedKind::Step) {
        report += &format!("  {name}: {took}\n");
    }
    report += &format!("The {LONGEST} longest commands:\n");
    for (_, took, name) in of(TimedKind::Command).into_iter().take(LONGEST) {
        report += &format!("  {took}: {name}\n");
    }
    report
}

/// Returns the processor time of all child processes that this process has waited for, if the
/// system reports it.
fn of_children() -> Option<Duration> {
    of_stat(&fs::read_to_string("/proc/self/stat").ok()?)
}

/// Returns `cutime` and `cstime` of `proc(5)`: the fourteenth and fifteenth word after the name,
/// which may contain blanks.
fn of_stat(stat: &str) -> Option<Duration> {
    let (_, words) = stat.rsplit_once(") ")?;
    let mut words = words.split(' ').skip(13);
    let mut ticks = || words.next()?.parse::<u32>().ok();
    Some(TICK * ticks()?.checked_add(ticks()?)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_report_begins_with_what_took_longest() {
        let took = |wall, processor| Took {
            wall: Duration::from_secs(wall),
            processor: Some(Duration::from_secs(processor)),
        };
        let mut text = line(TimedKind::Step, "format", took(1, 1));
        text += &line(TimedKind::Step, "lints", took(9, 16));
        for number in 0..12 {
            text += &line(
                TimedKind::Command,
                &format!("cargo {number}"),
                took(20, number),
            );
        }
        let report = report_of(&text);
        let lines: Vec<&str> = report.lines().collect();
        assert_eq!(lines[2], "  lints: 9 s, 16 s of a core");
        assert_eq!(lines[3], "  format: 1 s, 1 s of a core");
        assert_eq!(lines[5], "  20 s, 11 s of a core: cargo 11");
        assert_eq!(lines.len(), 5 + LONGEST);
    }

    #[test]
    fn the_time_of_programs_is_known() {
        let stat = "12 (a b) c) S 1 2 3 4 5 6 7 8 9 10 11 12 250 50 20 0";
        assert_eq!(of_stat(stat), Some(Duration::from_secs(3)));
        assert_eq!(of_stat(""), None);
    }
}
