//! Limits of messages: each mistake gives one message, and messages may only become shorter.

use crate::page::Pair;

/// Maximum number of lines of a message. A page must give the reason for a longer one.
const LINES: usize = 25;

/// Beginning of that reason on the page.
const REASON: &str = "Longer because ";

/// Maximum number of lines of any message, except those in `LONGER`.
const MOST_LINES: usize = 30;

/// Longer messages, and the reasons why they cannot be shortened.
const LONGER: &[(&str, &str)] = &[(
    "sent_to_a_server_without_term",
    "two functions need the missing trait, the clause that reads the message and the one that sends \
     it; rustc reports each, with the type, the bound and the remedy",
)];

/// Length of a message.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Size {
    errors: usize,
    lines: usize,
}

impl Size {
    fn of(message: &str) -> Self {
        let starts_error = |line: &&str| line.starts_with("error");
        Size {
            errors: message.lines().filter(starts_error).count(),
            lines: message.lines().count(),
        }
    }

    fn is_within_goal(self) -> bool {
        self.errors <= 1 && self.lines <= LINES
    }
}

/// Returns the necessary change of a pair, if there is one.
pub(crate) fn complaint(pair: &Pair) -> Option<String> {
    let size = Size::of(&pair.message);
    of(&pair.prose, size)
        .or_else(|| of_most(&pair.name, size))
        .or_else(|| of_its_place(&pair.message))
}

/// Checks the length of a message, and that listed messages really are longer.
fn of_most(name: &str, size: Size) -> Option<String> {
    let is_listed = LONGER.iter().any(|(longer, _)| *longer == name);
    let lines = size.lines;
    (is_listed != (lines > MOST_LINES)).then(|| match is_listed {
        true => format!("{lines} lines: take it off the list `LONGER`"),
        false => format!("{lines} lines; no message has more than {MOST_LINES}"),
    })
}

/// The fixed beginning of the compiler's message for a failed evaluation. Only an evaluation knows
/// the names of atoms in a type, of a variant that an earlier clause matches and of a state without
/// a function, and the number of a supervisor's shards.
const EVALUATED: &str = "error[E0080]: evaluation panicked: ";

/// Maximum number of messages that may begin like this.
pub(crate) const MOST_EVALUATED: usize = 3;

/// Returns whether the message begins like this.
pub(crate) fn is_evaluated(pair: &Pair) -> bool {
    pair.message.starts_with(EVALUATED)
}

/// Checks that the first line names the mistake, and that the place below it is in the user's file.
fn of_its_place(message: &str) -> Option<String> {
    let first = message.lines().next().unwrap_or_default();
    let said = first.strip_prefix(EVALUATED).unwrap_or(first);
    if said.len() < "error: x".len() || said.contains("evaluation panicked") {
        return Some(format!("the first line does not say the mistake: {first}"));
    }
    let place = message
        .lines()
        .find_map(|line| line.trim().strip_prefix("--> "));
    (place != Some("src/lib.rs"))
        .then(|| format!("the first place is {place:?} and not the user's file"))
}

fn of(prose: &str, size: Size) -> Option<String> {
    let has_reason = prose.lines().any(|line| line.starts_with(REASON));
    let Size { errors, lines } = size;
    (has_reason == size.is_within_goal()).then(|| match has_reason {
        true => format!("one error of {lines} lines needs no `{REASON}…`"),
        false => format!(
            "{errors} errors and {lines} lines; a mistake is one error of at most {LINES} lines: shorten it, or write a paragraph `{REASON}…`"
        ),
    })
}

/// Compares a message with the one on the page if the bridge has the feature `json`. The message
/// may name more types, but must not exceed the limits.
pub(crate) fn with_json(page: &str, found: &str) -> Option<String> {
    let (without, with) = (Size::of(page), Size::of(found));
    let is_right = with.errors <= without.errors && with.lines <= without.lines.max(LINES);
    (!is_right).then(|| {
        format!(
            "{} errors and {} lines with `json`, and {} and {} without\n{found}",
            with.errors, with.lines, without.errors, without.lines
        )
    })
}

/// Returns whether a message may replace another one.
pub(crate) fn may_replace(old: &str, new: &str) -> Result<(), String> {
    let (was, is) = (Size::of(old), Size::of(new));
    let grew = is.errors > was.errors || is.lines > was.lines;
    match grew && !old.is_empty() {
        false => Ok(()),
        true => Err(format!(
            "had {} errors and {} lines, and has {} and {}: messages may only become shorter; if this one must not, remove its `text` block first\n{new}",
            was.errors, was.lines, is.errors, is.lines
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_long_has_a_reason_and_what_is_short_has_none() {
        let size = |errors, lines| Size { errors, lines };
        let reason = "Text.\n\nLonger because it is two mistakes.";
        assert_eq!(of("Text.", size(1, 25)), None);
        assert_eq!(of(reason, size(2, 30)), None);
        assert!(
            of("Text.", size(1, 26))
                .unwrap()
                .contains("at most 25 lines")
        );
        assert!(of("Text.", size(2, 9)).unwrap().contains("2 errors"));
        assert!(of(reason, size(1, 9)).unwrap().contains("needs no"));
    }

    #[test]
    fn what_is_longer_than_any_message_is_listed() {
        let of_lines = |name, lines| of_most(name, Size { errors: 2, lines });
        assert_eq!(of_lines("short", MOST_LINES), None);
        let complaint = of_lines("long", MOST_LINES + 1).unwrap();
        assert!(complaint.contains("no message has more"), "{complaint}");
        let (listed, reason) = LONGER[0];
        assert!(!reason.is_empty());
        assert_eq!(of_lines(listed, MOST_LINES + 1), None);
        assert!(
            of_lines(listed, MOST_LINES)
                .unwrap()
                .contains("off the list")
        );
    }

    #[test]
    fn a_message_begins_with_the_mistake_and_the_users_place() {
        let at = |place: &str| format!("error: a mistake\n --> {place}\n  |\n");
        assert_eq!(of_its_place(&at("src/lib.rs")), None);
        assert!(of_its_place(&at("bridge/…")).unwrap().contains("bridge"));
        let again = format!("{EVALUATED}evaluation panicked\n --> src/lib.rs\n");
        assert!(of_its_place(&again).unwrap().contains("first line"));
    }

    #[test]
    fn a_message_may_only_become_shorter() {
        assert_eq!(may_replace("error: a\n b\n", "error: b\n"), Ok(()));
        assert_eq!(may_replace("error: a\n b\n", "error: b\n c\n"), Ok(()));
        assert_eq!(may_replace("", "error: b\n"), Ok(()));
        assert!(
            may_replace("error: a\n", "error: b\n c\n")
                .unwrap_err()
                .contains("may only become shorter")
        );
        assert!(may_replace("error: a\n b\n", "error: b\nerror: c\n").is_err());
    }
}
