//! The Rust stacks of panics, on their way to the log.
//!
//! Resolving the names of a stack's functions takes a tenth of a second, too long for the scheduler
//! of a panic. So the report of a panic only has a number, and the process requests the text with
//! that number on a dirty scheduler. Panics of the same line share one text.

use std::backtrace::{Backtrace, BacktraceStatus};
use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::source_location;

/// The largest number of stacks that are waiting to be resolved, and of texts that are stored.
const MOST: usize = 64;

/// A Rust stack whose functions have not been resolved.
#[derive(Debug, Clone)]
pub(in crate::runtime) struct Captured(Arc<Backtrace>);

impl PartialEq for Captured {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for Captured {}

impl Captured {
    /// Captures the stack of the caller, if `RUST_BACKTRACE` is set.
    pub(super) fn here() -> Option<Self> {
        let backtrace = Backtrace::capture();
        (backtrace.status() == BacktraceStatus::Captured).then(|| Captured(Arc::new(backtrace)))
    }

    /// Returns the frames of the user's code, or all frames with `RUST_BACKTRACE=full`.
    pub(super) fn text(&self) -> String {
        let text = self.0.to_string();
        match std::env::var("RUST_BACKTRACE") {
            Ok(style) if style == "full" => text,
            _ => user_frames(&text),
        }
    }
}

/// A file and a line.
type Line = (String, u32);

struct Backtraces {
    last: u64,
    /// Stacks with their numbers, the oldest first.
    waiting: VecDeque<(u64, Line, Captured)>,
    texts: BTreeMap<Line, String>,
}

static BACKTRACES: Mutex<Backtraces> = Mutex::new(Backtraces {
    last: 0,
    waiting: VecDeque::new(),
    texts: BTreeMap::new(),
});

fn backtraces() -> MutexGuard<'static, Backtraces> {
    BACKTRACES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Stores the stack of a panic at this line until its text is requested. Returns its number.
pub(in crate::runtime) fn keep(line: Line, captured: Captured) -> u64 {
    let mut all = backtraces();
    if all.waiting.len() == MOST {
        all.waiting.pop_front();
    }
    all.last += 1;
    let number = all.last;
    all.waiting.push_back((number, line, captured));
    number
}

/// Takes the text of a stack, which takes long. The text is empty if too many other stacks have
/// been stored since.
pub(in crate::runtime) fn text(number: u64) -> String {
    let mut all = backtraces();
    let index = all.waiting.iter().position(|(one, ..)| *one == number);
    let Some((_, line, captured)) = index.and_then(|index| all.waiting.remove(index)) else {
        return String::new();
    };
    if let Some(text) = all.texts.get(&line) {
        return text.clone();
    }
    drop(all);
    let text = captured.text();
    let mut all = backtraces();
    if all.texts.len() < MOST {
        all.texts.insert(line, text.clone());
    }
    text
}

/// Frames of Rust itself, of this library or of the VM start with these prefixes.
const OTHERS: [&str; 13] = [
    "std::",
    "core::",
    "alloc::",
    "<alloc::",
    "<core::",
    "__rust",
    "rust_begin_unwind",
    "otp_bridge::",
    "<otp_bridge::",
    "erts_",
    // C++, the language of the VM's just-in-time compiler.
    "_Z",
    "<unknown>",
    "start_thread",
];

/// Returns the user's frames of a backtrace, and the number of other frames. A frame is a line with
/// its number and a line with its location.
fn user_frames(backtrace: &str) -> String {
    let mut frames = String::new();
    let mut others = 0;
    let mut lines = backtrace.lines().peekable();
    while let Some(line) = lines.next() {
        let Some((_, name)) = frame(line) else {
            continue;
        };
        let second = lines.next_if(|next| frame(next).is_none());
        let location = second.and_then(|line| line.trim_start().strip_prefix("at "));
        if is_other(name, location.unwrap_or_default()) {
            others += 1;
            continue;
        }
        frames.push_str(line);
        frames.push('\n');
        if let Some(location) = location {
            frames.push_str("             at ");
            frames.push_str(source_location::shown(location));
            frames.push('\n');
        }
    }
    if others > 0 {
        let text =
            format!("  ({others} more of Rust and otp-rs: RUST_BACKTRACE=full shows them)\n");
        frames.push_str(&text);
    }
    frames
}

/// Returns the number and the name of a frame, if the line has them.
fn frame(line: &str) -> Option<(u32, &str)> {
    let (number, name) = line.split_once(": ")?;
    Some((number.trim().parse().ok()?, name))
}

fn is_other(name: &str, location: &str) -> bool {
    let is_named = OTHERS.iter().any(|other| name.starts_with(other));
    is_named || name == "clone3" || source_location::is_foreign(location)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stack_has_a_text_once_and_all_of_a_line_have_the_same() {
        let captured = || Captured(Arc::new(Backtrace::force_capture()));
        let line = || ("src/till.rs".to_owned(), 7);
        let (first, second) = (keep(line(), captured()), keep(line(), captured()));
        backtraces().texts.insert(line(), "known".to_owned());
        assert_eq!(
            (text(first).as_str(), text(second).as_str()),
            ("known", "known")
        );
        assert_eq!(text(first), "", "it was asked for");
        let lost = keep(line(), captured());
        (0..MOST).for_each(|_| _ = keep(line(), captured()));
        assert_eq!(text(lost), "");
    }

    #[test]
    fn a_backtrace_is_told_by_the_users_frames() {
        let backtrace = "   0: std::panicking::begin_panic\n             at /rustc/x/panicking.rs:1:2\n   \
                         1: shop::till::Till::pay\n             at ./src/till.rs:7:9\n   \
                         2: otp_bridge::runtime::running::Running::poll\n   3: otp_bridge::stack::switch::run\n  \
                         33: erts_call_dirty_nif\n  34: _Z17beam_jit_call_nifP7process\n  37: clone3\n";
        let expected = "   1: shop::till::Till::pay\n             at ./src/till.rs:7:9\n  \
                        (6 more of Rust and otp-rs: RUST_BACKTRACE=full shows them)\n";
        assert_eq!(user_frames(backtrace), expected);
        let elsewhere = "   1: shop::till::Till::pay\n             at /home/me/shop/src/till.rs:7:9\n   \
                         2: <f64 as shop::X>::y\n             at /rustc/abc/library/core/src/x.rs:1:2\n";
        let expected = "   1: shop::till::Till::pay\n             at shop/src/till.rs:7:9\n  \
                        (1 more of Rust and otp-rs: RUST_BACKTRACE=full shows them)\n";
        assert_eq!(user_frames(elsewhere), expected);
    }
}
