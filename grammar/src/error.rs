//! Errors of texts that could not be read.

use std::fmt;

use pest::Parser as _;

use crate::parser::{Erlang, Pair, Rule};

/// Maximum number of nested brackets: more than a person types.
pub const DEEPEST: usize = 256;

/// The reason why a text could not be read, and the location.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error {
    /// The problem: lower case, no full stop.
    pub what: String,
    /// The location in bytes.
    pub offset: usize,
    /// Line, from 1.
    pub line: usize,
    /// Column, from 1, in characters.
    pub column: usize,
    /// The text at the location; empty at the end of the text.
    pub before: String,
}

/// Message of an error if only its location is known.
const SYNTAX: &str = "syntax error";

/// Maximum number of characters that an error shows of the text at its location.
const SHOWN: usize = 20;

impl Error {
    /// Creates an error at a node.
    #[must_use]
    pub fn at(pair: &Pair<'_>, what: impl Into<String>) -> Self {
        let span = pair.as_span();
        Self::new(span.get_input(), span.start(), what.into())
    }

    pub(crate) fn syntax(text: &str, offset: usize) -> Self {
        Self::new(text, offset, SYNTAX.to_owned())
    }

    pub(crate) fn too_deep(text: &str) -> Self {
        let what = format!("nested more than {} levels deep", DEEPEST);
        Self::new(text, 0, what)
    }

    /// Creates the error of a text that pest refuses.
    pub(crate) fn of_pest<T>(
        error: pest::error::Error<Rule>,
        parse: impl Fn() -> Result<T, pest::error::Error<Rule>>,
        text: &str,
    ) -> Self {
        let offset = match error.location {
            pest::error::InputLocation::Pos(offset) => offset,
            pest::error::InputLocation::Span((offset, _)) => offset,
        };
        if is_reserved(text.get(offset..).unwrap_or_default()) {
            return Self::syntax(text, offset);
        }
        // pest always reports where rules failed. It reports where single characters failed only
        // with error detail, which is slower.
        pest::set_error_detail(true);
        let again = parse().err();
        let furthest = again
            .as_ref()
            .and_then(|error| error.parse_attempts())
            .map(|attempts| attempts.max_position);
        Self::syntax(text, furthest.unwrap_or(0).max(offset))
    }

    fn new(text: &str, offset: usize, what: String) -> Self {
        let (read, rest) = text.split_at_checked(offset).unwrap_or((text, ""));
        // pest's position is in front of blanks that the grammar skips.
        let skipped = rest.len() - rest.trim_start().len();
        let (blanks, rest) = rest.split_at(skipped);
        let lines = [read, blanks].concat();
        let last = lines.rsplit('\n').next().unwrap_or_default();
        Error {
            what,
            offset: offset + skipped,
            line: lines.matches('\n').count() + 1,
            column: last.chars().count() + 1,
            before: shown(rest),
        }
    }
}

/// Returns whether a text begins with a word that cannot be an atom.
fn is_reserved(text: &str) -> bool {
    let word = shown(text);
    let read = Erlang::parse(Rule::reserved, &word);
    read.is_ok_and(|mut pairs| pairs.next().is_some_and(|pair| pair.as_str() == word))
}

/// Returns the word, or otherwise the character, at the beginning of a text.
fn shown(text: &str) -> String {
    let is_word = |letter: &char| letter.is_alphanumeric() || matches!(letter, '_' | '@');
    let word: String = text.chars().take_while(is_word).take(SHOWN).collect();
    match word.as_str() {
        "" => text.chars().take(1).collect(),
        _ => word,
    }
}

impl fmt::Display for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_syntax = self.what == SYNTAX;
        if is_syntax {
            write!(formatter, "{SYNTAX} ")?;
        }
        match self.line {
            1 => write!(formatter, "at column {}", self.column)?,
            line => write!(formatter, "at line {line}, column {}", self.column)?,
        }
        match self.before.as_str() {
            "" => formatter.write_str(", at the end")?,
            before => write!(formatter, ", before `{before}`")?,
        }
        match is_syntax {
            true => Ok(()),
            // A sentence is not cut in two by the place.
            false => write!(formatter, ": {}", self.what),
        }
    }
}

impl std::error::Error for Error {}
