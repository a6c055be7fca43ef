//! Terms on several lines: `{:#}`.

use super::{Term, TermKind, View, describe};

/// A term is written on one line if the line has at most this many characters.
const WIDTH: usize = 80;
const INDENTATION: usize = 4;
/// Terms at a deeper level than this are written on one line.
const MOST_LEVELS: usize = 64;

/// Returns the Erlang text of a term. If a term does not fit on a line, each of its elements gets a
/// line.
pub(super) fn lines(term: &Term) -> String {
    let mut text = String::new();
    write(&mut text, term, 0, 0);
    text
}

/// Writes a term. `used` is the number of characters before the term on its line, and `level` the
/// indentation of the next line.
fn write(text: &mut String, term: &Term, used: usize, level: usize) {
    let room = WIDTH.saturating_sub(used);
    let flat = describe(term, room);
    if level >= MOST_LEVELS || !flat.ends_with("...") {
        return text.push_str(&if level < MOST_LEVELS {
            flat
        } else {
            term.to_string()
        });
    }
    match term.kind() {
        TermKind::Tuple if let Some(elements) = term.tuple_elements() => {
            enclosed(text, ("{", "}"), level, elements.map(|it| (None, it)));
        }
        TermKind::List if is_text(&flat) => text.push_str(&term.to_string()),
        TermKind::List if let Some((elements, None)) = term.list_with_tail() => {
            enclosed(text, ("[", "]"), level, elements.map(|it| (None, it)));
        }
        TermKind::Map if let Some(entries) = term.map_entries() => {
            let entries = entries.map(|(key, value)| (Some(key), value));
            enclosed(text, ("#{", "}"), level, entries);
        }
        _ => text.push_str(&term.to_string()),
    }
}

/// Returns whether a list is written as a string.
fn is_text(flat: &str) -> bool {
    flat.starts_with('"')
}

/// Elements with their keys, each on a line of its own.
fn enclosed<'t>(
    text: &mut String,
    (open, close): (&str, &str),
    level: usize,
    elements: impl Iterator<Item = (Option<&'t Term>, &'t Term)>,
) {
    text.push_str(open);
    for (index, (key, element)) in elements.enumerate() {
        text.push_str(if index == 0 { "" } else { "," });
        new_line(text, level + 1);
        let mut used = (level + 1) * INDENTATION + 1;
        if let Some(key) = key {
            let key = format!("{key} => ");
            text.push_str(&key);
            used += key.chars().count();
        }
        write(text, element, used, level + 1);
    }
    new_line(text, level);
    text.push_str(close);
}

fn new_line(text: &mut String, level: usize) {
    text.push('\n');
    text.extend(std::iter::repeat_n(' ', level * INDENTATION));
}

#[cfg(test)]
mod tests {
    use crate::Term;
    use crate::atoms::ok;

    #[test]
    fn what_does_not_fit_has_a_line_for_each_element() {
        let long = "a text of forty characters, as it happens";
        let term = Term::of(&(ok, vec![(1, long), (2, long)], long));
        assert_eq!(
            format!("{term:#}"),
            format!(
                "{{
    ok,
    [
        {{1,<<\"{long}\">>}},
        {{2,<<\"{long}\">>}}
    ],
    <<\"{long}\">>
}}"
            )
        );
        let map = Term::of(&std::collections::BTreeMap::from([
            (1, (long, long)),
            (2, ("", "")),
        ]));
        assert_eq!(
            format!("{map:#?}"),
            format!(
                "#{{
    1 => {{
        <<\"{long}\">>,
        <<\"{long}\">>
    }},
    2 => {{<<>>,<<>>}}
}}"
            )
        );
    }

    #[test]
    fn what_fits_is_as_without_it() {
        let term = Term::of(&(ok, vec![1, 2], "text..."));
        assert_eq!(format!("{term:#}"), term.to_string());
        let long = Term::of(&crate::ErlangString("x".repeat(100)));
        assert_eq!(format!("{long:#}"), long.to_string());
    }

    #[test]
    fn deep_terms_are_written_whole() {
        let mut term = Term::of(&"x".repeat(100));
        for _ in 0..100 {
            term = Term::List([term].into());
        }
        let text = format!("{term:#}").replace([' ', '\n'], "");
        assert_eq!(text, term.to_string());
    }
}
