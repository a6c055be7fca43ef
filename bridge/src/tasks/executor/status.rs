//! A summary of a process's tasks, for `sys:get_status/1`.

use std::fmt;
use std::panic::Location;
use std::time::Duration;

/// How many tasks there are, and which one has waited longest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Status {
    /// The number of runnable tasks.
    pub(in crate::tasks) running: usize,
    pub(in crate::tasks) waiting: usize,
    pub(in crate::tasks) longest: Option<Waiting>,
}

/// A waiting task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Waiting {
    pub(in crate::tasks) time: Duration,
    /// The line that spawned it.
    pub(in crate::tasks) location: &'static Location<'static>,
    pub(in crate::tasks) name: Option<String>,
}

/// ` with 12 tasks: 2 ready, 10 waiting, the longest for 45 ms (reader, src/shop.rs:12)`, or an
/// empty text if there are no tasks.
impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (running, waiting) = (self.running, self.waiting);
        if running + waiting == 0 {
            return Ok(());
        }
        write!(
            f,
            " with {} tasks: {running} ready, {waiting} waiting",
            running + waiting
        )?;
        let Some(longest) = &self.longest else {
            return Ok(());
        };
        write!(f, ", the longest for {} ms (", longest.time.as_millis())?;
        if let Some(name) = &longest.name {
            write!(f, "{name}, ")?;
        }
        write!(
            f,
            "{}:{})",
            longest.location.file(),
            longest.location.line()
        )
    }
}
