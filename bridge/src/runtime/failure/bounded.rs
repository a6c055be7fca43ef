//! Limits for texts of the user's `Debug` implementations, which may be long, take long, or panic.

use std::fmt::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use super::panics::Panic;

/// The longest time for writing a text.
const MAX_TIME: Duration = Duration::from_millis(20);

/// Marks a text that was cut. It is ASCII, because the VM prints a text with other characters as
/// numbers.
const TRUNCATED: &str = "... [truncated]";

/// A text with a limited length and a limited time for writing it.
struct Bounded {
    text: String,
    /// The largest size in bytes.
    most: usize,
    began: Instant,
    is_cut: bool,
}

impl Write for Bounded {
    fn write_str(&mut self, more: &str) -> fmt::Result {
        let left = self.most.saturating_sub(self.text.len());
        if more.len() > left || self.began.elapsed() > MAX_TIME {
            let end = (0..=left.min(more.len()))
                .rev()
                .find(|end| more.is_char_boundary(*end));
            self.text.push_str(&more[..end.unwrap_or(0)]);
            self.is_cut = true;
            return Err(fmt::Error);
        }
        self.text.push_str(more);
        Ok(())
    }
}

/// Returns the text that `write` writes, at most `most` bytes of it. If a `Debug` implementation
/// panics, the text says so.
pub(in crate::runtime) fn bounded(
    most: usize,
    write: impl FnOnce(&mut dyn Write) -> fmt::Result,
) -> String {
    bounded_since(Instant::now(), most, write)
}

fn bounded_since(
    began: Instant,
    most: usize,
    write: impl FnOnce(&mut dyn Write) -> fmt::Result,
) -> String {
    let mut bounded = Bounded {
        text: String::new(),
        most,
        began,
        is_cut: false,
    };
    let written = catch_unwind(AssertUnwindSafe(|| write(&mut bounded)));
    let mut text = bounded.text;
    match written {
        Ok(Ok(())) => {}
        Ok(Err(_)) if bounded.is_cut => text.push_str(TRUNCATED),
        Ok(Err(_)) => text.push_str(" [its Debug returned an error]"),
        Err(payload) => {
            text.push_str(" [its Debug panicked: ");
            text.push_str(Panic::caught(payload).message());
            text.push(']');
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    const MOST: usize = 64 * 1024;

    #[test]
    fn a_text_is_cut_where_a_character_ends() {
        let long = "ä".repeat(MOST);
        let text = bounded(MOST, |out| write!(out, "{long}"));
        assert!(text.ends_with(TRUNCATED));
        assert!(text.len() <= MOST + TRUNCATED.len());
        let odd = bounded(7, |out| write!(out, "{long}"));
        assert_eq!(odd, format!("äää{TRUNCATED}"));
    }

    #[test]
    fn many_small_pieces_are_bounded_in_sum() {
        let numbers = vec![1_u64; 1_000_000];
        // The time limit is far away, so that it is not reached even on a busy machine.
        let began = Instant::now() + Duration::from_secs(3_600);
        let text = bounded_since(began, MOST, |out| write!(out, "{numbers:?}"));
        assert!(text.starts_with("[1, 1") && text.ends_with(TRUNCATED));
    }

    #[test]
    fn a_debug_that_fails_is_no_disaster() {
        let text = bounded(MOST, |out| {
            out.write_str("before")?;
            panic!("no text")
        });
        assert_eq!(text, "before [its Debug panicked: no text]");
        let text = bounded(MOST, |_| Err(fmt::Error));
        assert_eq!(text, " [its Debug returned an error]");
    }
}
