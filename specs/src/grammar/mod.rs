//! The grammar of type-level forms: tokens in, one form out. pest reads the tokens (`input`), and
//! what it has found becomes a form here; `types` builds types.

mod constants;
mod input;
mod operators;
mod types;

use pest::iterators::{Pair, Pairs};

use crate::ast::{
    Clause, Constant, Constraint, Form, FormKind, FunctionForm, FunctionFormKind, Location, Name,
    RecordField, RecordForm, Signature, Type, TypeForm, TypeFormKind, TypeKind,
};
use crate::catalog;
use crate::diagnostic::LocalDiagnostic;
use crate::lexer::{Kind, Token, Value};
use crate::release::Release;
use input::parse;
pub(crate) use input::syntax;

/// The parser that pest makes of the two files.
#[derive(pest_derive::Parser)]
#[grammar = "grammar/tokens.pest"]
#[grammar = "grammar/forms.pest"]
struct Forms;

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

/// Builds nodes; pest's positions index `tokens`.
struct Builder<'t> {
    tokens: &'t [Token],
    release: Release,
}

type Built<T> = Result<T, LocalDiagnostic>;

impl<'t> Builder<'t> {
    /// The token at which a pair starts.
    pub(super) fn token(&self, pair: &Pair<'_, Rule>) -> Built<&'t Token> {
        self.token_at(pair.as_span().start())
    }

    pub(super) fn token_at(&self, index: usize) -> Built<&'t Token> {
        let token = self.tokens.get(index);
        token.ok_or_else(|| self.incomplete())
    }

    pub(super) fn at(&self, pair: &Pair<'_, Rule>) -> Built<Location> {
        self.token(pair).map(|token| token.at)
    }

    /// Never seen: the grammar promises what is missing.
    pub(super) fn incomplete(&self) -> LocalDiagnostic {
        syntax(self.tokens.last())
    }

    /// The name that an atom or variable is. A keyword is one where the grammar takes it for one.
    pub(super) fn name(&self, pair: &Pair<'_, Rule>) -> Built<Name> {
        let token = self.token(pair)?;
        match &token.value {
            Value::Text(text) => Ok(text.clone()),
            Value::None => Ok(Name::new_static(token.kind.text())),
            _ => Err(syntax(Some(token))),
        }
    }

