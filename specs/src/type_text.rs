//! Types as people write them outside of source files, in the grammar of `otp-grammar`.
//!
//! The tree is equal to the one that [`crate::parse_source`] builds from this text in a `-type`.

use std::cell::Cell;

use otp_grammar::{Error, Pair, Rule, leaf, read, whole};

use crate::ast::{
    FieldType, Integer, Location, MapField, Name, Operator, RecordType, RemoteType, Signature,
    Type, TypeKind,
};
use crate::grammar::{first_location, local_type};
use crate::release::Release;

/// The result of building a node of the tree.
type Made<T> = Result<T, Error>;

/// Reads a type: `orddict:orddict(atom(), integer())`.
///
/// # Errors
/// The text is not a type, or nested too deeply.
pub fn parse_type(text: &str, release: Release) -> Result<Type, Error> {
    read(text, whole::TYPE, |pair| Maker::new(release).union(pair))
}

/// Reads the type at the start of a text, and returns its length in bytes.
///
/// # Errors
/// The text does not begin with a type.
pub fn parse_type_at_start(text: &str, release: Release) -> Result<(Type, usize), Error> {
    read(text, whole::TYPE_AT_START, |pair| {
        let end = pair.as_span().end();
        Ok((Maker::new(release).union(pair)?, end))
    })
}

/// Maximum number of operators and annotations of a type.
const MOST_OPERATORS: usize = 256;

/// Makes nodes of the tree.
struct Maker {
    /// Determines which types are predefined.
    release: Release,
    /// The number of operators and annotations already read.
    operators: Cell<usize>,
}

impl Maker {
    fn new(release: Release) -> Self {
        let operators = Cell::new(0);
        Self { release, operators }
    }

    /// `a | B :: b | c`: an annotation contains everything after it.
    fn union(&self, pair: Pair<'_>) -> Made<Type> {
        // From the right: the last type, and members in front of it.
        let mut last: Option<Type> = None;
        let mut members = Vec::new();
        for member in pair.into_inner().rev() {
            let mut parts: Vec<Pair<'_>> = member.into_inner().collect();
            let range = parts.pop().ok_or_else(unreachable)?;
            let ty = self.range(range)?;
            match last {
                None => last = Some(ty),
                Some(_) => members.push(ty),
            }
            for annotation in parts.into_iter().rev() {
                self.count(&annotation)?;
                let at = location(&annotation);
                let name = leaf::inner(annotation)?.as_str().into();
                let held = union(std::mem::take(&mut members), last).ok_or_else(unreachable)?;
                let kind = TypeKind::Annotated(name, Box::new(held));
                last = Some(Type { at, kind });
            }
        }
        union(members, last).ok_or_else(unreachable)
    }

    /// Limits operators and annotations, because they make a tree high without a bracket.
    fn count(&self, pair: &Pair<'_>) -> Made<()> {
        let counted = self.operators.get() + 1;
        self.operators.set(counted);
        match counted > MOST_OPERATORS {
            true => Err(Error::at(
                pair,
                format!("more than {MOST_OPERATORS} operators and annotations"),
            )),
            false => Ok(()),
        }
    }

    fn range(&self, pair: Pair<'_>) -> Made<Type> {
        let mut sums = pair.into_inner();
        let first = self.infix(sums.next())?;
        let Some(last) = sums.next() else {
            return Ok(first);
        };
        let last = self.infix(Some(last))?;
        Ok(Type {
            at: first.at,
            kind: TypeKind::Range(Box::new(first), Box::new(last)),
        })
    }

    /// `A + B - C`, or `A * B`: operators of one precedence, from the left.
    fn infix(&self, pair: Option<Pair<'_>>) -> Made<Type> {
        let pair = pair.ok_or_else(unreachable)?;
        if pair.as_rule() == Rule::operand {
            return self.operand(pair);
        }
        let mut parts = pair.into_inner();
        let mut left = self.infix(parts.next())?;
        while let Some(sign) = parts.next() {
            self.count(&sign)?;
            let (at, sign) = (location(&sign), operator(&sign)?);
            let right = self.infix(parts.next())?;
            let kind = TypeKind::Infix(sign, Box::new(left), Box::new(right));
            left = Type { at, kind };
        }
        Ok(left)
    }

