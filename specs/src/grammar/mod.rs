//! The grammar of type-level forms: tokens in, one form out.

mod build;
mod constants;
mod input;
mod operators;
mod types;

use pest::Parser;
use pest::error::InputLocation;
use pest::iterators::Pair;

use crate::ast::{Constant, FormKind, FunctionFormKind, Name, TypeFormKind, nesting};
use crate::catalog;
use crate::diagnostic::LocalDiagnostic;
use crate::release::Release;
use crate::token::{Kind, Token, Value};
use build::Builder;

/// The parser that pest makes of the two files.
#[derive(pest_derive::Parser)]
#[grammar = "grammar/tokens.pest"]
#[grammar = "grammar/forms.pest"]
struct Forms;

/// Reads the attribute that the tokens, from `-` to the full stop, are.
///
/// `None`: an attribute without a type-level meaning.
pub(crate) fn form(
    tokens: &[Token],
    release: Release,
) -> Result<Option<FormKind>, LocalDiagnostic> {
    let [_, name, ..] = tokens else {
        return Ok(None);
    };
    let kind = match name.text() {
        "type" => type_form(tokens, release, TypeFormKind::Type),
        "opaque" => type_form(tokens, release, TypeFormKind::Opaque),
        "nominal" if release.has_nominal() => type_form(tokens, release, TypeFormKind::Nominal),
        "nominal" => {
            return Err(catalog::BAD_ATTRIBUTE.at(name.at, "nominal"));
        }
        "spec" => function_form(tokens, release, FunctionFormKind::Spec),
        "callback" => function_form(tokens, release, FunctionFormKind::Callback),
        "record" => record_form(tokens, release),
        "module" => module_form(tokens),
        "behaviour" | "behavior" => return behaviour_form(tokens, release),
        "compile" => return compile_form(tokens, release),
        "export" => names(tokens, release).map(FormKind::Export),
        "export_type" => names(tokens, release).map(FormKind::ExportType),
        "optional_callbacks" => constant(tokens, release).map(FormKind::OptionalCallbacks),
        _ => return Ok(None),
    };
    kind.map(Some)
}

/// Reads a plain term, `-name(Term).`
pub(crate) fn constant(tokens: &[Token], release: Release) -> Result<Constant, LocalDiagnostic> {
    parse(Rule::term_attribute, tokens, release, |builder, form| {
        builder.constant_form(form)
    })
}

fn type_form(
    tokens: &[Token],
    release: Release,
    kind: TypeFormKind,
) -> Result<FormKind, LocalDiagnostic> {
    parse(Rule::type_attribute, tokens, release, |builder, form| {
        builder.type_form(kind, form)
    })
    .map(FormKind::Type)
}

fn function_form(
    tokens: &[Token],
    release: Release,
    kind: FunctionFormKind,
) -> Result<FormKind, LocalDiagnostic> {
    parse(Rule::spec_attribute, tokens, release, |builder, form| {
        builder.function_form(kind, form)
    })
    .map(FormKind::Function)
}

fn record_form(tokens: &[Token], release: Release) -> Result<FormKind, LocalDiagnostic> {
    parse(Rule::record_attribute, tokens, release, |builder, form| {
        builder.record_form(form)
    })
    .map(FormKind::Record)
}

/// `-module(name).` and the old `-module(name, [Parameters]).`
fn module_form(tokens: &[Token]) -> Result<FormKind, LocalDiagnostic> {
    let behind = tokens.get(2..).unwrap_or_default();
    let name = behind.iter().find(|token| token.kind != Kind::ParenOpen);
    match name {
        Some(Token {
            kind: Kind::Atom,
            value: Value::Text(name),
            ..
        }) => Ok(FormKind::Module(name.clone())),
        other => Err(syntax(other.or(tokens.last()))),
    }
}

fn behaviour_form(tokens: &[Token], release: Release) -> Result<Option<FormKind>, LocalDiagnostic> {
    match constant(tokens, release)? {
        Constant::Atom(name) => Ok(Some(FormKind::Behaviour(name))),
        _ => Ok(None),
    }
}

/// `-compile`: only `export_all` matters to types.
fn compile_form(tokens: &[Token], release: Release) -> Result<Option<FormKind>, LocalDiagnostic> {
    let is_export_all = |option: &Constant| *option == Constant::Atom(Name::new("export_all"));
    Ok(match constant(tokens, release) {
        Ok(Constant::List(options, _)) if options.iter().any(is_export_all) => {
            Some(FormKind::ExportAll)
        }
        Ok(option) if is_export_all(&option) => Some(FormKind::ExportAll),
        _ => None,
    })
}

/// `-export([f/1, …]).`
fn names(tokens: &[Token], release: Release) -> Result<Vec<(Name, i64)>, LocalDiagnostic> {
    let at = tokens.get(1).map(|token| token.at).unwrap_or_default();
    let name = tokens.get(1).map(Token::text).unwrap_or_default();
    crate::constant::name_arities(&constant(tokens, release)?)
        .ok_or_else(|| catalog::BAD_ATTRIBUTE.at(at, name))
}

/// Runs pest over the letters of the tokens, and the builder over its pairs.
fn parse<'t, T>(
    rule: Rule,
    tokens: &'t [Token],
    release: Release,
    build: impl FnOnce(&Builder<'t>, Pair<'_, Rule>) -> Result<T, LocalDiagnostic>,
) -> Result<T, LocalDiagnostic> {
    let letters = input::letters(tokens, rule, release)?;
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
