//! A form as the string that the grammar reads, and how deep its brackets are: the parser recurses.
//! Then pest reads it.

use pest::Parser;
use pest::error::InputLocation;
use pest::iterators::Pair;

use super::{Builder, Forms, Rule};
use crate::ast::nesting;
use crate::catalog;
use crate::diagnostic::LocalDiagnostic;
use crate::lexer::{Kind, Token};
use crate::release::Release;

/// A form as the grammar reads it.
pub(super) struct Letters {
    /// One letter for each token.
    pub(super) text: String,
    /// At least as many levels as the tree will have.
    pub(super) depth: usize,
}

/// In the form of a record, the defaults of its fields are masked: any expression may stand there.
pub(super) fn letters(
    tokens: &[Token],
    rule: Rule,
    release: Release,
) -> Result<Letters, LocalDiagnostic> {
    let mut kinds: Vec<Kind> = tokens.iter().map(|token| token.kind).collect();
    if release.has_native_records() {
        name_records(tokens, &mut kinds);
    }
    if rule == Rule::record_attribute {
        mask_defaults(&mut kinds);
    }
    let deepest = match rule {
        // Plain terms stay on the caller's stack.
        Rule::term_attribute => nesting::SHALLOW,
        _ => nesting::DEEPEST,
    };
    let depth = match deep_name(&kinds, rule) {
        Some(index) => Err(index),
        None => Levels::of(&kinds, deepest),
    };
    let depth = depth.map_err(|index| catalog::TOO_DEEP.at(tokens[index].at, ""))?;
    let text = kinds.into_iter().map(Kind::letter).collect();
    Ok(Letters { text, depth })
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

/// The end of the expression that starts at `start`: a `,`, `::`, `}` or `)` that no bracket or
/// block holds.
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

/// The index at which too many parentheses are around the head of a type or the field of a record.
/// The grammar reads twice what each of them holds.
fn deep_name(kinds: &[Kind], rule: Rule) -> Option<usize> {
    let (mut depth, mut parentheses, mut is_name) = (0usize, 0, rule == Rule::type_attribute);
    for (index, kind) in kinds.iter().copied().enumerate() {
        match (rule, kind) {
            (Rule::type_attribute, Kind::DoubleColon) => return None,
            (_, Kind::ParenOpen) if is_name => parentheses += 1,
            // A field stands behind the brace of the record or a comma there.
            (Rule::record_attribute, _) => {
                is_name = matches!(kind, Kind::BraceOpen | Kind::Comma) && depth <= 2;
                parentheses = 0;
            }
            _ => {}
        }
        if parentheses > nesting::SHALLOW {
            return Some(index);
        }
        depth += usize::from(opens(kind));
        depth = depth.saturating_sub(usize::from(closes(kind)));
    }
    None
}

/// How deep the parts of a form are, at one level of brackets.
#[derive(Default)]
struct Levels {
    /// The deepest part so far.
    deepest: usize,
    /// The deepest bracket of the part that is being read, between commas and the like.
    inner: usize,
    /// Its operators, each of which may have the ones before it as an operand.
    operators: usize,
    /// Its annotations, and the unions behind them, which belong to them: `A :: a | B :: b | …`.
    annotations: usize,
    /// It is a union that no annotation counts.
    is_union: bool,
    /// What the last annotation holds is a union.
    holds_union: bool,
}

impl Levels {
    /// The levels of all tokens, or the index of the token at which there are more than `most`.
    fn of(kinds: &[Kind], most: usize) -> Result<usize, usize> {
        let mut outer: Vec<Levels> = Vec::new();
        let mut level = Levels::default();
        for (index, kind) in kinds.iter().copied().enumerate() {
            if opens(kind) {
                outer.push(std::mem::take(&mut level));
            } else if closes(kind) {
                let inner = level.depth() + 1;
                level = outer.pop().unwrap_or_default();
                level.inner = level.inner.max(inner);
            } else {
                level.token(kind);
            }
            if outer.len() + level.depth() > most {
                return Err(index);
            }
        }
        let open = outer.len();
        outer.push(level);
        let deepest = outer.iter().map(Levels::depth).max();
        Ok(open + deepest.unwrap_or(0))
    }

    fn token(&mut self, kind: Kind) {
        match kind {
            Kind::Comma
            | Kind::Semicolon
            | Kind::Arrow
            | Kind::When
            | Kind::MapAssoc
            | Kind::MapExact => {
                *self = Levels {
                    deepest: self.depth(),
                    ..Levels::default()
                }
            }
            Kind::Bar => {
                let is_held = self.annotations > 0;
                let is_new = is_held && !self.holds_union;
                *self = Levels {
                    deepest: self.depth(),
                    annotations: self.annotations + usize::from(is_new),
                    is_union: !is_held,
                    holds_union: is_held,
                    ..Levels::default()
                }
            }
            Kind::DoubleColon => {
                // A union before it holds it.
                self.annotations += 1 + usize::from(self.is_union);
                self.is_union = false;
                self.holds_union = false;
            }
            _ => self.operators += usize::from(super::operators::is_operator(kind)),
        }
    }

    fn depth(&self) -> usize {
        let part = self.inner + self.operators + self.annotations;
        self.deepest.max(part + usize::from(self.is_union))
    }
}

/// Runs pest over the letters of the tokens, and the builder over its pairs.
pub(super) fn parse<'t, T>(
    rule: Rule,
    tokens: &'t [Token],
    release: Release,
    build: impl FnOnce(&Builder<'t>, Pair<'_, Rule>) -> Result<T, LocalDiagnostic>,
) -> Result<T, LocalDiagnostic> {
    let letters = letters(tokens, rule, release)?;
    let parse = || parse_letters(rule, &letters.text, tokens, release, build);
    if letters.depth > nesting::SHALLOW {
        nesting::on_large_stack(parse)
    } else {
        parse()
    }
}

fn parse_letters<'t, T>(
    rule: Rule,
    letters: &str,
    tokens: &'t [Token],
    release: Release,
    build: impl FnOnce(&Builder<'t>, Pair<'_, Rule>) -> Result<T, LocalDiagnostic>,
) -> Result<T, LocalDiagnostic> {
    match Forms::parse(rule, letters) {
        Ok(mut pairs) => match pairs.next() {
            Some(form) => build(&Builder { tokens, release }, form),
            None => Err(syntax(tokens.last())),
        },
        Err(error) => {
            let position = match error.location {
                InputLocation::Pos(position) | InputLocation::Span((position, _)) => position,
            };
            Err(syntax(tokens.get(position).or(tokens.last())))
        }
    }
}

/// `syntax error before X`, as erl_parse words it.
pub(crate) fn syntax(token: Option<&Token>) -> LocalDiagnostic {
    let at = token.map(|token| token.at).unwrap_or_default();
    let shown = token.map(crate::print::token).unwrap_or_default();
    catalog::SYNTAX.at(at, format!("`{shown}`"))
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
