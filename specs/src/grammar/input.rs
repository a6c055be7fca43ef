//! A form as the string that the grammar reads, within limits that keep the parser, and every later
//! walk over the tree, from running out of stack.

use crate::catalog;
use crate::diagnostic::LocalDiagnostic;
use crate::release::Release;
use crate::token::{Kind, Token};

/// Brackets inside each other. OTP needs ten.
const MAX_NESTING: usize = 64;
/// Infix operators, and prefix operators other than signs of a number, in one form.
const MAX_OPERATORS: usize = 512;
/// Annotations directly on annotations, in one form.
const MAX_ANNOTATIONS: usize = 128;

/// One letter for each token. In the form of a record, the defaults of its fields are masked: any
/// expression may stand there.
pub(super) fn letters(
    tokens: &[Token],
    is_record: bool,
    release: Release,
) -> Result<String, LocalDiagnostic> {
    let mut kinds: Vec<Kind> = tokens.iter().map(|token| token.kind).collect();
    if release.has_native_records() {
        name_records(tokens, &mut kinds);
    }
    if is_record {
        mask_defaults(&mut kinds);
    }
    match beyond_limits(&kinds) {
        Some(index) => Err(catalog::TOO_DEEP.at(tokens[index].at, "")),
        None => Ok(kinds.into_iter().map(Kind::letter).collect()),
    }
}

/// Names of native records may look like variables and keywords: `-record #Name{…}`, `#m:end{…}`.
fn name_records(tokens: &[Token], kinds: &mut [Kind]) {
    use Kind::{Atom, Colon, Hash, Minus, ParenOpen};
    for index in 0..kinds.len() {
        let name = match &kinds[index..] {
            [Hash, Atom, Colon, ..] => index + 3,
            [Hash, ..] if matches!(&kinds[..index], [Minus, Atom] | [Minus, Atom, ParenOpen]) => {
                index + 1
            }
            _ => continue,
        };
        if let (Some(kind), Some(token)) = (kinds.get_mut(name), tokens.get(name))
            && (token.kind == Kind::Variable || Kind::keyword(token.kind.text()).is_some())
        {
            *kind = Kind::Atom;
        }
    }
}

fn opens(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::ParenOpen | Kind::BraceOpen | Kind::BracketOpen | Kind::BinaryOpen
    )
}

fn closes(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::ParenClose | Kind::BraceClose | Kind::BracketClose | Kind::BinaryClose
    )
}

/// Masks what stands between the `=` of a record field and the `,`, `::`, `}` or `)` that ends it.
///
/// Parentheses do not count: they may stand around a field, `(a = 1)`.
fn mask_defaults(kinds: &mut [Kind]) {
    let Some(open) = kinds.iter().position(|kind| *kind == Kind::BraceOpen) else {
        return;
    };
    let mut depth = 0usize;
    let mut index = open;
    while index < kinds.len() {
        match kinds[index] {
            Kind::ParenOpen | Kind::ParenClose => {}
            kind if opens(kind) => depth += 1,
            kind if closes(kind) => depth = depth.saturating_sub(1),
            Kind::Assign if depth == 1 => {
                let end = expression_end(kinds, index + 1);
                kinds[index + 1..end].fill(Kind::Masked);
                index = end;
                continue;
            }
            _ => {}
        }
        index += 1;
    }
}

/// The end of the expression that starts at `start`: a `,`, `::`, `}` or `)` that no bracket or block
/// holds.
fn expression_end(kinds: &[Kind], start: usize) -> usize {
    let mut closers = Vec::new();
    for (index, kind) in kinds.iter().enumerate().skip(start) {
        match kind {
            Kind::ParenOpen => closers.push(Kind::ParenClose),
            Kind::BraceOpen => closers.push(Kind::BraceClose),
            Kind::BracketOpen => closers.push(Kind::BracketClose),
            Kind::BinaryOpen => closers.push(Kind::BinaryClose),
            Kind::Begin
            | Kind::Case
            | Kind::If
            | Kind::Receive
            | Kind::Try
            | Kind::Cond
            | Kind::Maybe => closers.push(Kind::End),
            // fun (…) -> … end, fun Name(…) -> … end
            Kind::Fun => match &kinds[index + 1..] {
                [Kind::ParenOpen, ..] | [Kind::Variable, Kind::ParenOpen, ..] => {
                    closers.push(Kind::End);
                }
                _ => {}
            },
            kind if closers.last() == Some(kind) => drop(closers.pop()),
            Kind::Comma | Kind::DoubleColon | Kind::BraceClose | Kind::ParenClose
                if closers.is_empty() =>
            {
                return index;
            }
            _ => {}
        }
    }
    kinds.len()
}

/// The index at which a limit is passed.
fn beyond_limits(kinds: &[Kind]) -> Option<usize> {
    let (mut depth, mut operators, mut annotations) = (0usize, 0usize, 0usize);
    for (index, kind) in kinds.iter().copied().enumerate() {
        match kind {
            _ if opens(kind) => depth += 1,
            _ if closes(kind) => depth = depth.saturating_sub(1),
            Kind::Plus | Kind::Minus if is_sign(kinds, index) => {}
            // `f/1` in a list of names.
            Kind::Slash if index > 0 && kinds[index - 1] == Kind::Atom => {}
            Kind::DoubleColon if index >= 2 && kinds[index - 2] == Kind::DoubleColon => {
                annotations += 1;
            }
            _ if super::operators::is_operator(kind) => operators += 1,
            _ => {}
        }
        if depth > MAX_NESTING || operators > MAX_OPERATORS || annotations > MAX_ANNOTATIONS {
            return Some(index);
        }
    }
    None
}

/// Whether a `+` or `-` is the sign of an integer.
fn is_sign(kinds: &[Kind], index: usize) -> bool {
    let after_operand = index > 0
        && match kinds[index - 1] {
            Kind::Atom | Kind::Variable | Kind::Integer | Kind::Char => true,
            before => closes(before),
        };
    kinds.get(index + 1) == Some(&Kind::Integer) && !after_operand
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each kind's letter is its own, and each rule of `tokens.pest` is the token that it says.
    #[test]
    fn letters_are_distinct_and_those_of_the_grammar() {
        let mut letters: Vec<char> = Kind::ALL.iter().map(|(kind, _)| kind.letter()).collect();
        letters.sort_unstable();
        letters.dedup();
        assert_eq!(letters.len(), Kind::ALL.len());
        let rules = include_str!("tokens.pest").lines();
        let rules = rules.filter(|line| !line.is_empty() && !line.starts_with("//"));
        for rule in rules {
            let (definition, text) = rule.split_once(" // ").expect("a token's text");
            let letter = definition.split('"').nth(1).expect("a letter");
            let known = Kind::ALL.iter().find(|(_, known)| *known == text);
            let (kind, _) = known.expect("a token of that text");
            assert_eq!(letter, kind.letter().to_string(), "{rule}");
        }
    }

    #[test]
    fn only_the_file_of_tokens_has_letters() {
        let rules = include_str!("forms.pest").lines();
        let mut rules = rules.filter(|line| !line.starts_with("//"));
        assert_eq!(rules.find(|line| line.contains('"')), None);
    }
}
