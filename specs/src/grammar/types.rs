//! From pest's pairs to types.

use pest::iterators::{Pair, Pairs};

use super::operators::{Expression, infix, prefix};
use super::{Builder, Built, Rule, syntax};
use crate::ast::{FieldType, Integer, Location, MapField, Name, Type, TypeKind};
use crate::catalog;
use crate::lexer::{Kind, Token, Value};

impl Builder<'_> {
    /// A flat sequence of annotations, operators, operands and bars.
    ///
    /// Annotations and unions associate to the right; a union at the right end of a union is
    /// lifted into it, also when it stood in parentheses.
    pub(super) fn top_type(&self, top: Pair<'_, Rule>) -> Built<Type> {
        let start = top.as_span().start();
        let mut members = Vec::new();
        // Which members have annotations before them.
        let mut annotated_members = Vec::new();
        let mut annotations = Vec::new();
        let mut expression = Expression::default();
        for pair in top.into_inner() {
            if self.is_behind_bar(&pair, start)? {
                if !annotations.is_empty() {
                    annotated_members.push((members.len(), std::mem::take(&mut annotations)));
                }
                members.push(self.finish(&mut expression)?);
            }
            match pair.as_rule() {
                Rule::annotation => annotations.push((self.name(&pair)?, self.at(&pair)?)),
                _ => self.push(&mut expression, pair)?,
            }
        }
        let mut last = annotated(annotations, self.finish(&mut expression)?);
        for (index, annotations) in annotated_members.into_iter().rev() {
            let behind = members.split_off(index);
            last = annotated(annotations, union(behind, last));
        }
        Ok(union(members, last))
    }

    /// Whether a union's next member begins here. Bars have no pairs: that halves the memory of a
    /// union.
    fn is_behind_bar(&self, pair: &Pair<'_, Rule>, start: usize) -> Built<bool> {
        let here = pair.as_span().start();
        Ok(here > start && self.token_at(here - 1)?.kind == Kind::Bar)
    }

    fn expression(&self, pair: Pair<'_, Rule>) -> Built<Type> {
        let mut expression = Expression::default();
        for pair in pair.into_inner() {
            self.push(&mut expression, pair)?;
        }
        self.finish(&mut expression)
    }

    fn finish(&self, expression: &mut Expression) -> Built<Type> {
        expression.finish().ok_or_else(|| self.incomplete())
    }

    fn push(&self, expression: &mut Expression, pair: Pair<'_, Rule>) -> Built<()> {
        let token = self.token(&pair)?;
        match pair.as_rule() {
            Rule::prefix_op => {
                if let Some(operator) = prefix(token.kind) {
                    expression.push_prefix(operator, token.at);
                }
            }
            Rule::infix_op => {
                if let Some(operator) = infix(token.kind) {
                    expression.push_infix(operator, token)?;
                }
            }
            _ => expression.push_operand(self.primary(pair)?),
        }
        Ok(())
    }

    fn primary(&self, pair: Pair<'_, Rule>) -> Built<Type> {
        let token = self.token(&pair)?;
        let kind = match pair.as_rule() {
            Rule::atom => TypeKind::Atom(self.name(&pair)?),
            Rule::var => TypeKind::Variable(self.name(&pair)?),
            Rule::integer | Rule::char => literal(token)?,
            Rule::call_type => self.call_type(pair)?,
            Rule::tuple_type => TypeKind::Tuple(Some(self.types(pair.into_inner())?)),
            Rule::list_type => self.list_type(pair)?,
            Rule::map_type => {
                let fields = pair.into_inner().map(|field| self.map_field(field));
                TypeKind::Map(Some(fields.collect::<Built<_>>()?))
            }
            Rule::record_type => self.record_type(pair)?,
            Rule::fun_of_type => match pair.into_inner().next() {
                // As the abstract format has it, `fun((A) -> B)` stands where `(A)` does.
                Some(signature) => {
                    let at = self.at(&signature)?;
                    let kind = TypeKind::Fun(Some(Box::new(self.signature(signature)?)));
                    return Ok(Type { at, kind });
                }
                None => TypeKind::Fun(None),
            },
            Rule::binary_type => self.binary_type(pair)?,
            Rule::paren_type => return self.top_type(self.next(&mut pair.into_inner())?),
            _ => return Err(syntax(Some(token))),
        };
        Ok(Type { at: token.at, kind })
    }

    fn types(&self, pairs: Pairs<'_, Rule>) -> Built<Vec<Type>> {
        pairs.map(|pair| self.top_type(pair)).collect()
    }

    /// `name(A)`, `module:name(A)`
    fn call_type(&self, pair: Pair<'_, Rule>) -> Built<TypeKind> {
        let mut pairs = pair.into_inner();
        let (module, name) = self.qualified_name(&mut pairs)?;
        let arguments = self.types(pairs)?;
        if let Some(module) = module {
            return Ok(TypeKind::Remote(module, name, arguments));
        }
        Ok(match (name.as_str(), arguments.len()) {
            ("tuple", 0) => TypeKind::Tuple(None),
            ("map", 0) => TypeKind::Map(None),
            (text, arity) if self.release.is_builtin_type(text, arity) => {
                TypeKind::Builtin(name, arguments)
            }
            _ => TypeKind::User(name, arguments),
        })
    }

    fn list_type(&self, pair: Pair<'_, Rule>) -> Built<TypeKind> {
        let mut pairs = pair.into_inner();
        let Some(element) = pairs.next() else {
            return Ok(TypeKind::Builtin(Name::new_static("nil"), Vec::new()));
        };
        let element = self.top_type(element)?;
        let name = if pairs.next().is_some() {
            "nonempty_list"
        } else {
            "list"
        };
        Ok(TypeKind::Builtin(Name::new_static(name), vec![element]))
    }

    fn map_field(&self, pair: Pair<'_, Rule>) -> Built<MapField> {
        let mut pairs = pair.into_inner();
        let key = self.top_type(self.next(&mut pairs)?)?;
        let arrow = self.next(&mut pairs)?;
        let value = self.top_type(self.next(&mut pairs)?)?;
        let required = arrow.as_rule() == Rule::map_exact;
        Ok(MapField {
            at: self.at(&arrow)?,
            required,
            key,
            value,
        })
    }

    /// `#name{field :: T}`, `#module:name{field :: T}`
    fn record_type(&self, pair: Pair<'_, Rule>) -> Built<TypeKind> {
        let colon = pair.as_span().start() + 2;
        let mut pairs = pair.into_inner();
        let (module, name) = self.qualified_name(&mut pairs)?;
        if module.is_some() && !self.release.has_native_records() {
            return Err(syntax(Some(self.token_at(colon)?)));
        }
        let fields = pairs.map(|field| self.field_type(field));
        Ok(TypeKind::Record(
            module,
            name,
            fields.collect::<Built<_>>()?,
        ))
    }

    fn field_type(&self, pair: Pair<'_, Rule>) -> Built<FieldType> {
        let at = self.at(&pair)?;
        let mut pairs = pair.into_inner();
        let name = self.next_name(&mut pairs)?;
        let ty = self.top_type(self.next(&mut pairs)?)?;
        Ok(FieldType { at, name, ty })
    }

    fn binary_type(&self, pair: Pair<'_, Rule>) -> Built<TypeKind> {
        // The abstract format gives an absent part the line alone.
        let zero = Location {
            line: self.at(&pair)?.line,
            column: 0,
        };
        let zero = || Type {
            at: zero,
            kind: TypeKind::Integer(Integer::Small(0)),
        };
        let (mut size, mut unit) = (zero(), zero());
        for part in pair.into_inner() {
            let is_size = part.as_rule() == Rule::bin_base_type;
            for inner in part.into_inner() {
                match inner.as_rule() {
                    Rule::var => self.anonymous(&inner)?,
                    _ if is_size => size = self.expression(inner)?,
                    _ => unit = self.expression(inner)?,
                }
            }
        }
        Ok(TypeKind::Bitstring(Box::new(size), Box::new(unit)))
    }

    /// The variable of a binary type, which must be `_`.
    fn anonymous(&self, var: &Pair<'_, Rule>) -> Built<()> {
        let token = self.token(var)?;
        if token.text() == "_" {
            return Ok(());
        }
        Err(catalog::BAD_BINARY_TYPE.at(token.at, ""))
    }
}

fn literal(token: &Token) -> Built<TypeKind> {
    match &token.value {
        Value::Integer(integer) => Ok(TypeKind::Integer(integer.clone())),
        Value::Code(code) => Ok(TypeKind::Char(*code)),
        _ => Err(syntax(Some(token))),
    }
}

fn annotated(annotations: Vec<(Name, Location)>, mut ty: Type) -> Type {
    for (name, at) in annotations.into_iter().rev() {
        ty = Type {
            at,
            kind: TypeKind::Annotated(name, Box::new(ty)),
        };
    }
    ty
}

/// The union of some members and what stands at its right end: a union there is opened.
fn union(mut members: Vec<Type>, last: Type) -> Type {
    let Some(first) = members.first() else {
        return last;
    };
    let at = first_location(first);
    match last.kind {
        TypeKind::Union(inner) => members.extend(inner),
        _ => members.push(last),
    }
    let kind = TypeKind::Union(members);
    Type { at, kind }
}

/// The location of a type's first token: an operator stands where its sign does.
fn first_location(ty: &Type) -> Location {
    match &ty.kind {
        TypeKind::Infix(_, left, _) | TypeKind::Range(left, _) => first_location(left),
        _ => ty.at,
    }
}
