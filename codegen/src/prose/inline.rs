//! Markdown outside of fences, changed so that rustdoc shows all of its words without warnings.
//!
//! | in the Markdown | in the doc comment | because rustdoc would |
//! |---|---|---|
//! | `<name>` | `\<name>` | treat it as HTML, and leave it out |
//! | `<!-- … -->` | nothing | show it |
//! | `[text](target)` of the web | unchanged | |
//! | `[text](other)`, as in ExDoc | `text` | look for a Rust item |
//! | `[text]` | `\[text\]` | look for a Rust item |
//! | `https://…` | `<https://…>` | require it |
//!
//! Code between back quotes is unchanged.

/// The schemes of links that are valid on any page.
const SCHEMES: [&str; 3] = ["https://", "http://", "mailto:"];

/// Returns the text for rustdoc.
pub(super) fn harmless(markdown: &str) -> String {
    let mut text = String::with_capacity(markdown.len() + markdown.len() / 8);
    let mut rest = markdown;
    while let Some(first) = rest.chars().next() {
        let before = text.chars().next_back();
        let (written, length) = match first {
            '\\' => copied(rest, 1 + rest[1..].chars().next().map_or(0, char::len_utf8)),
            '`' => copied(rest, code(rest)),
            '<' => angle(rest),
            '[' => link(rest),
            ']' => ("\\]".to_owned(), 1),
            'h' if !before.is_some_and(char::is_alphanumeric) => url(rest),
            other => copied(rest, other.len_utf8()),
        };
        text.push_str(&written);
        rest = &rest[length..];
    }
    text
}

/// Returns the first bytes unchanged.
fn copied(text: &str, length: usize) -> (String, usize) {
    (text[..length].to_owned(), length)
}

/// Returns the paragraph at the start of the text.
fn paragraph(text: &str) -> &str {
    text.split("\n\n").next().unwrap_or_default()
}

/// Returns the length of the code at the start of the text, or of its back quotes if they are not
/// closed.
fn code(text: &str) -> usize {
    let open = text.len() - text.trim_start_matches('`').len();
    let paragraph = paragraph(text);
    let mut position = open;
    while let Some(found) = paragraph.get(position..).and_then(|rest| rest.find('`')) {
        let start = position + found;
        let run = paragraph[start..].len() - paragraph[start..].trim_start_matches('`').len();
        position = start + run;
        if run == open {
            return position;
        }
    }
    open
}

/// Handles `<`: a link in angle brackets is kept, a comment is removed, everything else is text.
fn angle(text: &str) -> (String, usize) {
    let inside = &text[1..];
    if SCHEMES.iter().any(|scheme| inside.starts_with(scheme))
        && let Some(end) = inside.find(['>', ' ', '\n'])
        && inside[end..].starts_with('>')
    {
        return copied(text, end + 2);
    }
    match text.find("-->") {
        Some(end) if text.starts_with("<!--") => (String::new(), end + 3),
        _ => ("\\<".to_owned(), 1),
    }
}

/// Handles `[`.
fn link(text: &str) -> (String, usize) {
    let Some(end) = closing(paragraph(text)) else {
        return ("\\[".to_owned(), 1);
    };
    let label = harmless(&text[1..end]);
    let behind = &text[end + 1..];
    let target = behind.strip_prefix('(').and_then(|inside| {
        let target = inside.split([')', '\n']).next()?;
        inside[target.len()..].starts_with(')').then_some(target)
    });
    match target {
        Some(target) if SCHEMES.iter().any(|scheme| target.starts_with(scheme)) => {
            (format!("[{label}]({target})"), end + target.len() + 3)
        }
        Some(target) => (label, end + target.len() + 3),
        None => (format!("\\[{label}\\]"), end + 1),
    }
}

/// Returns the position of the bracket that closes the first one.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    let mut position = 0;
    while let Some(first) = text.get(position..)?.chars().next() {
        match first {
            '\\' => {
                position += 1 + text[position + 1..]
                    .chars()
                    .next()
                    .map_or(0, char::len_utf8);
                continue;
            }
            '`' => {
                position += code(&text[position..]);
                continue;
            }
            '[' => depth += 1,
            ']' => {
                depth -= 1;
                if depth == 0 {
                    return Some(position);
                }
            }
            _ => {}
        }
        position += first.len_utf8();
    }
    None
}

/// Returns a web link in angle brackets, if the text begins with one.
fn url(text: &str) -> (String, usize) {
    let is_web = text.starts_with("https://") || text.starts_with("http://");
    if !is_web {
        return copied(text, 1);
    }
    let is_end = |letter: char| letter.is_whitespace() || "<>\"`()[]{}|\\".contains(letter);
    let whole = text.split(is_end).next().unwrap_or_default();
    let url = whole.trim_end_matches(['.', ',', ';', ':', '!', '?', '\'', '*', '_']);
    if url.ends_with("://") {
        copied(text, url.len())
    } else {
        (format!("<{url}>"), url.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_stay_and_nothing_is_taken_for_html_or_an_item() {
        for (markdown, expected) in [
            (
                "`(?(<name>)yes)` and (?(<name>)yes)",
                "`(?(<name>)yes)` and (?(\\<name>)yes)",
            ),
            ("a < b, \\[c\\]", "a \\< b, \\[c\\]"),
            ("[Options] and [x][y]", "\\[Options\\] and \\[x\\]\\[y\\]"),
            (
                "[`f/1`](`m:f/1`) [w](https://a.b/c)",
                "`f/1` [w](https://a.b/c)",
            ),
            (
                "see https://a.b/c. (http://d)",
                "see <https://a.b/c>. (<http://d>)",
            ),
            ("<https://a.b> http:// hello", "<https://a.b> http:// hello"),
            (
                "one<!-- two -->three ``a ` b`` `open",
                "onethree ``a ` b`` `open",
            ),
            ("[open\n\nclosed]", "\\[open\n\nclosed\\]"),
            ("[[a], `]`]", "\\[\\[a\\], `]`\\]"),
        ] {
            assert_eq!(harmless(markdown), expected);
        }
    }

    #[test]
    fn any_text_has_an_end() {
        for text in [
            "[", "]", "\\", "`", "<", "<!--", "[(", "[](", "[\\", "h", "é[ß",
        ] {
            harmless(text);
        }
        harmless(&"[".repeat(1_000));
    }
}
