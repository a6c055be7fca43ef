//! The progress line on a terminal during long work.

use std::io::Write;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use super::size;

/// Work that takes less time gets no line.
const SHORT: Duration = Duration::from_secs(1);
/// The interval at which the line is drawn.
const FRAME: Duration = Duration::from_millis(100);
/// Number of columns of the bar.
const BAR: usize = 20;
/// Removes the line of the cursor.
pub(super) const CLEAR: &str = "\r\x1b[K";

/// Whether the line is on the terminal now.
static IS_SHOWN: AtomicBool = AtomicBool::new(false);

/// The progress of some work. It is shown only when the total is known.
#[derive(Debug)]
pub(crate) struct Progress {
    unit: Unit,
    done: AtomicU64,
    all: AtomicU64,
}

/// The unit of the count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unit {
    /// Shown as sizes.
    Bytes,
    /// Things with this name, in the plural.
    Things(&'static str),
}

impl Progress {
    pub(super) fn in_units(unit: Unit) -> Self {
        Self {
            unit,
            done: AtomicU64::new(0),
            all: AtomicU64::new(0),
        }
    }

    /// Sets the total, and resets the count.
    pub(crate) fn begin(&self, all: u64) {
        self.done.store(0, Ordering::Relaxed);
        self.all.store(all, Ordering::Relaxed);
    }

    /// Sets the count.
    pub(crate) fn reach(&self, done: u64) {
        self.done.store(done, Ordering::Relaxed);
    }

    /// Increments the count.
    pub(crate) fn step(&self) {
        self.done.fetch_add(1, Ordering::Relaxed);
    }

    /// Returns the bar, and the count in words.
    fn shown(&self, frame: usize) -> (String, String) {
        let (done, all) = (
            self.done.load(Ordering::Relaxed),
            self.all.load(Ordering::Relaxed),
        );
        let amount = match self.unit {
            _ if all == 0 => return (moving(frame), String::new()),
            Unit::Bytes => format!(" {} of {}", size(done), size(all)),
            Unit::Things(name) => format!(" {done}/{all} {name}"),
        };
        (filled(done, all), amount)
    }
}

/// Returns whether a progress line is on the terminal, which has to be cleared before other text.
pub(super) fn is_shown() -> bool {
    IS_SHOWN.load(Ordering::Relaxed)
}

/// Runs some work, and shows the line with a bar, the count and the remaining time.
pub(super) fn show<T>(line: &str, progress: &Progress, work: impl FnOnce() -> T) -> T {
    thread::scope(|scope| {
        let (done, wait) = channel::<()>();
        scope.spawn(move || draw(line, progress, &wait));
        // A panic ends the drawing, too.
        let _done = done;
        work()
    })
}

fn draw(line: &str, progress: &Progress, wait: &Receiver<()>) {
    let begin = Instant::now();
    let is_over =
        |time: Duration| !matches!(wait.recv_timeout(time), Err(RecvTimeoutError::Timeout));
    if is_over(SHORT) {
        return;
    }
    for frame in 0.. {
        let (bar, amount) = progress.shown(frame);
        let seconds = begin.elapsed().as_secs();
        let text = format!("\r{line} [{bar}]{amount} {seconds}s\x1b[K");
        let mut terminal = std::io::stderr().lock();
        let _ = terminal.write_all(text.as_bytes());
        IS_SHOWN.store(true, Ordering::Relaxed);
        drop(terminal);
        if is_over(FRAME) {
            let mut terminal = std::io::stderr().lock();
            IS_SHOWN.store(false, Ordering::Relaxed);
            let _ = terminal.write_all(CLEAR.as_bytes());
            return;
        }
    }
}

/// Returns a mark that moves from the left to the right and back.
fn moving(frame: usize) -> String {
    let places = BAR - 2;
    let at = frame % (2 * places);
    let (at, mark) = if at < places {
        (at, "=>")
    } else {
        (2 * places - at, "<=")
    };
    format!("{:at$}{mark}{:rest$}", "", "", rest = places - at)
}

/// Returns a bar whose length is the completed share.
fn filled(done: u64, all: u64) -> String {
    let part = u128::from(done.min(all)) * BAR as u128 / u128::from(all.max(1));
    let at = usize::try_from(part).unwrap_or(BAR);
    let mark = if at < BAR { ">" } else { "" };
    let rest = BAR - at - mark.len();
    format!("{}{mark}{:rest$}", "=".repeat(at), "")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bar_has_one_width() {
        for frame in 0..100 {
            assert_eq!(moving(frame).len(), BAR, "{frame}");
            assert_eq!(filled(frame as u64, 77).len(), BAR, "{frame}");
        }
        assert!(moving(0).starts_with("=>") && moving(BAR - 2).ends_with("<="));
        assert!(filled(0, 9).starts_with("> ") && filled(9, 9).ends_with("=="));
        assert_eq!(filled(u64::MAX, u64::MAX).len(), BAR);
    }

    #[test]
    fn an_amount_is_shown_as_soon_as_it_is_known() {
        let modules = Progress::in_units(Unit::Things("modules"));
        assert_eq!(modules.shown(0), (moving(0), String::new()));
        modules.begin(40);
        modules.step();
        modules.step();
        assert_eq!(
            modules.shown(9),
            (filled(2, 40), " 2/40 modules".to_owned())
        );
        let bytes = Progress::in_units(Unit::Bytes);
        bytes.begin(3 << 20);
        bytes.reach(1536);
        assert_eq!(bytes.shown(0).1, " 1.5KiB of 3.0MiB");
    }
}
