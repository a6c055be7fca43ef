//! `-doc` and `-moduledoc` (EEP 59, OTP 27).

use crate::ast::{Doc, DocText};
use crate::diagnostic::LocalDiagnostic;
use crate::grammar;
use crate::lexer::{Kind, Token};
use crate::print;

/// Returns whether the attribute is documentation.
pub(super) fn is_doc(tokens: &[Token]) -> bool {
    matches!(tokens.get(1).map(Token::text), Some("doc" | "moduledoc"))
}

/// Returns whether the attribute documents the module.
pub(super) fn is_module_doc(tokens: &[Token]) -> bool {
    tokens.get(1).is_some_and(|name| name.text() == "moduledoc")
}

/// Reads one attribute: a text, `false`, `hidden`, `{file, Path}` or a map of metadata.
///
/// Values of the metadata may be any expression, e.g. `equiv => start(Name, [])`.
pub(super) fn read(tokens: &[Token]) -> Result<Doc, LocalDiagnostic> {
    let value = without_parentheses(tokens.get(2..tokens.len() - 1).unwrap_or_default());
    let doc = match value {
        [hidden] if matches!(hidden.text(), "false" | "hidden") && hidden.kind == Kind::Atom => {
            Doc {
                text: DocText::Hidden,
                ..Doc::default()
            }
        }
        [open, file, comma, path @ .., _close]
            if (open.kind, comma.kind) == (Kind::BraceOpen, Kind::Comma)
                && file.text() == "file" =>
        {
            let text = text(path).map_or(DocText::None, DocText::File);
            Doc {
                text,
                ..Doc::default()
            }
        }
        [hash, open, fields @ .., _close]
            if (hash.kind, open.kind) == (Kind::Hash, Kind::BraceOpen) =>
        {
            metadata(fields)
        }
        value => match text(value) {
            Some(text) => Doc {
                text: DocText::Text(text),
                ..Doc::default()
            },
            None => return Err(grammar::syntax(value.first().or(tokens.last()))),
        },
    };
    Ok(doc)
}

fn without_parentheses(tokens: &[Token]) -> &[Token] {
    match tokens {
        [open, inner @ .., close]
            if (open.kind, close.kind) == (Kind::ParenOpen, Kind::ParenClose) =>
        {
            inner
        }
        tokens => tokens,
    }
}

/// Returns the text of adjacent strings, of a sigil, or of a binary of those.
fn text(tokens: &[Token]) -> Option<String> {
    let strings = match tokens {
        [open, string, close]
            if (open.kind, close.kind) == (Kind::BinaryOpen, Kind::BinaryClose) =>
        {
            std::slice::from_ref(string)
        }
        [open, string, slash, _utf8, close]
            if (open.kind, close.kind) == (Kind::BinaryOpen, Kind::BinaryClose)
                && slash.kind == Kind::Slash =>
        {
            std::slice::from_ref(string)
        }
        strings => strings,
    };
    let is_text = |token: &Token| matches!(token.kind, Kind::String | Kind::Sigil);
    let all = !strings.is_empty() && strings.iter().all(is_text);
    all.then(|| strings.iter().map(Token::text).collect())
}

/// `key => value, key => value`
fn metadata(tokens: &[Token]) -> Doc {
    let mut doc = Doc::default();
    for field in fields(tokens) {
        let [key, arrow, value @ ..] = field else {
            continue;
        };
        if arrow.kind != Kind::MapAssoc {
            continue;
        }
        let words = || Some(text(value).unwrap_or_else(|| print::tokens(value)));
        match key.text() {
            "since" => doc.since = words(),
            "deprecated" => doc.deprecated = words(),
            "equiv" => doc.equiv = words(),
            _ => {}
        }
    }
    doc
}

/// Returns the parts between commas that are outside all brackets.
fn fields(tokens: &[Token]) -> Vec<&[Token]> {
    let mut fields = Vec::new();
    let (mut start, mut depth) = (0, 0usize);
    for (index, token) in tokens.iter().enumerate() {
        match token.kind {
            Kind::ParenOpen | Kind::BraceOpen | Kind::BracketOpen | Kind::BinaryOpen => depth += 1,
            Kind::ParenClose | Kind::BraceClose | Kind::BracketClose | Kind::BinaryClose => {
                depth = depth.saturating_sub(1);
            }
            Kind::Comma if depth == 0 => {
                fields.push(&tokens[start..index]);
                start = index + 1;
            }
            _ => {}
        }
    }
    fields.push(&tokens[start..]);
    fields
}

/// Adds the part from one attribute to those from the attributes before it.
pub(super) fn merge(whole: &mut Doc, part: Doc) {
    if part.text != DocText::None {
        whole.text = part.text;
    }
    whole.since = part.since.or(whole.since.take());
    whole.deprecated = part.deprecated.or(whole.deprecated.take());
    whole.equiv = part.equiv.or(whole.equiv.take());
}