    fn operand(&self, pair: Pair<'_>) -> Made<Type> {
        let mut parts: Vec<Pair<'_>> = pair.into_inner().collect();
        let mut operand = self.primary(parts.pop().ok_or_else(unreachable)?)?;
        for sign in parts.into_iter().rev() {
            self.count(&sign)?;
            let kind = TypeKind::Prefix(operator(&sign)?, Box::new(operand));
            let at = location(&sign);
            operand = Type { at, kind };
        }
        Ok(operand)
    }

    fn primary(&self, pair: Pair<'_>) -> Made<Type> {
        let at = location(&pair);
        let kind = match pair.as_rule() {
            Rule::parenthesized => return self.union(leaf::inner(pair)?),
            Rule::fun_type => return self.fun(pair),
            Rule::bitstring_type => self.bitstring(pair)?,
            Rule::tuple_type => TypeKind::Tuple(Some(self.types(leaf::inner(pair)?)?)),
            Rule::list_type => self.list(pair)?,
            Rule::map_type => TypeKind::Map(Some(self.associations(pair)?)),
            Rule::record_type => self.record(pair)?,
            Rule::remote_type => self.remote(pair)?,
            Rule::local_type => self.local(pair)?,
            Rule::variable => TypeKind::Variable(pair.as_str().into()),
            Rule::character => TypeKind::Char(u32::from(leaf::character(pair)?)),
            Rule::integer => {
                let digits = leaf::integer(&pair)?;
                TypeKind::Integer(Integer::from_digits(digits.base, digits.values()))
            }
            Rule::atom => TypeKind::Atom(leaf::atom(pair)?.into()),
            _ => return Err(Error::at(&pair, "syntax error")),
        };
        Ok(Type { at, kind })
    }

    fn types(&self, pair: Pair<'_>) -> Made<Vec<Type>> {
        pair.into_inner().map(|pair| self.union(pair)).collect()
    }

    /// `fun()`, `fun((...) -> T)`, `fun((A) -> T)`
    fn fun(&self, pair: Pair<'_>) -> Made<Type> {
        let keyword = location(&pair);
        let Some(signature) = pair.into_inner().nth(1) else {
            let (at, kind) = (keyword, TypeKind::Fun(None));
            return Ok(Type { at, kind });
        };
        // As in the abstract format, the location of `fun((A) -> B)` is that of `(A)`.
        let at = location(&signature);
        let mut parts = signature.into_inner();
        let arguments = parts.next().ok_or_else(unreachable)?;
        let parameters = match arguments.as_rule() {
            Rule::any_arguments => None,
            _ => Some(self.types(arguments)?),
        };
        let result = self.union(parts.next().ok_or_else(unreachable)?)?;
        let kind = TypeKind::Fun(Some(Box::new(Signature { parameters, result })));
        Ok(Type { at, kind })
    }

    /// `<<_:Size, _:_*Unit>>`
    fn bitstring(&self, pair: Pair<'_>) -> Made<TypeKind> {
        // In the abstract format, the location of an absent part is the line alone.
        let line = location(&pair).line;
        let zero = || Type {
            at: Location { line, column: 0 },
            kind: TypeKind::Integer(Integer::Small(0)),
        };
        let (mut size, mut unit) = (zero(), zero());
        for part in pair.into_inner() {
            let is_unit = part.as_rule() == Rule::bit_unit;
            let bits = part.into_inner().next_back().ok_or_else(unreachable)?;
            match is_unit {
                true => unit = self.range(bits)?,
                false => size = self.range(bits)?,
            }
        }
        Ok(TypeKind::Bitstring(Box::new(size), Box::new(unit)))
    }

