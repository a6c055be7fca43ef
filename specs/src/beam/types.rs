//! Types of the abstract format.

use super::etf::EtfTerm;
use super::terms::location;
use crate::ast::{
    Clause, Constraint, FieldType, MapField, Name, Operator, RecordType, RemoteType, Signature,
    Type, TypeKind,
};

/// Reads a type; `None` if the term is not a type of the abstract format.
pub(super) fn read(term: &EtfTerm) -> Option<Type> {
    let parts = term.as_tuple()?;
    let [tag, annotation, rest @ ..] = parts else {
        return None;
    };
    let kind = match (tag.as_atom()?.as_str(), rest) {
        // Only BEAM files of old releases contain this.
        ("paren_type", [inner]) => return read(single(inner)?),
        ("var", [name]) => TypeKind::Variable(name.as_atom()?.clone()),
        ("atom", [name]) => TypeKind::Atom(name.as_atom()?.clone()),
        ("integer", [EtfTerm::Integer(integer)]) => TypeKind::Integer(integer.clone()),
        ("char", [code]) => TypeKind::Char(u32::try_from(code.as_small()?).ok()?),
        ("ann_type", [pair]) => annotated(pair)?,
        ("op", [operator, operand]) => TypeKind::Prefix(self::operator(operator)?, boxed(operand)?),
        ("op", [operator, left, right]) => {
            TypeKind::Infix(self::operator(operator)?, boxed(left)?, boxed(right)?)
        }
        ("type", [name, arguments]) => predefined(name.as_atom()?, arguments)?,
        ("user_type", [name, arguments]) => {
            TypeKind::User(name.as_atom()?.clone(), all(arguments)?)
        }
        ("remote_type", [EtfTerm::List(parts, None)]) => match parts.as_slice() {
            [module, name, arguments] => TypeKind::Remote(Box::new(RemoteType {
                module: atom_node(module)?,
                name: atom_node(name)?,
                arguments: all(arguments)?,
            })),
            _ => return None,
        },
        _ => return None,
    };
    Some(Type {
        at: location(annotation),
        kind,
    })
}

fn boxed(term: &EtfTerm) -> Option<Box<Type>> {
    read(term).map(Box::new)
}

fn all(terms: &EtfTerm) -> Option<Vec<Type>> {
    terms.as_list()?.iter().map(read).collect()
}

fn single(terms: &EtfTerm) -> Option<&EtfTerm> {
    match terms.as_list()? {
        [only] => Some(only),
        _ => None,
    }
}

fn pair(terms: &EtfTerm) -> Option<(&EtfTerm, &EtfTerm)> {
    match terms.as_list()? {
        [first, second] => Some((first, second)),
        _ => None,
    }
}

/// The name in `{atom, _, Name}` or `{var, _, Name}`.
pub(super) fn named(term: &EtfTerm, tag_name: &str) -> Option<Name> {
    match term.as_tuple()? {
        [tag, _, name] if tag.is_atom(tag_name) => name.as_atom().cloned(),
        _ => None,
    }
}

fn atom_node(term: &EtfTerm) -> Option<Name> {
    named(term, "atom")
}

fn operator(term: &EtfTerm) -> Option<Operator> {
    Operator::from_text(term.as_atom()?)
}

fn annotated(terms: &EtfTerm) -> Option<TypeKind> {
    let (variable, inner) = pair(terms)?;
    Some(TypeKind::Annotated(named(variable, "var")?, boxed(inner)?))
}

/// `{type, _, Name, Arguments}`
fn predefined(name: &Name, arguments: &EtfTerm) -> Option<TypeKind> {
    let any = arguments.is_atom("any");
    Some(match name.as_str() {
        "tuple" if any => TypeKind::Tuple(None),
        "tuple" => TypeKind::Tuple(Some(all(arguments)?)),
        "map" if any => TypeKind::Map(None),
        "map" => {
            let fields = arguments.as_list()?.iter().map(map_field);
            TypeKind::Map(Some(fields.collect::<Option<_>>()?))
        }
        "union" => TypeKind::Union(all(arguments)?),
        "range" => {
            let (low, high) = pair(arguments)?;
            TypeKind::Range(boxed(low)?, boxed(high)?)
        }
        "binary" if !arguments.as_list()?.is_empty() => {
            let (size, unit) = pair(arguments)?;
            TypeKind::Bitstring(boxed(size)?, boxed(unit)?)
        }
        "fun" if arguments.as_list()?.is_empty() => TypeKind::Fun(None),
        "fun" => TypeKind::Fun(Some(Box::new(signature_parts(arguments)?))),
        "record" if !arguments.as_list()?.is_empty() => record(arguments)?,
        _ => TypeKind::Builtin(name.clone(), all(arguments)?),
    })
}

