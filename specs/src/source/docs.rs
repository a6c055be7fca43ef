//! `-doc` and `-moduledoc` (EEP 59, OTP 27).

use super::token::{Kind, Token};
use crate::ast::{Constant, Doc, DocText};
use crate::diagnostic::Problem;
use crate::grammar;
use crate::print;
use crate::release::Release;

/// Whether the attribute is documentation.
pub(super) fn is_doc(tokens: &[Token]) -> bool {
    matches!(tokens.get(1).map(Token::text), Some("doc" | "moduledoc"))
}

/// Whether the attribute documents the module.
pub(super) fn is_module_doc(tokens: &[Token]) -> bool {
    tokens.get(1).is_some_and(|name| name.text() == "moduledoc")
}

/// Reads one attribute: a text, `false`, `hidden`, `{file, Path}` or a map of metadata.
pub(super) fn read(tokens: &[Token], release: Release) -> Result<Doc, Problem> {
    let text = tokens
        .iter()
        .find(|token| matches!(token.kind, Kind::String | Kind::Sigil));
    let constant = grammar::constant(tokens, release)?;
    let text_of = |constant: &Constant| text_of(constant);
    Ok(match &constant {
        Constant::Atom(name) if matches!(name.as_str(), "false" | "hidden") => Doc {
            text: DocText::Hidden,
            ..Doc::default()
        },
        Constant::Tuple(parts) => match (parts.as_slice(), text) {
            ([Constant::Atom(file), _], Some(path)) if file == "file" => Doc {
                text: DocText::File(path.text().to_owned()),
                ..Doc::default()
            },
            _ => Doc::default(),
        },
        Constant::Map(fields) => metadata(fields),
        other => match text_of(other) {
            Some(text) => Doc {
                text: DocText::Text(text),
                ..Doc::default()
            },
            None => Doc::default(),
        },
    })
}

fn metadata(fields: &[(Constant, Constant)]) -> Doc {
    let mut doc = Doc::default();
    for (key, value) in fields {
        match key.as_atom().map(|name| name.as_str()) {
            Some("since") => doc.since = text_of(value),
            Some("deprecated") => doc.deprecated = text_of(value),
            Some("equiv") => doc.equiv = Some(print::constant(value)),
            _ => {}
        }
    }
    doc
}

/// Characters of a string or binary.
fn text_of(constant: &Constant) -> Option<String> {
    match constant {
        Constant::Binary(bytes) => Some(String::from_utf8_lossy(bytes).into_owned()),
        Constant::List(codes, None) => codes.iter().map(character).collect(),
        _ => None,
    }
}

fn character(constant: &Constant) -> Option<char> {
    match constant {
        Constant::Integer(crate::ast::Integer::Small(code)) => {
            u32::try_from(*code).ok().and_then(char::from_u32)
        }
        _ => None,
    }
}

/// Adds one attribute's part to what the attributes before it said.
pub(super) fn merge(whole: &mut Doc, part: Doc) {
    if part.text != DocText::None {
        whole.text = part.text;
    }
    whole.since = part.since.or(whole.since.take());
    whole.deprecated = part.deprecated.or(whole.deprecated.take());
    whole.equiv = part.equiv.or(whole.equiv.take());
}
