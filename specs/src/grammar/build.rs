//! From what pest found to the tree, form by form. `types` does the types.

use pest::iterators::{Pair, Pairs};

use super::{Rule, syntax};
use crate::ast::{
    Clause, Constraint, FunctionForm, FunctionFormKind, Location, Name, RecordField, RecordForm,
    Signature, Type, TypeForm, TypeFormKind, TypeKind,
};
use crate::catalog;
use crate::diagnostic::LocalDiagnostic;
use crate::release::Release;
use crate::token::{Token, Value};

/// Builds nodes; pest's positions index `tokens`.
pub(super) struct Builder<'t> {
    pub(super) tokens: &'t [Token],
    pub(super) release: Release,
}

pub(super) type Built<T> = Result<T, LocalDiagnostic>;

impl<'t> Builder<'t> {
    /// The token at which a pair starts, or one behind it.
    pub(super) fn token(&self, pair: &Pair<'_, Rule>, offset: usize) -> Built<&'t Token> {
        self.tokens
            .get(pair.as_span().start() + offset)
            .ok_or_else(|| syntax(self.tokens.last()))
    }

    pub(super) fn at(&self, pair: &Pair<'_, Rule>) -> Built<Location> {
        self.token(pair, 0).map(|token| token.at)
    }

    /// The name that the token at an offset into a pair holds. A keyword is one where the grammar
    /// takes it for one.
    pub(super) fn name(&self, pair: &Pair<'_, Rule>, offset: usize) -> Built<Name> {
        let token = self.token(pair, offset)?;
        match &token.value {
            Value::Text(text) => Ok(text.clone()),
            Value::None => Ok(Name::new_static(token.kind.text())),
            _ => Err(syntax(Some(token))),
        }
    }

    /// The next pair of a sequence that the grammar promises.
    pub(super) fn next<'i>(&self, pairs: &mut Pairs<'i, Rule>) -> Built<Pair<'i, Rule>> {
        pairs.next().ok_or_else(|| syntax(self.tokens.last()))
    }

    /// A variable that is no `_`.
    fn bound_variable(&self, pair: &Pair<'_, Rule>) -> Built<Name> {
        let name = self.name(pair, 0)?;
        if name == "_" {
            return Err(catalog::BAD_TYPE_VARIABLE.at(self.at(pair)?, "_"));
        }
        Ok(name)
    }

    pub(super) fn type_form(&self, kind: TypeFormKind, form: Pair<'_, Rule>) -> Built<TypeForm> {
        let mut pairs = form.into_inner();
        let name = self.name(&self.next(&mut pairs)?, 0)?;
        let mut parameters = Vec::new();
        loop {
            let pair = self.next(&mut pairs)?;
            match pair.as_rule() {
                Rule::variable => parameters.push(self.bound_variable(&pair)?),
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
        form: Pair<'_, Rule>,
    ) -> Built<FunctionForm> {
        let mut pairs = form.into_inner();
        let head = self.next(&mut pairs)?;
        let (module, name) = match head.as_rule() {
            Rule::remote_name => (Some(self.name(&head, 0)?), self.name(&head, 2)?),
            _ => (None, self.name(&head, 0)?),
        };
        let clauses = pairs
            .filter(|pair| pair.as_rule() == Rule::clause)
            .map(|pair| self.clause(pair))
            .collect::<Built<Vec<_>>>()?;
        let parameters = clauses
            .first()
            .and_then(|clause| clause.signature.parameters.as_ref());
        let Some(arity) = parameters.map(Vec::len) else {
            let at = self.at(&head)?;
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

    fn clause(&self, clause: Pair<'_, Rule>) -> Built<Clause> {
        let at = self.at(&clause)?;
        let mut pairs = clause.into_inner();
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

    pub(super) fn signature(&self, signature: Pair<'_, Rule>) -> Built<Signature> {
        let mut any = false;
        let mut types = Vec::new();
        for pair in signature.into_inner() {
            match pair.as_rule() {
                Rule::ellipsis => any = true,
                _ => types.push(self.top_type(pair)?),
            }
        }
        let result = types.pop().ok_or_else(|| syntax(self.tokens.last()))?;
        Ok(Signature {
            parameters: (!any).then_some(types),
            result,
        })
    }

    /// `V :: T`, or the old `is_subtype(V, T)`.
    fn constraint(&self, constraint: Pair<'_, Rule>) -> Built<Constraint> {
        let mut pairs = constraint.into_inner();
        let head = self.next(&mut pairs)?;
        let at = self.at(&head)?;
        if head.as_rule() == Rule::variable {
            let variable = self.bound_variable(&head)?;
            let bound = self.top_type(self.next(&mut pairs)?)?;
            return Ok(Constraint {
                at,
                variable,
                bound,
            });
        }
        let name = self.name(&head, 0)?;
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

    pub(super) fn record_form(&self, form: Pair<'_, Rule>) -> Built<RecordForm> {
        let mut pairs = form.into_inner();
        let head = self.next(&mut pairs)?;
        let native = head.as_rule() == Rule::native_name;
        if native && !self.release.has_native_records() {
            return Err(syntax(Some(self.token(&head, 0)?)));
        }
        let name = self.name(&head, usize::from(native))?;
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
        let name = self.name(&field, 0)?;
        let (mut default, mut ty) = (None, None);
        for pair in field.into_inner().skip(1) {
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
