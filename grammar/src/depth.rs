//! Limits on nesting: pest recurses for each open bracket.

use crate::error::{DEEPEST, Error};

/// Maximum nesting on the smallest stack.
const SHALLOW: usize = 16;
/// The stack that one level may need; 16 KiB are enough even without optimisation.
const LEVEL: usize = 64 << 10;

/// Runs the work on a thread of its own, whose stack is large enough for it. A separate thread is
/// necessary because pest queries the end of the thread's stack, and refuses to run on a stack that
/// otp-bridge has switched to.
pub(crate) fn on_stack_for<T: Send>(
    text: &str,
    work: impl FnOnce() -> Result<T, Error> + Send,
) -> Result<T, Error> {
    match depth(text) {
        deep if deep > DEEPEST => Err(Error::too_deep(text)),
        deep => std::thread::scope(|scope| {
            let thread = std::thread::Builder::new().stack_size(deep.max(SHALLOW) * LEVEL);
            let spawned = thread.spawn_scoped(scope, work);
            let started = spawned.map_err(|_| Error::too_deep(text))?;
            started
                .join()
                .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        }),
    }
}

/// Returns the maximum number of brackets that are open at once. The result is never less than the
/// parser's depth: a bracket that is not closed by its own kind counts as open.
fn depth(text: &str) -> usize {
    let (mut open, mut deepest) = (0usize, 0);
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '(' | '[' | '{' => {
                open += 1;
                deepest = deepest.max(open);
            }
            ')' | ']' | '}' => open = open.saturating_sub(1),
            '"' | '\'' => skip_quoted(&mut letters, letter),
            // `$(` is a character, and `$\(` too.
            '$' => {
                let is_escaped = letters.next() == Some('\\');
                if is_escaped {
                    letters.next();
                }
            }
            '%' => {
                letters.find(|letter| *letter == '\n');
            }
            _ => {}
        }
    }
    deepest
}

fn skip_quoted(letters: &mut std::str::Chars<'_>, quote: char) {
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => {
                letters.next();
            }
            _ if letter == quote => return,
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brackets_in_texts_and_comments_are_not_open() {
        for (text, levels) in [
            ("{[#{a => (b)}]}", 4),
            (r#"{"((((", '[[[[', $(, $\(, ")\"("}"#, 1),
            ("{a, % ((((\n [b]}", 2),
            ("))))(", 1),
        ] {
            assert_eq!(depth(text), levels, "{text}");
        }
    }
}
