//! How far it is.

use std::io::IsTerminal;
use std::time::{Duration, Instant};

use crate::step::say;

/// A line that changes on a terminal; elsewhere a line now and then.
pub(in crate::bench) struct Progress {
    all: usize,
    done: usize,
    begun: Instant,
    said: Instant,
    is_terminal: bool,
}

/// How often a line is printed where there is no terminal.
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

    /// The next step begins.
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
