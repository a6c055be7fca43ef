//! Plain terms: the arguments of `-export_type` and its like, and literal defaults.

use pest::iterators::Pair;

use super::build::{Builder, Built};
use super::{Rule, syntax};
use crate::ast::{Constant, FieldDefault, Integer};
use crate::token::{Kind, Token, Value};

impl Builder<'_> {
    /// The only term of a plain form.
    pub(super) fn constant_form(&self, form: Pair<'_, Rule>) -> Built<Constant> {
        match form.into_inner().next() {
            Some(constant) => self.constant(constant),
            None => Err(syntax(self.tokens.last())),
        }
    }

    fn constant(&self, constant: Pair<'_, Rule>) -> Built<Constant> {
        let mut negative = false;
        for pair in constant.into_inner() {
            match pair.as_rule() {
                Rule::constant_sign => negative = self.token(&pair, 0)?.kind == Kind::Minus,
                Rule::constant => return self.constant(pair),
                Rule::constant_leaf => {
                    let leaf = self.leaf(&pair)?;
                    let wrong = || syntax(self.tokens.get(pair.as_span().start()));
                    return if negative {
                        negated(leaf).ok_or_else(wrong)
                    } else {
                        Ok(leaf)
                    };
                }
                _ => return self.structured(pair),
            }
        }
        Err(syntax(self.tokens.last()))
    }

    fn structured(&self, pair: Pair<'_, Rule>) -> Built<Constant> {
        match pair.as_rule() {
            Rule::constant_tuple => self.constants(pair).map(Constant::Tuple),
            Rule::constant_list => {
                let tailed = self.has_tail(&pair);
                let mut elements = self.constants(pair)?;
                let tail = if tailed { elements.pop() } else { None };
                Ok(list(elements, tail))
            }
            Rule::constant_map => {
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
                let arity =
                    leaf(self.token(&pair, 2)?).ok_or_else(|| syntax(self.tokens.last()))?;
                Ok(Constant::Tuple(vec![
                    Constant::Atom(self.name(&pair, 0)?),
                    arity,
                ]))
            }
            // <<"text">> takes a byte of each character; <<"text"/utf8>> encodes them.
            Rule::constant_binary => {
                let text = self.token(&pair, 1)?.text();
                Ok(Constant::Binary(match pair.as_str().len() {
                    5.. => text.as_bytes().to_vec(),
                    _ => text
                        .chars()
                        .map(|character| character as u32 as u8)
                        .collect(),
                }))
            }
            _ => Err(syntax(Some(self.token(&pair, 0)?))),
        }
    }

    /// Whether `|` stands before the last element of a list.
    fn has_tail(&self, list: &Pair<'_, Rule>) -> bool {
        let last = list
            .clone()
            .into_inner()
            .last()
            .map_or(0, |pair| pair.as_span().start());
        last > 0
            && self
                .tokens
                .get(last - 1)
                .is_some_and(|token| token.kind == Kind::Bar)
    }

    fn constants(&self, pair: Pair<'_, Rule>) -> Built<Vec<Constant>> {
        pair.into_inner().map(|pair| self.constant(pair)).collect()
    }

    fn leaf(&self, pair: &Pair<'_, Rule>) -> Built<Constant> {
        let first = self.token(pair, 0)?;
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
        let tokens = self
            .tokens
            .get(span.start()..span.end())
            .unwrap_or_default();
        let literal = |token: &Token| match &token.value {
            Value::Text(text) if token.kind == Kind::String => {
                Some(Constant::String(text.chars().map(u32::from).collect()))
            }
            _ => leaf(token).filter(|leaf| !matches!(leaf, Constant::Binary(_))),
        };
        match tokens {
            [open, close] if (open.kind, close.kind) == (Kind::BracketOpen, Kind::BracketClose) => {
                FieldDefault::Literal(Constant::List(Vec::new(), None))
            }
            [_, _, ..] if tokens.iter().all(|token| token.kind == Kind::String) => {
                let codes = tokens
                    .iter()
                    .flat_map(|part| part.text().chars())
                    .map(u32::from);
                FieldDefault::Literal(Constant::String(codes.collect()))
            }
            [only] => literal(only).map_or(FieldDefault::Expression, FieldDefault::Literal),
            [minus, number] if minus.kind == Kind::Minus => match literal(number) {
                Some(number @ (Constant::Integer(_) | Constant::Float(_))) => {
                    FieldDefault::Negative(number)
                }
                _ => FieldDefault::Expression,
            },
            _ => FieldDefault::Expression,
        }
    }
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
