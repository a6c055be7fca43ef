//! Converts tokens back to text, for `??Argument` and for messages.

use super::terms::{atom, character, float, string};
use crate::lexer::{Kind, Token, Value};

/// Returns a text that scans as these tokens, separated by blanks, as epp writes it for `??`.
pub(crate) fn tokens(tokens: &[Token]) -> String {
    tokens.iter().map(token).collect::<Vec<_>>().join(" ")
}

/// The text of one token.
pub(crate) fn token(token: &Token) -> String {
    match (&token.value, token.kind) {
        (Value::Text(text), Kind::Atom) => atom(text),
        (Value::Text(text), Kind::String | Kind::Sigil) => string(text),
        (Value::Text(text), _) => text.to_string(),
        (Value::Integer(integer), _) => integer.text(),
        (Value::Float(value), _) => float(*value),
        (Value::Code(code), _) => character(*code),
        (Value::None, Kind::Dot) => ".".to_owned(),
        (Value::None, kind) => kind.text().to_owned(),
    }
}
