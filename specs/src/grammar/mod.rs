//! The grammar of type-level forms: tokens in, one form out. It is OTP's own (`erl_parse.yrl`), by
//! recursive descent; each function names the rules that it reads. White space, comments, escapes
//! and macros are the lexer's and preprocessor's work.

mod attributes;
mod constants;
mod defaults;
mod operators;
mod parser;
mod types;

use crate::ast::{Constant, Form, FormKind, FunctionFormKind, Name, TypeFormKind};
use crate::catalog;
use crate::diagnostic::LocalDiagnostic;
use crate::lexer::{Kind, Token, Value};
use crate::release::Release;
pub(crate) use parser::syntax;
use parser::{parse_term, parse_types};

/// Reads the attribute that the tokens, from `-` to the full stop, are.
///
/// `None`: an attribute without a type-level meaning.
pub(crate) fn form(tokens: &[Token], release: Release) -> Result<Option<Form>, LocalDiagnostic> {
    let [_, name, ..] = tokens else {
        return Ok(None);
    };
    let kind = kind(name, tokens, release)?;
    Ok(kind.map(|kind| Form::new(name.at, kind)))
}

fn kind(
    name: &Token,
    tokens: &[Token],
    release: Release,
) -> Result<Option<FormKind>, LocalDiagnostic> {
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
    parse_term(tokens, release, |parser| parser.term())
}

fn type_form(
    tokens: &[Token],
    release: Release,
    kind: TypeFormKind,
) -> Result<FormKind, LocalDiagnostic> {
    let form = parse_types(tokens, release, |parser| parser.type_form(kind));
    form.map(FormKind::Type)
}

fn function_form(
    tokens: &[Token],
    release: Release,
    kind: FunctionFormKind,
) -> Result<FormKind, LocalDiagnostic> {
    let form = parse_types(tokens, release, |parser| parser.function_form(kind));
    form.map(FormKind::Function)
}

fn record_form(tokens: &[Token], release: Release) -> Result<FormKind, LocalDiagnostic> {
    let form = parse_types(tokens, release, |parser| parser.record_form());
    form.map(FormKind::Record)
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
