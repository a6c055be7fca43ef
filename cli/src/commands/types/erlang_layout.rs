//! Lays out Erlang's forms over several lines.

/// Maximum nesting of brackets that are broken into lines; deeper ones are kept on one line.
const DEPTH: usize = 32;

/// Points at which a text may be broken, the outermost first. A separator starts the next line or
/// ends its own line, and the parts after the first are indented.
const BREAKS: &[Break] = &[
    Break::new("; ", Side::End, 0),
    Break::new(" when ", Side::Start, 4),
    Break::new(", ", Side::End, 0),
    Break::new(" => ", Side::End, 4),
    Break::new(" := ", Side::End, 4),
    Break::new(" :: ", Side::End, 4),
    Break::new(" -> ", Side::End, 4),
    Break::new(" | ", Side::Start, 0),
];

struct Break {
    separator: &'static str,
    side: Side,
    indent: usize,
}

#[derive(PartialEq)]
enum Side {
    Start,
    End,
}

impl Break {
    const fn new(separator: &'static str, side: Side, indent: usize) -> Self {
        Self {
            separator,
            side,
            indent,
        }
    }
}

/// Returns the lines of a form, no longer than `width` if that is possible.
pub(crate) fn lines(form: &str, width: usize) -> Vec<String> {
    let mut lines = Vec::new();
    lay(form, 0, width, DEPTH, &mut lines);
    lines
}

fn lay(text: &str, indent: usize, width: usize, depth: usize, lines: &mut Vec<String>) {
    let spaces = " ".repeat(indent);
    if depth == 0 || indent + text.chars().count() <= width {
        lines.push(format!("{spaces}{text}"));
        return;
    }
    let there = BREAKS.iter().filter(|at| text.contains(at.separator));
    for at in there {
        let parts = outermost(text, at.separator);
        if parts.len() > 1 {
            return broken(&parts, at, indent, width, depth, lines);
        }
    }
    match brackets(text) {
        Some((before, inside, after)) => {
            lines.push(format!("{spaces}{before}"));
            lay(inside, indent + 4, width, depth - 1, lines);
            // The rest may need lines of its own.
            lay(after, indent, width, depth - 1, lines);
        }
        None => lines.push(format!("{spaces}{text}")),
    }
}

fn broken(
    parts: &[&str],
    at: &Break,
    indent: usize,
    width: usize,
    depth: usize,
    lines: &mut Vec<String>,
) {
    let mark = at.separator.trim_end().trim_start();
    for (index, part) in parts.iter().enumerate() {
        let indent = if index == 0 {
            indent
        } else {
            indent + at.indent
        };
        let text = match at.side {
            Side::End if index + 1 < parts.len() => {
                if at.separator.starts_with(' ') {
                    format!("{part} {mark}")
                } else {
                    format!("{part}{mark}")
                }
            }
            Side::Start if index > 0 => format!("{mark} {part}"),
            _ => (*part).to_owned(),
        };
        lay(&text, indent, width, depth - 1, lines);
    }
}

/// Returns the parts between separators that are outside brackets and quotes.
fn outermost<'a>(text: &'a str, separator: &str) -> Vec<&'a str> {
    let mut parts = Vec::new();
    let mut start = 0;
    for (index, open, _) in outside_quotes(text) {
        if open == 0 && index >= start && text[index..].starts_with(separator) && index > 0 {
            parts.push(&text[start..index]);
            start = index + separator.len();
        }
    }
    parts.push(&text[start..]);
    parts
}

/// Returns the text before, in and after the first brackets that are not empty.
fn brackets(text: &str) -> Option<(&str, &str, &str)> {
    let mut start = None;
    for (index, open, letter) in outside_quotes(text) {
        match (start, letter) {
            (None, b'(' | b'[' | b'{') if open == 0 => start = Some(index + 1),
            (Some(inside), b')' | b']' | b'}') if open == 1 => {
                if inside < index {
                    return Some((&text[..inside], &text[inside..index], &text[index..]));
                }
                start = None;
            }
            _ => {}
        }
    }
    None
}

/// Returns each ASCII letter outside quotes: its position, the number of open brackets before it,
/// and the letter.
fn outside_quotes(text: &str) -> Vec<(usize, usize, u8)> {
    let mut letters = Vec::new();
    let mut open = 0usize;
    let mut quote = None;
    let mut bytes = text.bytes().enumerate();
    while let Some((index, byte)) = bytes.next() {
        match (quote, byte) {
            (Some(_), b'\\') => {
                bytes.next();
            }
            (Some(end), byte) if byte == end => quote = None,
            (Some(_), _) => {}
            // A character: `$"`, `$\n`.
            (None, b'$') => {
                if let Some((_, b'\\')) = bytes.next() {
                    bytes.next();
                }
            }
            (None, b'\'' | b'"') => quote = Some(byte),
            (None, byte) if byte.is_ascii() => {
                letters.push((index, open, byte));
                match byte {
                    b'(' | b'[' | b'{' => open += 1,
                    b')' | b']' | b'}' => open = open.saturating_sub(1),
                    _ => {}
                }
            }
            (None, _) => {}
        }
    }
    letters
}

#[cfg(test)]
mod tests {
    use super::*;

    fn laid(form: &str, width: usize) -> String {
        lines(form, width).join("\n")
    }

    #[test]
    fn what_fits_stays_on_its_line() {
        assert_eq!(laid("-type t() :: a | b.", 80), "-type t() :: a | b.");
    }

    #[test]
    fn unions_and_maps_are_opened_up() {
        let form = "-type t() :: #{id := id(), start := mfargs()} | {Id :: id(), Rest} | 'it | s'.";
        let expected = "\
-type t() ::
    #{
        id := id(),
        start := mfargs()
    }
    | {Id :: id(), Rest}
    | 'it | s'.";
        assert_eq!(laid(form, 30), expected);
    }

    #[test]
    fn elements_break_before_their_annotations() {
        let form = "-type t() :: {First :: a | b, Second :: c | d}.";
        let expected = "\
-type t() ::
    {
        First :: a | b,
        Second :: c | d
    }.";
        assert_eq!(laid(form, 24), expected);
    }

    #[test]
    fn a_function_breaks_before_its_clauses_and_constraints() {
        let form = "-spec f(A) -> ok when A :: term(); (b) -> {error, \"; \\\" \"}.";
        let expected = "\
-spec f(A) -> ok
    when A :: term();
(b) -> {error, \"; \\\" \"}.";
        assert_eq!(laid(form, 28), expected);
    }

    #[test]
    fn any_text_is_laid_out_with_all_its_letters() {
        let letters =
            |text: &str| -> String { text.chars().filter(|c| *c != ' ' && *c != '\n').collect() };
        for text in [
            "",
            ")",
            "((((",
            "a, ",
            ", a",
            "'open, ",
            "$",
            "$\\",
            "é | ß, (ü",
            "f( | , )) :: ",
        ] {
            for width in [0, 1, 5] {
                assert_eq!(letters(&laid(text, width)), letters(text), "{text}");
            }
        }
    }

    #[test]
    fn nesting_has_an_end() {
        let deep = format!("{}a{}", "{".repeat(50_000), "}".repeat(50_000));
        assert!(lines(&deep, 10).len() > DEPTH);
    }
}