fn map_field(term: &EtfTerm) -> Option<MapField> {
    let [tag, annotation, kind, types] = term.as_tuple()? else {
        return None;
    };
    if !tag.is_atom("type") {
        return None;
    }
    let required = match kind.as_atom()?.as_str() {
        "map_field_exact" => true,
        "map_field_assoc" => false,
        _ => return None,
    };
    let (key, value) = pair(types)?;
    Some(MapField {
        at: location(annotation),
        required,
        key: read(key)?,
        value: read(value)?,
    })
}

/// `[{atom, _, Name} | Fields]`, or `[{tuple, [Module, Name]} | Fields]` of a native record.
fn record(arguments: &EtfTerm) -> Option<TypeKind> {
    let [name, fields @ ..] = arguments.as_list()? else {
        return None;
    };
    let fields = fields.iter().map(field_type).collect::<Option<_>>()?;
    if let Some(name) = atom_node(name) {
        return Some(TypeKind::Record(Box::new(RecordType {
            module: None,
            name,
            fields,
        })));
    }
    let parts = match name.as_tuple()? {
        [tag, _, parts] if tag.is_atom("tuple") => parts,
        _ => return None,
    };
    let (module, name) = pair(parts)?;
    Some(TypeKind::Record(Box::new(RecordType {
        module: Some(atom_node(module)?),
        name: atom_node(name)?,
        fields,
    })))
}

fn field_type(term: &EtfTerm) -> Option<FieldType> {
    let [tag, annotation, kind, parts] = term.as_tuple()? else {
        return None;
    };
    if !(tag.is_atom("type") && kind.is_atom("field_type")) {
        return None;
    }
    let (name, ty) = pair(parts)?;
    Some(FieldType {
        at: location(annotation),
        name: atom_node(name)?,
        ty: read(ty)?,
    })
}

/// `[{type, _, product, Parameters}, Result]`, or `[{type, _, any}, Result]` for `(...)`.
fn signature_parts(arguments: &EtfTerm) -> Option<Signature> {
    let (parameters, result) = pair(arguments)?;
    let parameters = match parameters.as_tuple()? {
        [tag, _, any] if tag.is_atom("type") && any.is_atom("any") => None,
        [tag, _, product, types] if tag.is_atom("type") && product.is_atom("product") => {
            Some(all(types)?)
        }
        _ => return None,
    };
    Some(Signature {
        parameters,
        result: read(result)?,
    })
}

/// A clause of a signature: a function type, bounded or not.
pub(super) fn clause(term: &EtfTerm) -> Option<Clause> {
    let [tag, annotation, kind, parts] = term.as_tuple()? else {
        return None;
    };
    if !tag.is_atom("type") {
        return None;
    }
    match kind.as_atom()?.as_str() {
        "fun" => Some(Clause {
            at: location(annotation),
            signature: signature_parts(parts)?,
            constraints: Vec::new(),
        }),
        "bounded_fun" => {
            let (function, constraints) = pair(parts)?;
            let [_, annotation, _, parts] = function.as_tuple()? else {
                return None;
            };
            let constraints = constraints.as_list()?.iter().map(constraint);
            Some(Clause {
                at: location(annotation),
                signature: signature_parts(parts)?,
                constraints: constraints.collect::<Option<_>>()?,
            })
        }
        _ => None,
    }
}

/// `{type, _, constraint, [{atom, _, is_subtype}, [Variable, Bound]]}`
fn constraint(term: &EtfTerm) -> Option<Constraint> {
    let [_, annotation, kind, parts] = term.as_tuple()? else {
        return None;
    };
    if !kind.is_atom("constraint") {
        return None;
    }
    let (_, types) = pair(parts)?;
    let (variable, bound) = pair(types)?;
    Some(Constraint {
        at: location(annotation),
        variable: named(variable, "var")?,
        bound: read(bound)?,
    })
}