    /// The next pair of a sequence that the grammar promises.
    pub(super) fn next<'i>(&self, pairs: &mut Pairs<'i, Rule>) -> Built<Pair<'i, Rule>> {
        pairs.next().ok_or_else(|| self.incomplete())
    }

    pub(super) fn next_name(&self, pairs: &mut Pairs<'_, Rule>) -> Built<Name> {
        self.name(&self.next(pairs)?)
    }

    /// `name`, or `module:name`: the module, if there is one, and the name.
    pub(super) fn qualified_name(
        &self,
        pairs: &mut Pairs<'_, Rule>,
    ) -> Built<(Option<Name>, Name)> {
        let first = self.next_name(pairs)?;
        match pairs.peek() {
            Some(pair) if pair.as_rule() == Rule::atom => Ok((Some(first), self.next_name(pairs)?)),
            _ => Ok((None, first)),
        }
    }

    /// What follows the attribute's name.
    pub(super) fn definition<'i>(&self, attribute: Pair<'i, Rule>) -> Built<Pairs<'i, Rule>> {
        let mut pairs = attribute.into_inner();
        self.next(&mut pairs)?;
        Ok(pairs)
    }

    /// A variable other than `_`.
    fn bound_variable(&self, pair: &Pair<'_, Rule>) -> Built<Name> {
        let name = self.name(pair)?;
        if name == "_" {
            return Err(catalog::BAD_TYPE_VARIABLE.at(self.at(pair)?, "_"));
        }
        Ok(name)
    }

    pub(super) fn type_form(
        &self,
        kind: TypeFormKind,
        attribute: Pair<'_, Rule>,
    ) -> Built<TypeForm> {
        let mut pairs = self.definition(attribute)?;
        let name = self.next_name(&mut pairs)?;
        let mut parameters = Vec::new();
        loop {
            let pair = self.next(&mut pairs)?;
            match pair.as_rule() {
                Rule::var => parameters.push(self.bound_variable(&pair)?),
                _ => {
                    let body = self.top_type(pair)?;
                    return Ok(TypeForm {
                        kind,
                        name,
                        parameters,
                        body,
                    });
                }
            }
        }
    }

    pub(super) fn function_form(
        &self,
        kind: FunctionFormKind,
        attribute: Pair<'_, Rule>,
    ) -> Built<FunctionForm> {
        let mut pairs = self.definition(attribute)?;
        let spec_fun = self.next(&mut pairs)?;
        let at = self.at(&spec_fun)?;
        let (module, name) = self.qualified_name(&mut spec_fun.into_inner())?;
        let clauses = pairs
            .filter(|pair| pair.as_rule() == Rule::type_sig)
            .map(|pair| self.clause(pair))
            .collect::<Built<Vec<_>>>()?;
        let parameters = clauses
            .first()
            .and_then(|clause| clause.signature.parameters.as_ref());
        let Some(arity) = parameters.map(Vec::len) else {
            return Err(catalog::SPEC_WITHOUT_ARITY.at(at, name.as_str()));
        };
        Ok(FunctionForm {
            kind,
            module,
            name,
            arity,
            clauses,
        })
    }

    fn clause(&self, type_sig: Pair<'_, Rule>) -> Built<Clause> {
        let at = self.at(&type_sig)?;
        let mut pairs = type_sig.into_inner();
        let signature = self.signature(self.next(&mut pairs)?)?;
        let constraints = pairs
            .map(|pair| self.constraint(pair))
            .collect::<Built<_>>()?;
        Ok(Clause {
            at,
            signature,
            constraints,
        })
    }

    pub(super) fn signature(&self, fun_type: Pair<'_, Rule>) -> Built<Signature> {
        let mut any = false;
        let mut types = Vec::new();
        for pair in fun_type.into_inner() {
            match pair.as_rule() {
                Rule::ellipsis => any = true,
                _ => types.push(self.top_type(pair)?),
            }
        }
        let result = types.pop().ok_or_else(|| self.incomplete())?;
        Ok(Signature {
            parameters: (!any).then_some(types),
            result,
        })
    }

    /// `V :: T`, or the old `is_subtype(V, T)`.
    fn constraint(&self, type_guard: Pair<'_, Rule>) -> Built<Constraint> {
        let mut pairs = type_guard.into_inner();
        let head = self.next(&mut pairs)?;
        let at = self.at(&head)?;
        if head.as_rule() == Rule::var {
            let variable = self.bound_variable(&head)?;
            let bound = self.top_type(self.next(&mut pairs)?)?;
            return Ok(Constraint {
                at,
                variable,
                bound,
            });
        }
        let name = self.name(&head)?;
        let types = pairs
            .map(|pair| self.top_type(pair))
            .collect::<Built<Vec<_>>>()?;
        match (name.as_str(), <[Type; 2]>::try_from(types)) {
            (
                "is_subtype",
                Ok(
                    [
                        Type {
                            at,
                            kind: TypeKind::Variable(variable),
                        },
                        bound,
                    ],
                ),
            ) => Ok(Constraint {
                at,
                variable,
                bound,
            }),
            ("is_subtype", Ok([left, _])) => Err(catalog::BAD_TYPE_VARIABLE.at(left.at, "")),
            _ => Err(catalog::UNSUPPORTED_CONSTRAINT.at(at, name.as_str())),
        }
    }

    pub(super) fn record_form(&self, attribute: Pair<'_, Rule>) -> Built<RecordForm> {
        let mut pairs = self.definition(attribute)?;
        let head = self.next(&mut pairs)?;
        let native = head.as_rule() == Rule::native_name;
        if native && !self.release.has_native_records() {
            return Err(syntax(Some(self.token(&head)?)));
        }
        let behind = self.token_at(head.as_span().end())?;
        if behind.kind == Kind::ParenClose && self.release.has_native_records() {
            // `-record((name), …)` is read up to OTP 28.
            return Err(syntax(Some(behind)));
        }
        let name = if native {
            self.next_name(&mut head.into_inner())?
        } else {
            self.name(&head)?
        };
        let body = self.next(&mut pairs)?;
        let fields = body.into_inner().map(|pair| self.record_field(pair));
        Ok(RecordForm {
            name,
            native,
            fields: fields.collect::<Built<_>>()?,
        })
    }

    fn record_field(&self, field: Pair<'_, Rule>) -> Built<RecordField> {
        let at = self.at(&field)?;
        let mut pairs = field.into_inner();
        let name = self.next_name(&mut pairs)?;
        let (mut default, mut ty) = (None, None);
        for pair in pairs {
            match pair.as_rule() {
                Rule::default => default = Some(self.default(&pair)),
                _ => ty = Some(self.top_type(pair)?),
            }
        }
        Ok(RecordField {
            at,
            name,
            default,
            ty,
        })
    }
}
