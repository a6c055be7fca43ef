//! Compares a program's output with a chapter.

/// Matches any text within a line, or any lines if it is a whole line.
pub(crate) const ANY: &str = "…";

/// Whether all of these lines are shown, one after the other.
pub(crate) fn shows(seen: &[&str], expected: &[&str]) -> bool {
    // `reached[n]`: the first `n` expected lines match the output already read.
    let mut reached = vec![false; expected.len() + 1];
    reached[0] = true;
    skip(&mut reached, expected);
    for line in seen {
        let mut next = vec![false; reached.len()];
        for (index, pattern) in expected.iter().enumerate() {
            if reached[index] && *pattern == ANY {
                next[index] = true;
            } else if reached[index] && is_line(line, pattern) {
                next[index + 1] = true;
            }
        }
        skip(&mut next, expected);
        reached = next;
    }
    reached[expected.len()]
}

/// `…` may match no line at all.
fn skip(reached: &mut [bool], expected: &[&str]) {
    for (index, pattern) in expected.iter().enumerate() {
        if reached[index] && *pattern == ANY {
            reached[index + 1] = true;
        }
    }
}

fn is_line(line: &str, pattern: &str) -> bool {
    let mut parts = pattern.trim_end().split(ANY);
    let line = line.trim_end();
    let Some(mut rest) = line.strip_prefix(parts.next().unwrap_or_default()) else {
        return false;
    };
    let mut parts = parts.peekable();
    if parts.peek().is_none() {
        return rest.is_empty();
    }
    while let Some(part) = parts.next() {
        if parts.peek().is_none() {
            return rest.ends_with(part);
        }
        match rest.split_once(part) {
            Some((_, after)) => rest = after,
            None => return false,
        }
    }
    true
}

/// The text behind the prompt of an Erlang shell: `1> ` or `(one@host)1> `.
pub(crate) fn behind_prompt(line: &str) -> Option<&str> {
    let (prompt, rest) = line
        .split_once("> ")
        .or(line.strip_suffix('>').map(|line| (line, "")))?;
    let number = match prompt.strip_prefix('(') {
        Some(node) => node.split_once(')')?.1,
        None => prompt,
    };
    let is_number = !number.is_empty() && number.chars().all(|c| c.is_ascii_digit());
    is_number.then_some(rest)
}

#[test]
fn dots_stand_for_texts_and_lines() {
    let seen = ["a", "b 1 c", "d"];
    for good in [
        &["a", "b … c", "d"][..],
        &["…", "d"],
        &["a", "…"],
        &["a", "…", "b 1 c", "…", "d", "…"],
    ] {
        assert!(shows(&seen, good), "{good:?}");
    }
    for bad in [
        &["a", "d"][..],
        &["a", "b …"],
        &["b 1 c", "…"],
        &["…", "b … d", "d"],
        &[],
    ] {
        assert!(!shows(&seen, bad), "{bad:?}");
    }
    assert!(!is_line("ab", "ab…b"));
}

#[test]
fn a_prompt_has_a_number() {
    assert_eq!(behind_prompt("12> nodes()."), Some("nodes()."));
    assert_eq!(behind_prompt("(one@host)1> ok"), Some("ok"));
    assert_eq!(behind_prompt("a -> b"), None);
}
