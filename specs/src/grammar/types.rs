//! Types.

use super::operators::prefix;
use super::parser::{Built, Parser, name};
use crate::ast::{
    FieldType, Integer, Location, MapField, Name, RecordType, RemoteType, Type, TypeKind,
};
use crate::catalog;
use crate::lexer::{Kind, Token, Value};
use crate::release::Release;

/// A variable's name and location.
type Annotation = (Name, Location);

/// Members of a union.
#[derive(Default)]
struct Members {
    types: Vec<Type>,
    /// The levels of the highest member.
    height: usize,
}

impl Parser<'_> {
    /// `top_type -> var '::' top_type | type '|' top_type | type`
    ///
    /// An annotation contains everything after it. A union at the right end of a union is merged
    /// into it, even if it was in parentheses.
    pub(super) fn top_type(&mut self) -> Built<Type> {
        let mut members = Members::default();
        // The members in front of annotations, and these annotations.
        let mut outer = Vec::new();
        loop {
            let (annotations, first) = self.annotations()?;
            if !annotations.is_empty() {
                outer.push((std::mem::take(&mut members), annotations));
            }
            let member = self.ty(first)?;
            if !self.takes(Kind::Bar)? {
                return self.held(outer, members, member);
            }
            members.types.push(member);
            members.height = members.height.max(self.height);
        }
    }

    /// Builds the types around the last member of a union, from the members and annotations in
    /// front of it.
    fn held(
        &mut self,
        outer: Vec<(Members, Vec<Annotation>)>,
        members: Members,
        last: Type,
    ) -> Built<Type> {
        let mut whole = self.union(members, last)?;
        for (members, annotations) in outer.into_iter().rev() {
            for (name, at) in annotations.into_iter().rev() {
                let kind = TypeKind::Annotated(name, Box::new(whole));
                whole = Type { at, kind };
                self.raised_by(1)?;
            }
            whole = self.union(members, whole)?;
        }
        Ok(whole)
    }

    /// Builds the union of some members and the type at its right end.
    fn union(&mut self, members: Members, last: Type) -> Built<Type> {
        let Members { mut types, height } = members;
        let Some(first) = types.first() else {
            return Ok(last);
        };
        let at = first_location(first);
        match last.kind {
            TypeKind::Union(inner) => {
                self.height = self.height.max(height + 1);
                types.extend(inner);
            }
            _ => {
                self.height = self.height.max(height) + 1;
                types.push(last);
            }
        }
        self.raised_by(0)?;
        let kind = TypeKind::Union(types);
        Ok(Type { at, kind })
    }

    /// Reads `A :: B ::`, and the variable behind it if that is not an annotation.
    fn annotations(&mut self) -> Built<(Vec<Annotation>, Option<Type>)> {
        let mut annotations = Vec::new();
        while self.is(Kind::Variable) {
            let at = self.token.at;
            let name = self.name(Kind::Variable)?;
            if !self.takes(Kind::DoubleColon)? {
                let kind = TypeKind::Variable(name);
                self.height = 1;
                return Ok((annotations, Some(Type { at, kind })));
            }
            annotations.push((name, at));
        }
        Ok((annotations, None))
    }

    /// `type -> type '..' type | type add_op type | type mult_op type | prefix_op type | …`
    ///
    /// `first` is the first operand if it was already read.
    pub(super) fn ty(&mut self, first: Option<Type>) -> Built<Type> {
        let first = match first {
            Some(first) => first,
            None => self.operand()?,
        };
        self.operators(first, 0)
    }

    /// `prefix_op type`, or a type without an operator.
    pub(super) fn operand(&mut self) -> Built<Type> {
        let mut prefixes = Vec::new();
        while let Some(operator) = prefix(self.token.kind) {
            prefixes.push((operator, self.token.at));
            self.skip()?;
        }
        let mut operand = self.primary()?;
        for (operator, at) in prefixes.into_iter().rev() {
            let kind = TypeKind::Prefix(operator, Box::new(operand));
            operand = Type { at, kind };
            self.raised_by(1)?;
        }
        Ok(operand)
    }

    /// `type -> '(' top_type ')' | var | atom | …`
    fn primary(&mut self) -> Built<Type> {
        let at = self.token.at;
        self.height = 1;
        let kind = match self.token.kind {
            Kind::Atom => self.atom_or_call()?,
            Kind::Variable => TypeKind::Variable(self.name(Kind::Variable)?),
            Kind::Integer | Kind::Char => literal(self.advance()?)?,
            Kind::BraceOpen => {
                self.skip()?;
                TypeKind::Tuple(Some(self.types(Kind::BraceClose)?))
            }
            Kind::BracketOpen => self.list_type()?,
            Kind::Hash => self.map_or_record()?,
            Kind::Fun => return self.fun_of_type(at),
            Kind::BinaryOpen => self.binary_type()?,
            Kind::ParenOpen => return self.type_in_parentheses(),
            _ => return Err(self.unexpected()),
        };
        Ok(Type { at, kind })
    }

    /// `type -> '(' top_type ')'`: leaves no node, but counts as a level, because the parser
    /// recurses.
    fn type_in_parentheses(&mut self) -> Built<Type> {
        self.skip()?;
        let inner = self.nested(Self::top_type)?;
        self.height -= 1;
        self.expect(Kind::ParenClose)?;
        Ok(inner)
    }

    /// The elements behind an opening bracket.
    fn types(&mut self, close: Kind) -> Built<Vec<Type>> {
        self.nested(|parser| parser.elements(close, Self::top_type))
    }

    /// `type -> atom | atom '(' top_types ')' | atom ':' atom '(' top_types ')'`
    fn atom_or_call(&mut self) -> Built<TypeKind> {
        let name = self.name(Kind::Atom)?;
        if self.takes(Kind::Colon)? {
            let module = name;
            let name = self.name(Kind::Atom)?;
            self.expect(Kind::ParenOpen)?;
            let arguments = self.types(Kind::ParenClose)?;
            return Ok(TypeKind::Remote(Box::new(RemoteType {
                module,
                name,
                arguments,
            })));
        }
        if !self.takes(Kind::ParenOpen)? {
            return Ok(TypeKind::Atom(name));
        }
        let arguments = self.types(Kind::ParenClose)?;
        Ok(local_type(name, arguments, self.release))
    }

    /// `type -> '[' ']' | '[' top_type ']' | '[' top_type ',' '...' ']'`
    fn list_type(&mut self) -> Built<TypeKind> {
        self.skip()?;
        if self.takes(Kind::BracketClose)? {
            return Ok(TypeKind::Builtin(Name::new_static("nil"), Vec::new()));
        }
        let element = self.nested(Self::top_type)?;
        let mut name = "list";
        if self.takes(Kind::Comma)? {
            self.expect(Kind::Ellipsis)?;
            name = "nonempty_list";
        }
        self.expect(Kind::BracketClose)?;
        Ok(TypeKind::Builtin(Name::new_static(name), vec![element]))
    }

    /// `type -> '#' '{' map_pair_types '}'`
    /// `type -> '#' record_name '{' field_types '}'`, also `'#' atom ':' record_name …`
    fn map_or_record(&mut self) -> Built<TypeKind> {
        self.skip()?;
        if self.takes(Kind::BraceOpen)? {
            let pairs = |parser: &mut Self| parser.elements(Kind::BraceClose, Self::map_pair_type);
            return Ok(TypeKind::Map(Some(self.nested(pairs)?)));
        }
        let mut name = self.name(Kind::Atom)?;
        let mut module = None;
        if self.release.has_native_records() && self.takes(Kind::Colon)? {
            module = Some(std::mem::replace(&mut name, self.native_name()?));
        }
        self.expect(Kind::BraceOpen)?;
        let fields = self.nested(|parser| parser.elements(Kind::BraceClose, Self::field_type))?;
        Ok(TypeKind::Record(Box::new(RecordType {
            module,
            name,
            fields,
        })))
    }

    /// `map_pair_type -> top_type '=>' top_type | top_type ':=' top_type`
    fn map_pair_type(&mut self) -> Built<MapField> {
        let key = self.top_type()?;
        let height = self.height;
        let arrow = match self.token.kind {
            Kind::MapAssoc | Kind::MapExact => self.advance()?,
            _ => return Err(self.unexpected()),
        };
        let value = self.top_type()?;
        self.height = self.height.max(height);
        Ok(MapField {
            at: arrow.at,
            required: arrow.kind == Kind::MapExact,
            key,
            value,
        })
    }

    /// `field_type -> atom '::' top_type`
    fn field_type(&mut self) -> Built<FieldType> {
        let at = self.token.at;
        let name = self.name(Kind::Atom)?;
        self.expect(Kind::DoubleColon)?;
        let ty = self.top_type()?;
        Ok(FieldType { at, name, ty })
    }

    /// `type -> 'fun' '(' ')' | 'fun' '(' fun_type ')'`
    fn fun_of_type(&mut self, at: Location) -> Built<Type> {
        self.skip()?;
        self.expect(Kind::ParenOpen)?;
        if self.takes(Kind::ParenClose)? {
            let kind = TypeKind::Fun(None);
            return Ok(Type { at, kind });
        }
        // As in the abstract format, the location of `fun((A) -> B)` is that of `(A)`.
        let at = self.token.at;
        let signature = self.nested(Self::fun_type)?;
        self.expect(Kind::ParenClose)?;
        let kind = TypeKind::Fun(Some(Box::new(signature)));
        Ok(Type { at, kind })
    }

    /// `binary_type -> '<<' '>>' | '<<' bin_base_type '>>' | '<<' bin_unit_type '>>'
    ///               | '<<' bin_base_type ',' bin_unit_type '>>'`
    fn binary_type(&mut self) -> Built<TypeKind> {
        // In the abstract format, the location of an absent part is the line alone.
        let line = self.token.at.line;
        self.skip()?;
        let zero = || Type {
            at: Location { line, column: 0 },
            kind: TypeKind::Integer(Integer::Small(0)),
        };
        let (size, unit) = self.nested(Self::binary_parts)?;
        self.expect(Kind::BinaryClose)?;
        let [size, unit] = [size, unit].map(|part| Box::new(part.unwrap_or_else(zero)));
        Ok(TypeKind::Bitstring(size, unit))
    }

    fn binary_parts(&mut self) -> Built<(Option<Type>, Option<Type>)> {
        self.height = 1;
        if self.is(Kind::BinaryClose) {
            return Ok((None, None));
        }
        let (is_unit, part) = self.binary_part()?;
        if is_unit {
            return Ok((None, Some(part)));
        }
        if !self.takes(Kind::Comma)? {
            return Ok((Some(part), None));
        }
        let height = self.height;
        let (is_unit, unit) = self.binary_part()?;
        self.height = self.height.max(height);
        if is_unit {
            Ok((Some(part), Some(unit)))
        } else {
            Err(self.unexpected())
        }
    }

    /// `bin_base_type -> var ':' type`, `bin_unit_type -> var ':' var '*' type`. Returns whether it
    /// is a unit, and its type.
    fn binary_part(&mut self) -> Built<(bool, Type)> {
        self.anonymous()?;
        self.expect(Kind::Colon)?;
        if !self.is(Kind::Variable) {
            return Ok((false, self.ty(None)?));
        }
        let variable = self.advance()?;
        if self.takes(Kind::Times)? {
            is_anonymous(&variable)?;
            return Ok((true, self.ty(None)?));
        }
        self.height = 1;
        let at = variable.at;
        let kind = TypeKind::Variable(name(variable));
        Ok((false, self.ty(Some(Type { at, kind }))?))
    }

    fn anonymous(&mut self) -> Built<()> {
        is_anonymous(&self.value(Kind::Variable)?)
    }
}

