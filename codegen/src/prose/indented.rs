//! Adds fences to code that is marked only by its indentation, which rustdoc would treat as a test.

use super::{closes, list_mark, opening};

/// The number of spaces in front of code, relative to the start of text.
const INDENT: usize = 4;
/// Maximum number of spaces in front of a fence.
const MOST: usize = 3;

/// Returns the Markdown with fences around indented code.
pub(super) fn fenced(markdown: &str) -> String {
    let mut text = String::with_capacity(markdown.len());
    // The column at which the text of each list item begins that may contain the line.
    let mut items: Vec<usize> = Vec::new();
    let mut fence: Option<String> = None;
    let mut after_blank = true;
    let mut lines = markdown.lines().peekable();
    while let Some(line) = lines.next() {
        let bare = line.trim_start();
        let indent = line.len() - bare.len();
        if let Some(mark) = &fence {
            if closes(bare.trim_end(), mark) {
                fence = None;
            }
        } else if !bare.is_empty() {
            if after_blank {
                items.retain(|item| *item <= indent);
            }
            let begin = items.last().copied().unwrap_or(0);
            if after_blank && indent >= begin + INDENT {
                let mut code = vec![&line[begin + INDENT..]];
                while let Some(more) = lines.next_if(|more| is_code(more, begin)) {
                    code.push(more.get(begin + INDENT..).unwrap_or_default());
                }
                text.push_str(&between_fences(&code, begin.min(MOST)));
                continue;
            }
            fence = opening(&bare[list_mark(bare)..]).map(|(mark, _)| mark);
            if let Some(mark) = item_mark(bare) {
                items.retain(|item| *item <= indent);
                items.push(indent + mark);
            }
        }
        after_blank = bare.is_empty();
        text.push_str(line);
        text.push('\n');
    }
    text
}

/// Returns whether a line continues code that is indented from there.
fn is_code(line: &str, begin: usize) -> bool {
    let bare = line.trim_start();
    bare.is_empty() || line.len() - bare.len() >= begin + INDENT
}

/// Blank lines behind the code stay behind it.
fn between_fences(code: &[&str], indent: usize) -> String {
    let blank = code.iter().rev().take_while(|line| line.trim().is_empty());
    let (code, blank) = code.split_at(code.len() - blank.count());
    let backquotes = code.iter().any(|line| line.trim_start().starts_with("```"));
    let mark = if backquotes { "~~~" } else { "```" };
    let space = " ".repeat(indent);
    let mut text = format!("{space}{mark}\n");
    for line in code {
        let space = if line.is_empty() { "" } else { &space };
        text.push_str(&format!("{space}{line}\n"));
    }
    text.push_str(&format!("{space}{mark}\n"));
    // The text after the code needs a blank line, even if only the indentation separated them.
    text.push_str(&"\n".repeat(blank.len().max(1)));
    text
}

/// Returns the length of a list item's mark, `- ` or `12. `, with the spaces behind it.
fn item_mark(bare: &str) -> Option<usize> {
    let digits = bare.len()
        - bare
            .trim_start_matches(|letter: char| letter.is_ascii_digit())
            .len();
    let mark = match list_mark(bare) {
        0 if digits > 0 && bare[digits..].starts_with(". ") => digits + 2,
        0 => return None,
        mark => mark,
    };
    let rest = &bare[mark..];
    let spaces = rest.len() - rest.trim_start().len();
    // With more spaces, the item begins with code.
    Some(mark + if spaces < INDENT { spaces } else { 0 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indented_code_gets_fences_and_text_of_lists_does_not() {
        for (markdown, expected) in [
            (
                "a\n\n    x\n      y\n\n    z\n\nb\n",
                "a\n\n```\nx\n  y\n\nz\n```\n\nb\n",
            ),
            ("    x\nb\n", "```\nx\n```\n\nb\n"),
            ("a\n    b\n", "a\n    b\n"),
            (
                "  * a\n\n    b\n\n        x\n",
                "  * a\n\n    b\n\n   ```\n   x\n   ```\n\n",
            ),
            (
                "  * a\n    * b\n\n      c\n\n    d\n",
                "  * a\n    * b\n\n      c\n\n    d\n",
            ),
            (
                "1. a\n\n   b\n\nc\n\n    x\n",
                "1. a\n\n   b\n\nc\n\n```\nx\n```\n\n",
            ),
            ("```\n\n    x\n```\n", "```\n\n    x\n```\n"),
            ("    ```\n    x\n", "~~~\n```\nx\n~~~\n\n"),
        ] {
            assert_eq!(fenced(markdown), expected, "{markdown}");
        }
    }
}
