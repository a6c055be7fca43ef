//! Plain terms: the arguments of `-export_type` and its like, and literal defaults.

use pest::iterators::Pair;

use super::{Builder, Built, Rule, syntax};
use crate::ast::{Constant, FieldDefault, Integer};
use crate::lexer::{Kind, Token, Value};

impl Builder<'_> {
    /// The only term of an attribute.
    pub(super) fn constant_form(&self, attribute: Pair<'_, Rule>) -> Built<Constant> {
        let mut pairs = self.definition(attribute)?;
        self.constant(self.next(&mut pairs)?)
    }

    fn constant(&self, term: Pair<'_, Rule>) -> Built<Constant> {
        let mut negative = false;
        for pair in term.into_inner() {
            match pair.as_rule() {
                Rule::sign => negative = self.token(&pair)?.kind == Kind::Minus,
                Rule::term => return self.constant(pair),
                Rule::literal => {
                    let leaf = self.leaf(&pair)?;
                    let wrong = || syntax(self.token(&pair).ok());
                    return if negative {
                        negated(leaf).ok_or_else(wrong)
                    } else {
                        Ok(leaf)
                    };
                }
                _ => return self.structured(pair),
            }
        }
        Err(self.incomplete())
    }

    fn structured(&self, pair: Pair<'_, Rule>) -> Built<Constant> {
        match pair.as_rule() {
            Rule::tuple => self.constants(pair).map(Constant::Tuple),
            Rule::list => self.list_term(pair),
            Rule::map => {
                let mut keys_and_values = self.constants(pair)?.into_iter();
                let mut fields = Vec::new();
                while let (Some(key), Some(value)) =
                    (keys_and_values.next(), keys_and_values.next())
                {
                    fields.push((key, value));
                }
                Ok(Constant::Map(fields))
            }
            Rule::name_arity => {
                let mut pairs = pair.into_inner();
                let name = self.next_name(&mut pairs)?;
                let arity = leaf(self.token(&self.next(&mut pairs)?)?);
                let arity = arity.ok_or_else(|| self.incomplete())?;
                Ok(Constant::Tuple(vec![Constant::Atom(name), arity]))
            }
            // <<"text">> takes a byte of each character; <<"text"/utf8>> encodes them.
            Rule::binary => {
                let text = self.token_at(pair.as_span().start() + 1)?.text();
                Ok(Constant::Binary(match pair.as_str().len() {
                    5.. => text.as_bytes().to_vec(),
                    _ => text
                        .chars()
                        .map(|character| character as u32 as u8)
                        .collect(),
                }))
            }
            _ => Err(syntax(Some(self.token(&pair)?))),
        }
    }

    /// `[A, B]`, `[A, B | Tail]`
    fn list_term(&self, list_pair: Pair<'_, Rule>) -> Built<Constant> {
        let (mut elements, mut tail) = (Vec::new(), None);
        for pair in list_pair.into_inner() {
            match pair.as_rule() {
                Rule::tail => tail = Some(self.constant(self.next(&mut pair.into_inner())?)?),
                _ => elements.push(self.constant(pair)?),
            }
        }
        Ok(list(elements, tail))
    }

    fn constants(&self, pair: Pair<'_, Rule>) -> Built<Vec<Constant>> {
        pair.into_inner().map(|pair| self.constant(pair)).collect()
    }

    fn leaf(&self, pair: &Pair<'_, Rule>) -> Built<Constant> {
        let first = self.token(pair)?;
        if first.kind == Kind::String {
            let span = pair.as_span();
            let parts = self
                .tokens
                .get(span.start()..span.end())
                .unwrap_or_default();
            let codes = parts
                .iter()
                .flat_map(|part| part.text().chars())
                .map(u32::from);
            let elements = codes.map(|code| Constant::Integer(Integer::Small(i64::from(code))));
            return Ok(list(elements.collect(), None));
        }
        match leaf(first) {
            Some(Constant::Char(code)) => Ok(Constant::Integer(Integer::Small(i64::from(code)))),
            Some(constant) => Ok(constant),
            None => Err(syntax(Some(first))),
        }
    }

    /// A record field's default: literals are kept.
    pub(super) fn default(&self, pair: &Pair<'_, Rule>) -> FieldDefault {
        let span = pair.as_span();
        let tokens = self.tokens.get(span.start()..span.end());
        let tokens = without_parentheses(tokens.unwrap_or_default());
        if let Some(literal) = default_literal(tokens) {
            return FieldDefault::Literal(literal);
        }
        match tokens {
            [minus, number @ ..] if minus.kind == Kind::Minus => {
                match default_literal(without_parentheses(number)) {
                    Some(number @ (Constant::Integer(_) | Constant::Float(_))) => {
                        FieldDefault::Negative(number)
                    }
                    _ => FieldDefault::Expression,
                }
            }
            _ => FieldDefault::Expression,
        }
    }
}

/// The literal that is a whole default: an atom, number, character, string or `[]`.
fn default_literal(tokens: &[Token]) -> Option<Constant> {
    let is_string = |token: &Token| token.kind == Kind::String;
    match tokens {
        [open, close] if (open.kind, close.kind) == (Kind::BracketOpen, Kind::BracketClose) => {
            Some(Constant::List(Vec::new(), None))
        }
        [first, ..] if is_string(first) && tokens.iter().all(is_string) => {
            let codes = tokens.iter().flat_map(|part| part.text().chars());
            Some(Constant::String(codes.map(u32::from).collect()))
        }
        [only] => leaf(only).filter(|leaf| !matches!(leaf, Constant::Binary(_))),
        _ => None,
    }
}

/// An expression without the parentheses around all of it, which leave no node.
fn without_parentheses(tokens: &[Token]) -> &[Token] {
    let is = |kind: Kind| move |token: &&Token| token.kind == kind;
    let opening = tokens.iter().take_while(is(Kind::ParenOpen)).count();
    let closing = tokens.iter().rev().take_while(is(Kind::ParenClose)).count();
    let inner = tokens.get(opening..tokens.len() - closing);
    // An inner part that closes some of the first ones, as in `(1) + (2)`, leaves fewer around all.
    let (mut depth, mut around) = (opening, opening.min(closing));
    for token in inner.unwrap_or_default() {
        match token.kind {
            Kind::ParenOpen => depth += 1,
            Kind::ParenClose => depth = depth.saturating_sub(1),
            _ => {}
        }
        around = around.min(depth);
    }
    tokens
        .get(around..tokens.len() - around)
        .unwrap_or_default()
}

/// A list; a list as tail continues it.
fn list(mut elements: Vec<Constant>, tail: Option<Constant>) -> Constant {
    match tail {
        Some(Constant::List(more, end)) => {
            elements.extend(more);
            Constant::List(elements, end)
        }
        tail => Constant::List(elements, tail.map(Box::new)),
    }
}

fn leaf(token: &Token) -> Option<Constant> {
    Some(match (&token.value, token.kind) {
        (Value::Text(text), Kind::Atom) => Constant::Atom(text.clone()),
        (Value::Text(text), Kind::Sigil) => Constant::Binary(text.as_bytes().to_vec()),
        (Value::Integer(integer), _) => Constant::Integer(integer.clone()),
        (Value::Float(float), _) => Constant::Float(*float),
        (Value::Code(code), _) => Constant::Char(*code),
        _ => return None,
    })
}

fn negated(constant: Constant) -> Option<Constant> {
    match constant {
        Constant::Integer(integer) => Some(Constant::Integer(integer.negated())),
        Constant::Float(float) => Some(Constant::Float(-float)),
        _ => None,
    }
}