    /// `[]`, `[T]`, `[T, ...]`
    fn list(&self, pair: Pair<'_>) -> Made<TypeKind> {
        let mut parts = pair.into_inner();
        let Some(element) = parts.next() else {
            return Ok(TypeKind::Builtin(Name::new_static("nil"), Vec::new()));
        };
        let name = match parts.next() {
            Some(_) => "nonempty_list",
            None => "list",
        };
        let element = self.union(element)?;
        Ok(TypeKind::Builtin(Name::new_static(name), vec![element]))
    }

    fn associations(&self, pair: Pair<'_>) -> Made<Vec<MapField>> {
        let field = |pair: Pair<'_>| {
            let mut parts = pair.into_inner();
            let mut next = || parts.next().ok_or_else(unreachable);
            let (key, arrow, value) = (next()?, next()?, next()?);
            Ok(MapField {
                at: location(&arrow),
                required: arrow.as_str() == ":=",
                key: self.union(key)?,
                value: self.union(value)?,
            })
        };
        pair.into_inner().map(field).collect()
    }

    /// `#r{f :: T}`, `#m:r{f :: T}`
    fn record(&self, pair: Pair<'_>) -> Made<TypeKind> {
        let mut names = Vec::new();
        let mut fields = Vec::new();
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::atom => names.push(Name::from(leaf::atom(part)?)),
                Rule::variable => names.push(part.as_str().into()),
                _ => fields.push(self.field(part)?),
            }
        }
        let name = names.pop().ok_or_else(unreachable)?;
        Ok(TypeKind::Record(Box::new(RecordType {
            module: names.pop(),
            name,
            fields,
        })))
    }

    fn field(&self, pair: Pair<'_>) -> Made<FieldType> {
        let at = location(&pair);
        let mut parts = pair.into_inner();
        let mut next = || parts.next().ok_or_else(unreachable);
        let (name, ty) = (next()?, next()?);
        Ok(FieldType {
            at,
            name: leaf::atom(name)?.into(),
            ty: self.union(ty)?,
        })
    }

    fn remote(&self, pair: Pair<'_>) -> Made<TypeKind> {
        let mut parts = pair.into_inner();
        let mut next = || parts.next().ok_or_else(unreachable);
        let (module, name, arguments) = (next()?, next()?, next()?);
        Ok(TypeKind::Remote(Box::new(RemoteType {
            module: leaf::atom(module)?.into(),
            name: leaf::atom(name)?.into(),
            arguments: self.types(arguments)?,
        })))
    }

    fn local(&self, pair: Pair<'_>) -> Made<TypeKind> {
        let mut parts = pair.into_inner();
        let mut next = || parts.next().ok_or_else(unreachable);
        let name = Name::from(leaf::atom(next()?)?);
        let arguments = self.types(next()?)?;
        Ok(local_type(name, arguments, self.release))
    }
}

/// Builds the union of members, listed from last to first, and the type behind them. If that type
/// is a union in parentheses, its members are appended.
fn union(mut members: Vec<Type>, last: Option<Type>) -> Option<Type> {
    members.reverse();
    let Some(at) = members.first().map(first_location) else {
        return last;
    };
    match last {
        Some(Type {
            kind: TypeKind::Union(more),
            ..
        }) => members.extend(more),
        last => members.extend(last),
    }
    let kind = TypeKind::Union(members);
    Some(Type { at, kind })
}

fn operator(pair: &Pair<'_>) -> Made<Operator> {
    let text = pair.as_str().trim_end();
    Operator::from_text(text).ok_or_else(|| Error::at(pair, "syntax error"))
}

fn location(pair: &Pair<'_>) -> Location {
    let (line, column) = pair.line_col();
    let number = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
    Location {
        line: number(line),
        column: number(column),
    }
}

/// The error for a tree that the grammar rules out.
fn unreachable() -> Error {
    Error {
        what: "syntax error".to_owned(),
        offset: 0,
        line: 1,
        column: 1,
        before: String::new(),
    }
}
