//! `-type`, `-spec`, `-record` and similar attributes. Names and heads are expressions in OTP's
//! grammar, so that parentheses are allowed around them.

use super::parser::{Built, Parser, name};
use crate::ast::{
    Clause, Constraint, FunctionForm, FunctionFormKind, Name, RecordField, RecordForm, Signature,
    Type, TypeForm, TypeFormKind, TypeKind,
};
use crate::catalog;
use crate::lexer::Kind;
use crate::print;

impl Parser<'_> {
    /// `name(A, B) :: T`; `(name(A, B) :: T)`
    pub(super) fn type_form(&mut self, kind: TypeFormKind) -> Built<TypeForm> {
        let mut open = self.opened()?;
        let name = self.name(Kind::Atom)?;
        open = self.closed(open)?;
        self.expect(Kind::ParenOpen)?;
        let parameters = self.elements(Kind::ParenClose, Self::parameter)?;
        open = self.closed(open)?;
        self.at_most_around_all(open)?;
        self.expect(Kind::DoubleColon)?;
        let body = self.top_type()?;
        self.closed_all(open)?;
        Ok(TypeForm {
            kind,
            name,
            parameters,
            body,
        })
    }

    /// Checks that at most one parenthesis is around the whole attribute.
    fn at_most_around_all(&self, open: usize) -> Built<()> {
        match open {
            0 | 1 => Ok(()),
            _ => Err(self.unexpected()),
        }
    }

    fn parameter(&mut self) -> Built<Name> {
        let variable = self.in_parentheses(Kind::Variable)?;
        if variable.text() == "_" {
            return Err(catalog::BAD_TYPE_VARIABLE.at(variable.at, "_"));
        }
        Ok(name(variable))
    }

    /// `type_spec -> spec_fun type_sigs`, `spec_fun -> atom | atom ':' atom`
    pub(super) fn function_form(&mut self, kind: FunctionFormKind) -> Built<FunctionForm> {
        let open = usize::from(self.takes(Kind::ParenOpen)?);
        let at = self.token.at;
        let mut name = self.name(Kind::Atom)?;
        let mut module = None;
        if self.takes(Kind::Colon)? {
            module = Some(std::mem::replace(&mut name, self.name(Kind::Atom)?));
        }
        let first = self.type_sig()?;
        let arity = first.signature.parameters.as_ref().map(Vec::len);
        let mut clauses = vec![first];
        while self.takes(Kind::Semicolon)? {
            clauses.push(self.type_sig()?);
        }
        self.closed_all(open)?;
        let Some(arity) = arity else {
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

    /// `type_sig -> fun_type | fun_type 'when' type_guards`
    fn type_sig(&mut self) -> Built<Clause> {
        let at = self.token.at;
        let signature = self.fun_type()?;
        let mut constraints = Vec::new();
        if self.takes(Kind::When)? {
            constraints.push(self.type_guard()?);
            while self.takes(Kind::Comma)? {
                constraints.push(self.type_guard()?);
            }
        }
        Ok(Clause {
            at,
            signature,
            constraints,
        })
    }

    /// `fun_type -> '(' top_types ')' '->' top_type`, also with `(...)`
    pub(super) fn fun_type(&mut self) -> Built<Signature> {
        self.expect(Kind::ParenOpen)?;
        let parameters = if self.takes(Kind::Ellipsis)? {
            self.expect(Kind::ParenClose)?;
            self.height = 0;
            None
        } else {
            Some(self.elements(Kind::ParenClose, Self::top_type)?)
        };
        let height = self.height;
        self.expect(Kind::Arrow)?;
        let result = self.top_type()?;
        self.height = self.height.max(height);
        Ok(Signature { parameters, result })
    }

    /// `type_guard -> var '::' top_type`, or the old `is_subtype(V, T)`
    fn type_guard(&mut self) -> Built<Constraint> {
        if self.is(Kind::Atom) {
            return self.old_type_guard();
        }
        let head = self.value(Kind::Variable)?;
        self.expect(Kind::DoubleColon)?;
        if head.text() == "_" {
            return Err(catalog::BAD_TYPE_VARIABLE.at(head.at, "_"));
        }
        let at = head.at;
        Ok(Constraint {
            at,
            variable: name(head),
            bound: self.top_type()?,
        })
    }

    /// `type_guard -> atom '(' top_types ')'`
    fn old_type_guard(&mut self) -> Built<Constraint> {
        let head = self.advance()?;
        self.expect(Kind::ParenOpen)?;
        let mut types = vec![self.top_type()?];
        while self.takes(Kind::Comma)? {
            types.push(self.top_type()?);
        }
        self.expect(Kind::ParenClose)?;
        match (head.text(), <[Type; 2]>::try_from(types)) {
            ("is_subtype", Ok([Type { at, kind }, bound])) => match kind {
                TypeKind::Variable(variable) => Ok(Constraint {
                    at,
                    variable,
                    bound,
                }),
                kind => {
                    let shown = print::written_type(&Type { at, kind });
                    Err(catalog::BAD_TYPE_VARIABLE.at(at, shown))
                }
            },
            _ => Err(catalog::UNSUPPORTED_CONSTRAINT.at(head.at, head.text())),
        }
    }

    /// `name, {field = Default :: T}`; `#name{field = Default :: T}` is a native record.
    pub(super) fn record_form(&mut self) -> Built<RecordForm> {
        let mut open = self.opened()?;
        let has_native = self.release.has_native_records();
        if self.is(Kind::Hash) && has_native && open <= 1 {
            return self.native_record_form(open);
        }
        let name = self.name(Kind::Atom)?;
        if has_native && self.is(Kind::ParenClose) {
            // `-record((name), …)` is accepted up to OTP 28.
            return Err(self.unexpected());
        }
        open = self.closed(open)?;
        self.at_most_around_all(open)?;
        self.expect(Kind::Comma)?;
        let around_fields = self.opened()?;
        self.expect(Kind::BraceOpen)?;
        let fields = if around_fields == 0 {
            self.elements(Kind::BraceClose, Self::typed_record_field)?
        } else {
            // A record without types may be in parentheses, as an expression.
            self.elements(Kind::BraceClose, Self::record_field)?
        };
        self.closed_all(around_fields)?;
        self.closed_all(open)?;
        Ok(RecordForm {
            name,
            native: false,
            fields,
        })
    }

    fn native_record_form(&mut self, open: usize) -> Built<RecordForm> {
        self.expect(Kind::Hash)?;
        let name = self.native_name()?;
        self.expect(Kind::BraceOpen)?;
        let fields = self.elements(Kind::BraceClose, Self::typed_record_field)?;
        self.closed_all(open)?;
        Ok(RecordForm {
            name,
            native: true,
            fields,
        })
    }

    /// `typed_expr -> expr '::' top_type`, or only `expr`
    fn typed_record_field(&mut self) -> Built<RecordField> {
        let mut field = self.record_field()?;
        if self.takes(Kind::DoubleColon)? {
            field.ty = Some(self.top_type()?);
        }
        Ok(field)
    }

    /// `record_field -> atom | atom '=' expr`
    fn record_field(&mut self) -> Built<RecordField> {
        let at = self.token.at;
        let mut open = self.opened()?;
        let name = self.name(Kind::Atom)?;
        open = self.closed(open)?;
        let default = if self.takes(Kind::Assign)? {
            Some(self.default()?)
        } else {
            None
        };
        self.closed_all(open)?;
        self.height = 0;
        Ok(RecordField {
            at,
            name,
            default,
            ty: None,
        })
    }
}