/// Checks that the variable of a binary type is `_`.
fn is_anonymous(variable: &Token) -> Built<()> {
    if variable.text() == "_" {
        return Ok(());
    }
    Err(catalog::BAD_BINARY_TYPE.at(variable.at, ""))
}

fn literal(token: Token) -> Built<TypeKind> {
    match token.value {
        Value::Integer(integer) => Ok(TypeKind::Integer(integer)),
        Value::Code(code) => Ok(TypeKind::Char(code)),
        _ => Err(super::syntax(Some(&token))),
    }
}

/// `name(arguments)`
pub(crate) fn local_type(name: Name, arguments: Vec<Type>, release: Release) -> TypeKind {
    match (name.as_str(), arguments.len()) {
        ("tuple", 0) => TypeKind::Tuple(None),
        ("map", 0) => TypeKind::Map(None),
        (text, arity) if release.is_builtin_type(text, arity) => TypeKind::Builtin(name, arguments),
        _ => TypeKind::User(name, arguments),
    }
}

/// Returns the location of a type's first token: an operator is located at its sign.
pub(crate) fn first_location(ty: &Type) -> Location {
    match &ty.kind {
        TypeKind::Infix(_, left, _) | TypeKind::Range(left, _) => first_location(left),
        _ => ty.at,
    }
}
