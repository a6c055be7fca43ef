//! The tokens of Rust source, as far as paths need them: names and punctuation, without comments,
//! literals and lifetimes.

/// A name or a punctuation character, with its line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Token {
    pub(crate) text: String,
    pub(crate) line: usize,
}

impl Token {
    pub(crate) fn is(&self, text: &str) -> bool {
        self.text == text
    }

    pub(crate) fn is_name(&self) -> bool {
        self.text.starts_with(is_name_start)
    }
}

/// Returns the tokens of a file.
pub(crate) fn tokens(text: &str) -> Vec<Token> {
    let mut reader = Reader {
        rest: text,
        line: 1,
    };
    let mut tokens = Vec::new();
    while !reader.rest.is_empty() {
        tokens.extend(reader.token());
    }
    tokens
}

/// Returns the comments and literals of a file, without their marks.
pub(crate) fn texts(text: &str) -> Vec<Token> {
    let mut reader = Reader {
        rest: text,
        line: 1,
    };
    let mut texts = Vec::new();
    while !reader.rest.is_empty() {
        let line = reader.line;
        let length = reader.skipped();
        if length == 0 {
            reader.token();
            continue;
        }
        let text = reader.take(length).trim();
        if !text.is_empty() && !text.starts_with('\'') {
            let text = match text.starts_with('/') {
                true => text.trim_start_matches(['/', '!', '*']),
                false => text.split_once('"').map_or(text, |(_, text)| text),
            };
            let text = text
                .trim_end_matches(['*', '/', '#', '"'])
                .trim()
                .to_owned();
            texts.push(Token { text, line });
        }
    }
    texts
}

struct Reader<'t> {
    rest: &'t str,
    line: usize,
}

impl<'t> Reader<'t> {
    /// Reads a token, or skips text that is not a token.
    fn token(&mut self) -> Option<Token> {
        let line = self.line;
        let length = self.skipped();
        if length > 0 {
            self.take(length);
            return None;
        }
        let raw = self
            .rest
            .strip_prefix("r#")
            .filter(|rest| rest.starts_with(is_name_start));
        if raw.is_some() {
            self.take(2);
        }
        let length = match self.rest.find(|c| !is_name(c)) {
            _ if self.rest.starts_with("::") => 2,
            Some(0) => self.rest.chars().next().map_or(0, char::len_utf8),
            Some(end) => end,
            None => self.rest.len(),
        };
        let text = self.take(length).to_owned();
        Some(Token { text, line })
    }

    fn take(&mut self, length: usize) -> &'t str {
        let (taken, rest) = self.rest.split_at(length);
        self.line += taken.matches('\n').count();
        self.rest = rest;
        taken
    }

    /// Returns the length of text that is not a token: a space, a comment, a literal, a lifetime.
    fn skipped(&self) -> usize {
        let rest = self.rest;
        if rest.starts_with("//") {
            return rest.find('\n').unwrap_or(rest.len());
        }
        if rest.starts_with("/*") {
            return block_comment(rest);
        }
        let first = rest.chars().next().unwrap_or_default();
        match first {
            '"' => quoted(rest, '"'),
            '\'' => quoted_character(rest),
            _ if first.is_whitespace() => first.len_utf8(),
            _ => prefixed(rest),
        }
    }
}

fn is_name_start(c: char) -> bool {
    c.is_alphabetic() || c == '_'
}

fn is_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Returns the length of a block comment. Block comments nest.
fn block_comment(text: &str) -> usize {
    let (mut depth, mut at) = (0, 0);
    while at < text.len() {
        let step = match &text[at..] {
            rest if rest.starts_with("/*") => {
                depth += 1;
                2
            }
            rest if rest.starts_with("*/") => {
                depth -= 1;
                2
            }
            rest => rest.chars().next().map_or(1, char::len_utf8),
        };
        at += step;
        if depth == 0 {
            break;
        }
    }
    at
}

/// Returns the length from one quotation mark to the next one that is not escaped.
fn quoted(text: &str, mark: char) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            c if c == mark => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// Returns the length of a character, or of a lifetime, which has no second mark.
fn quoted_character(text: &str) -> usize {
    let mut after = text.chars().skip(1);
    let (first, second) = (after.next(), after.next());
    if first == Some('\\') || second == Some('\'') {
        return quoted(text, '\'');
    }
    1 + text[1..].find(|c| !is_name(c)).unwrap_or(text.len() - 1)
}

/// Returns the length of a literal with a prefix, raw or not: `b"…"`, `r#"…"#`; 0 if none begins
/// here.
fn prefixed(text: &str) -> usize {
    let prefixes = ["br", "cr", "b", "c", "r"];
    let Some(prefix) = prefixes.iter().find(|prefix| text.starts_with(**prefix)) else {
        return 0;
    };
    let rest = &text[prefix.len()..];
    let fences = rest.len() - rest.trim_start_matches('#').len();
    if !prefix.contains('r') {
        return match rest.chars().next() {
            Some('"') => prefix.len() + quoted(rest, '"'),
            Some('\'') if *prefix == "b" => prefix.len() + quoted(rest, '\''),
            _ => 0,
        };
    }
    if !rest[fences..].starts_with('"') {
        return 0;
    }
    let end = format!("\"{}", "#".repeat(fences));
    let body = &rest[fences + 1..];
    let length = body.find(&end).map_or(body.len(), |at| at + end.len());
    prefix.len() + fences + 1 + length
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(source: &str) -> Vec<String> {
        tokens(source).into_iter().map(|token| token.text).collect()
    }

    #[test]
    fn names_and_signs_are_left() {
        assert_eq!(
            texts("use crate::{a, r#b};"),
            ["use", "crate", "::", "{", "a", ",", "b", "}", ";"]
        );
    }

    #[test]
    fn comments_text_and_lifetimes_are_not() {
        let source = "a // crate::x\n/* crate::y /* z */ */ b \"crate::c \\\" d\" 'e' '\\'' b'f' 'g h r#\"i \"j\"# br\"k\" c\"l\" é";
        assert_eq!(texts(source), ["a", "b", "h", "é"]);
        assert_eq!(
            texts("fn f<'a>(b: &'a u8) {}").join(" "),
            "fn f < > ( b : & u8 ) { }"
        );
        assert_eq!(texts("break 'outer; bread"), ["break", ";", "bread"]);
    }

    #[test]
    fn lines_are_counted_through_all_of_it() {
        let source = "a\n\"b\nc\"\n/*\n*/ d";
        let lines: Vec<_> = tokens(source).iter().map(|token| token.line).collect();
        assert_eq!(lines, [1, 5]);
    }
}
