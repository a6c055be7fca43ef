//! The grammar of type-level forms: reads tokens, and returns one form. It is OTP's own
//! (`erl_parse.yrl`), implemented by recursive descent; each function names the rules that it
//! reads. The lexer and the preprocessor handle white space, comments, escapes and macros.

mod attributes;
mod constants;
mod defaults;
mod operators;
mod parser;
mod types;

use crate::ast::{Constant, Form, FormKind, FunctionFormKind, Name, TypeFormKind};
use crate::catalog;
use crate::diagnostic::LocalDiagnostic;
use crate::lexer::{Kind, Lexer, Token, Value};
use crate::release::Release;
pub(crate) use parser::syntax;
use parser::{Attribute, Built, Parser, Source};
pub(crate) use types::{first_location, local_type};

/// Reads an attribute from its tokens, from `-` to the full stop.
///
/// `None`: an attribute without a type-level meaning.
pub(crate) fn form(tokens: &[Token], release: Release) -> Result<Option<Form>, LocalDiagnostic> {
    let [_, name, ..] = tokens else {
        return Ok(None);
    };
    let kind = match name.text() {
        "module" => Some(module_form(tokens)?),
        _ => attribute(name, tokens, release).kind()?,
    };
    Ok(kind.map(|kind| Form::new(name.at, kind)))
}

/// Reads the attribute of this name from the text at the lexer, and returns the text behind it.
///
/// Returns `None` if the attribute has to be read from tokens, because it contains a macro call, a
/// word whose meaning depends on a feature, an error, something unusual, or no type-level meaning.
pub(crate) fn form_of_text<'t>(
    name: &Token,
    text: Lexer<'t>,
    release: Release,
) -> Option<(Form, Lexer<'t>)> {
    let mut attribute = Attribute {
        name,
        source: Source::Text(text),
        release,
    };
    let kind = attribute.kind().ok()??;
    match attribute.source {
        Source::Text(behind) => Some((Form::new(name.at, kind), behind)),
        Source::Tokens(_) => None,
    }
}

/// Reads a plain term, `-name(Term).`
pub(crate) fn constant(tokens: &[Token], release: Release) -> Result<Constant, LocalDiagnostic> {
    match tokens {
        [_, name, ..] => attribute(name, tokens, release).term(),
        _ => Err(syntax(tokens.last())),
    }
}

fn attribute<'t>(name: &'t Token, tokens: &'t [Token], release: Release) -> Attribute<'t, 't> {
    Attribute {
        name,
        source: Source::Tokens(tokens.iter()),
        release,
    }
}

impl Attribute<'_, '_> {
    fn kind(&mut self) -> Built<Option<FormKind>> {
        let kind = match self.name.text() {
            "type" => self.type_form(TypeFormKind::Type),
            "opaque" => self.type_form(TypeFormKind::Opaque),
            "nominal" if self.release.has_nominal() => self.type_form(TypeFormKind::Nominal),
            "nominal" => Err(catalog::BAD_ATTRIBUTE.at(self.name.at, "nominal")),
            "spec" => self.function_form(FunctionFormKind::Spec),
            "callback" => self.function_form(FunctionFormKind::Callback),
            "record" => self.types(Parser::record_form).map(FormKind::Record),
            "behaviour" | "behavior" => return self.behaviour_form(),
            "compile" => return Ok(self.compile_form()),
            "export" => self.names().map(FormKind::Export),
            "export_type" => self.names().map(FormKind::ExportType),
            "optional_callbacks" => self.term().map(FormKind::OptionalCallbacks),
            _ => return Ok(None),
        };
        kind.map(Some)
    }

    fn type_form(&mut self, kind: TypeFormKind) -> Built<FormKind> {
        let form = self.types(|parser| parser.type_form(kind));
        form.map(FormKind::Type)
    }

    fn function_form(&mut self, kind: FunctionFormKind) -> Built<FormKind> {
        let form = self.types(|parser| parser.function_form(kind));
        form.map(FormKind::Function)
    }

    fn behaviour_form(&mut self) -> Built<Option<FormKind>> {
        match self.term()? {
            Constant::Atom(name) => Ok(Some(FormKind::Behaviour(name))),
            _ => Ok(None),
        }
    }

    /// `-compile`: only `export_all` matters to types.
    fn compile_form(&mut self) -> Option<FormKind> {
        let is_export_all = |option: &Constant| *option == Constant::Atom(Name::new("export_all"));
        match self.term() {
            Ok(Constant::List(options, _)) if options.iter().any(is_export_all) => {
                Some(FormKind::ExportAll)
            }
            Ok(option) if is_export_all(&option) => Some(FormKind::ExportAll),
            _ => None,
        }
    }

    /// `-export([f/1, …]).`
    fn names(&mut self) -> Built<Vec<(Name, i64)>> {
        if let Source::Text(_) = self.source {
            return self.plain_names();
        }
        let wrong = catalog::BAD_ATTRIBUTE.at(self.name.at, self.name.text());
        crate::constant::name_arities(&self.term()?).ok_or(wrong)
    }
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
