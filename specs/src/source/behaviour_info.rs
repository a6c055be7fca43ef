//! The callback lists of a hand-written `behaviour_info/1`, as in old behaviours.

use crate::ast::{BehaviourInfo, Name};
use crate::constant::name_arities;
use crate::grammar;
use crate::lexer::{Kind, Token};
use crate::release::Release;

/// Reads `behaviour_info(callbacks) -> [{init, 1}, …]; …`. Returns `None` if the function is
/// written in another way, e.g. computes its list.
pub(super) fn read(tokens: &[Token], release: Release) -> Option<BehaviourInfo> {
    let mut info = BehaviourInfo::default();
    let mut found = false;
    for clause in clauses(tokens) {
        let [name, open, which, close, arrow, body @ ..] = clause else {
            continue;
        };
        let shape = (name.text(), open.kind, close.kind, arrow.kind);
        if shape
            != (
                "behaviour_info",
                Kind::ParenOpen,
                Kind::ParenClose,
                Kind::Arrow,
            )
        {
            continue;
        }
        match which.text() {
            "callbacks" => {
                info.callbacks = list(body, release)?;
                found = true;
            }
            "optional_callbacks" => info.optional = list(body, release)?,
            _ => {}
        }
    }
    found.then_some(info)
}

/// Returns the clauses of a function, without the separator at the end of each.
fn clauses(tokens: &[Token]) -> impl Iterator<Item = &[Token]> {
    tokens.split(|token| matches!(token.kind, Kind::Semicolon | Kind::Dot))
}

/// Reads a list as if it were in an attribute.
fn list(body: &[Token], release: Release) -> Option<Vec<(Name, usize)>> {
    let at = body.first()?.at;
    let mut tokens = vec![
        Token::bare(Kind::Minus, at),
        Token::atom(Name::new_static("list"), at),
    ];
    tokens.extend_from_slice(body);
    tokens.push(Token::bare(Kind::Dot, at));
    let names = name_arities(&grammar::constant(&tokens, release).ok()?)?;
    names
        .into_iter()
        .map(|(name, arity)| Some((name, usize::try_from(arity).ok()?)))
        .collect()
}
