//! Source text to forms: lexis, preprocessor, grammar.

mod arguments;
mod behaviour_info;
mod condition;
mod definition;
mod directives;
mod docs;
pub(crate) mod encoding;
mod evaluate;
mod include;
pub(crate) mod lexer;
mod macros;
mod preprocess;
mod unit;

use std::collections::BTreeMap;

pub use include::{Include, Includes, NoIncludes};
pub use unit::Unit;

use crate::ast::{Entry, Location, Name};
use crate::diagnostic::{Diagnostic, Parsed};
use crate::release::Release;
use crate::token::{Kind, Token};
use encoding::Encoding;
use lexer::Lexer;
use preprocess::Preprocessor;

/// How source is to be read.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// The OTP release that the source is written for.
    pub release: Release,
    /// `-D NAME=TERM`: macros that the build would define; an empty term stands for `true`.
    pub defines: BTreeMap<String, String>,
}

/// Reads Erlang source: `.erl`, or `.hrl` on its own.
///
/// What is wrong becomes a diagnostic and costs at most its form.
#[must_use]
pub fn parse_source(
    path: &str,
    bytes: &[u8],
    includes: &dyn Includes,
    options: &Options,
) -> Parsed {
    let mut forms = Vec::new();
    let mut parsed = parse_source_by_form(path, bytes, includes, options, |form| forms.push(form));
    parsed.module.forms = forms;
    parsed
}

/// As [`parse_source`], but gives each form to `take` as soon as it is read, and keeps none. So
/// memory does not grow with the file.
pub fn parse_source_by_form(
    path: &str,
    bytes: &[u8],
    includes: &dyn Includes,
    options: &Options,
    mut take: impl FnMut(Entry),
) -> Parsed {
    let mut preprocessor = Preprocessor::new(path, options.release, includes, &mut take);
    for (name, term) in &options.defines {
        preprocessor.predefine(name, predefined_tokens(term, options.release));
    }
    preprocessor.finish(bytes)
}

/// The tokens of a macro's value from the command line, with no full stop.
fn predefined_tokens(term: &str, release: Release) -> Result<Vec<Token>, Diagnostic> {
    if term.is_empty() {
        return Ok(vec![Token::atom(
            Name::new_static("true"),
            Location::default(),
        )]);
    }
    let mut lexer = Lexer::new(term.as_bytes(), Encoding::Utf8, release.0);
    let mut tokens = Vec::new();
    loop {
        match lexer.token() {
            Ok(Some(token)) if token.kind == Kind::Dot => {}
            Ok(Some(token)) => tokens.push(Token {
                at: Location::default(),
                ..token
            }),
            Ok(None) => return Ok(tokens),
            Err(diagnostic) => return Err(diagnostic.in_file(&Name::new_static("command line"))),
        }
    }
}
