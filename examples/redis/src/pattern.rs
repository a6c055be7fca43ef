//! Glob patterns of keys: `*`, `?`, `[a-z]`, `[^a]`, `\`.

/// Returns whether a text matches the pattern. The time is at most proportional to the product of
/// their lengths.
#[must_use]
pub fn matches(pattern: &[u8], text: &[u8]) -> bool {
    let (mut at, mut done) = (0, 0);
    // Where to continue if the last `*` matches one more byte.
    let mut retry = None;
    while done < text.len() {
        if pattern.get(at) == Some(&b'*') {
            at += 1;
            retry = Some((at, done));
            continue;
        }
        match one(&pattern[at..], text[done]) {
            Some(used) => {
                at += used;
                done += 1;
            }
            None => {
                let Some((star, from)) = retry else {
                    return false;
                };
                retry = Some((star, from + 1));
                (at, done) = (star, from + 1);
            }
        }
    }
    pattern[at..].iter().all(|byte| *byte == b'*')
}

/// Returns the length of the beginning of the pattern that matches the byte, or `None` if it does
/// not match.
fn one(pattern: &[u8], byte: u8) -> Option<usize> {
    match pattern {
        [] => None,
        [b'?', ..] => Some(1),
        [b'\\', escaped, ..] => (*escaped == byte).then_some(2),
        [b'[', rest @ ..] => class(rest, byte).map(|used| used + 1),
        [plain, ..] => (*plain == byte).then_some(1),
    }
}

fn class(pattern: &[u8], byte: u8) -> Option<usize> {
    let is_negated = pattern.first() == Some(&b'^');
    let mut at = usize::from(is_negated);
    let mut is_in = false;
    loop {
        match pattern[at..] {
            [] => break,
            [b']', ..] => {
                at += 1;
                break;
            }
            [b'\\', escaped, ..] => {
                is_in |= escaped == byte;
                at += 2;
            }
            [from, b'-', to, ..] => {
                is_in |= (from.min(to)..=from.max(to)).contains(&byte);
                at += 3;
            }
            [plain, ..] => {
                is_in |= plain == byte;
                at += 1;
            }
        }
    }
    (is_in != is_negated).then_some(at)
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn patterns_are_those_of_redis() {
        for (pattern, text, is_like) in [
            ("*", "", true),
            ("h?llo", "hello", true),
            ("h*llo", "heeeello", true),
            ("h[ae]llo", "hello", true),
            ("h[^e]llo", "hello", false),
            ("h[a-b]llo", "hbllo", true),
            (r"h\?llo", "h?llo", true),
            ("a*b*c", "axxbyyc", true),
            ("a*b*c", "axxbyy", false),
            ("[", "x", false),
        ] {
            assert_eq!(
                matches(pattern.as_bytes(), text.as_bytes()),
                is_like,
                "{pattern}"
            );
        }
    }

    #[test]
    fn many_stars_take_no_longer() {
        let pattern = "a*".repeat(50);
        assert!(!matches(pattern.as_bytes(), &[b'a'; 49]));
        assert!(!matches((pattern + "b").as_bytes(), &[b'a'; 10_000]));
    }
}
