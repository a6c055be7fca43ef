//! Shows the progress of a benchmark.

use std::io::IsTerminal;
use std::time::{Duration, Instant};

use crate::step::say;

/// A status line that changes on a terminal. Without a terminal, it is printed at intervals.
pub(in crate::bench) struct Progress {
    all: usize,
    done: usize,
    begun: Instant,
    said: Instant,
    is_terminal: bool,
}

/// The interval between two lines without a terminal.
const PAUSE: Duration = Duration::from_secs(30);

impl Progress {
    pub(in crate::bench) fn of(all: usize) -> Self {
        Progress {
            all,
            done: 0,
            begun: Instant::now(),
            said: Instant::now(),
            is_terminal: std::io::stdout().is_terminal(),
        }
    }

    /// Reports the start of the next step.
    pub(in crate::bench) fn step(&mut self, what: &str) {
        let left = self.begun.elapsed().as_secs_f64() / self.done.max(1) as f64
            * (self.all - self.done) as f64;
        let line = format!(
            "{} of {}, {:.0} min left: {what}",
            self.done + 1,
            self.all,
            (left / 60.0).ceil()
        );
        if self.is_terminal {
            say(&format!("\r\x1b[K{line}"));
        } else if self.said.elapsed() > PAUSE {
            self.said = Instant::now();
            say(&format!("{line}\n"));
        }
        self.done += 1;
    }

    pub(in crate::bench) fn end(self) {
        if self.is_terminal {
            say("\r\x1b[K");
        }
    }
}
