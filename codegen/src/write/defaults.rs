//! `Default` of records and of Elixir's structs, if each field has a default that is a value of its
//! Rust type.

use otp_specs::ast::Integer;
use otp_specs::types::Constant;
use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::conversions::with_fields;
use super::scope::{Scope, identifier, tokens};
use crate::ir::{Element, Field, Item, ItemKind, RustType, VariantShape, field_names};

/// Maximum nesting of a default.
const DEPTH: usize = 24;

/// Returns the fields from which a default may be created; `None` for a type without a default, or
/// with another one from a derive.
fn fields(item: &Item) -> Option<&[Field]> {
    let fields = match &item.kind {
        ItemKind::Map { fields, rest: None } | ItemKind::Record { fields, .. } => fields,
        _ => return None,
    };
    let may_be = item.parameters.is_empty() && fields.iter().any(|field| field.required);
    may_be.then_some(fields)
}

/// Returns `impl Default`, if it is possible.
pub(super) fn implementation(scope: &Scope<'_>, item: &Item) -> Option<TokenStream> {
    let values = fields(item)?.iter().map(|field| {
        let name = identifier(&field.name);
        let value = match (&field.default, field.required) {
            (None, false) => {
                let none = scope.standard("None");
                quote!(#none)
            }
            (None, true) => return None,
            (Some(default), _) => value(scope, &field.ty, &default.0, DEPTH)?,
        };
        Some(quote!(#name: #value))
    });
    let values: Vec<TokenStream> = values.collect::<Option<_>>()?;
    let (name, default) = (identifier(&item.name), scope.standard("Default"));
    Some(quote! {
        impl #default for #name {
            fn default() -> Self {
                Self { #(#values),* }
            }
        }
    })
}

/// Returns the expression for a constant as a value of a type.
fn value(
    scope: &Scope<'_>,
    ty: &RustType,
    constant: &Constant,
    depth: usize,
) -> Option<TokenStream> {
    let depth = depth.checked_sub(1)?;
    let ty = scope.complete.aliases.canonical(ty);
    Some(match (&ty, constant) {
        (RustType::Atom(known), Constant::Atom(atom)) if known == atom => scope.atom(known),
        (RustType::Primitive("bool"), Constant::Atom(atom)) => match atom.as_str() {
            "true" => quote!(true),
            "false" => quote!(false),
            _ => return None,
        },
        (RustType::Primitive("f64"), Constant::Float(number)) if number.is_finite() => {
            let number = Literal::f64_suffixed(*number);
            quote!(#number)
        }
        (RustType::Primitive(name), Constant::Integer(Integer::Small(number))) => {
            let (low, high) = bounds(name)?;
            integer(i128::from(*number), low, high)?
        }
        (RustType::Ranged(_, low, high), Constant::Integer(Integer::Small(number))) => {
            let number = integer(i128::from(*number), *low, *high)?;
            let ty = scope.ty(&ty);
            quote!(<#ty>::of::<#number>())
        }
        (RustType::Runtime(name, parts), constant) => {
            return runtime(scope, name, parts, constant, depth);
        }
        (RustType::Standard(name, parts), constant) => {
            return standard(scope, name, parts.first()?, constant, depth);
        }
        (RustType::Tuple(types), Constant::Tuple(elements)) if types.len() == elements.len() => {
            let pairs = types.iter().zip(elements);
            let elements = pairs.map(|(ty, one)| value(scope, ty, one, depth));
            let elements: Vec<TokenStream> = elements.collect::<Option<_>>()?;
            quote!((#(#elements,)*))
        }
        (RustType::Item { module, name, .. }, _) if *module == scope.module.name => {
            let item = scope.complete.item(name)?;
            return of_item(scope, item, constant, depth);
        }
        _ => return None,
    })
}

/// Returns a value of a type of Rust's prelude.
fn standard(
    scope: &Scope<'_>,
    name: &str,
    part: &RustType,
    constant: &Constant,
    depth: usize,
) -> Option<TokenStream> {
    let inner = || value(scope, part, constant, depth);
    Some(match (name, constant) {
        ("Option", Constant::Atom(atom)) if atom == "undefined" => {
            let (option, ty) = (scope.standard("Option"), scope.ty(part));
            quote!(#option::<#ty>::None)
        }
        ("Option", _) => {
            let (some, inner) = (scope.standard("Some"), inner()?);
            quote!(#some(#inner))
        }
        ("Box", _) => {
            let (of, inner) = (scope.standard("Box"), inner()?);
            quote!(#of::new(#inner))
        }
        ("Vec", Constant::List(elements, None)) => {
            let elements = elements.iter().map(|one| value(scope, part, one, depth));
            let elements: Vec<TokenStream> = elements.collect::<Option<_>>()?;
            quote!(::std::vec![#(#elements),*])
        }
        _ => return None,
    })
}

/// Returns the bounds of a primitive type, if it is an integer.
fn bounds(primitive: &str) -> Option<(i128, i128)> {
    let (kind, bits) = primitive.split_at_checked(1)?;
    let bits: u32 = bits.parse().ok()?;
    let most = 1_i128.checked_shl(bits).filter(|_| bits <= 64)?;
    match kind {
        "u" => Some((0, most - 1)),
        "i" => Some((-(most / 2), most / 2 - 1)),
        _ => None,
    }
}

fn integer(number: i128, low: i128, high: i128) -> Option<TokenStream> {
    let digits = Literal::u128_unsuffixed(number.unsigned_abs());
    let sign = (number < 0).then(|| quote!(-));
    (low <= number && number <= high).then(|| quote!(#sign #digits))
}

/// Returns a value of a type of the run time.
fn runtime(
    scope: &Scope<'_>,
    name: &str,
    parts: &[RustType],
    constant: &Constant,
    depth: usize,
) -> Option<TokenStream> {
    Some(match (name, constant) {
        ("OrNil", Constant::Atom(atom)) if atom == "nil" => {
            let none = scope.standard("None");
            quote!(rt::OrNil(#none))
        }
        ("OrNil", constant) => {
            let (some, inner) = (
                scope.standard("Some"),
                value(scope, parts.first()?, constant, depth)?,
            );
            quote!(rt::OrNil(#some(#inner)))
        }
        ("Atom", Constant::Atom(atom)) => {
            let atom = atom.as_str();
            quote!({
                static ATOM: rt::StaticAtom = rt::StaticAtom::new(#atom);
                rt::Atom::of_program(&ATOM)
            })
        }
        ("Integer", Constant::Integer(Integer::Small(number))) => {
            let number = Literal::i64_suffixed(*number);
            quote!(rt::Integer::from(#number))
        }
        ("Binary", Constant::Binary(bytes)) => {
            let text = std::str::from_utf8(bytes).ok()?;
            quote!(rt::Binary::from(#text))
        }
        ("ErlangString", Constant::String(codes)) => {
            let text: String = codes
                .iter()
                .map(|code| char::from_u32(*code))
                .collect::<Option<_>>()?;
            quote!(rt::ErlangString::from(#text))
        }
        ("ErlangString", Constant::List(elements, None)) if elements.is_empty() => {
            quote!(rt::ErlangString::from(""))
        }
        ("Map", Constant::Map(pairs)) if pairs.is_empty() => {
            let default = tokens("::core::default::Default");
            quote!(#default::default())
        }
        ("Timeout", Constant::Atom(atom)) if atom == "infinity" => quote!(rt::Timeout::Infinity),
        ("Term", constant) => term(scope, constant, depth)?,
        _ => return None,
    })
}

/// Returns a plain term as the dynamic term.
fn term(scope: &Scope<'_>, constant: &Constant, depth: usize) -> Option<TokenStream> {
    let kind = match constant {
        Constant::Atom(_) => RustType::Runtime("Atom", Vec::new()),
        Constant::Integer(_) => RustType::Runtime("Integer", Vec::new()),
        Constant::Float(_) => RustType::Primitive("f64"),
        Constant::Binary(_) => RustType::Runtime("Binary", Vec::new()),
        Constant::String(_) => RustType::Runtime("ErlangString", Vec::new()),
        Constant::List(elements, None) if elements.is_empty() => {
            return Some(quote!(rt::Term::of(&rt::Nil)));
        }
        Constant::List(..) => RustType::Standard("Vec", vec![RustType::TERM]),
        Constant::Tuple(elements) => RustType::Tuple(vec![RustType::TERM; elements.len()]),
        Constant::Map(_) => RustType::Runtime("Map", vec![RustType::TERM, RustType::TERM]),
        Constant::Char(_) => return None,
    };
    let inner = value(scope, &kind, constant, depth)?;
    // The type of an empty map's keys can only be inferred from the context.
    let ty = scope.ty(&kind);
    Some(quote!(rt::Term::of::<#ty>(&#inner)))
}

/// Returns a value of a generated type of the same module.
fn of_item(
    scope: &Scope<'_>,
    item: &Item,
    constant: &Constant,
    depth: usize,
) -> Option<TokenStream> {
    if !item.parameters.is_empty() {
        return None;
    }
    let name = scope.local_item(&item.name);
    match &item.kind {
        ItemKind::Newtype { inner, .. } => {
            let inner = value(scope, inner, constant, depth)?;
            Some(quote!(#name(#inner)))
        }
        ItemKind::Enum(variants) => variants.iter().find_map(|variant| {
            let fields = of_shape(scope, &variant.shape, constant, depth)?;
            let variant = identifier(&variant.name);
            Some(quote!(#name::#variant #fields))
        }),
        ItemKind::Tuple { tag, elements } => {
            let values = match (tag, constant) {
                (Some(tag), Constant::Tuple(values)) => tagged(tag, values)?,
                (None, Constant::Tuple(values)) => values,
                _ => return None,
            };
            let fields = of_elements(scope, elements, values, depth)?;
            Some(quote!(#name #fields))
        }
        ItemKind::Reexport(_)
        | ItemKind::Alias(_)
        | ItemKind::Map { .. }
        | ItemKind::Record { .. } => None,
    }
}

/// Returns the text behind the name of a variant whose term is the constant.
fn of_shape(
    scope: &Scope<'_>,
    shape: &VariantShape,
    constant: &Constant,
    depth: usize,
) -> Option<TokenStream> {
    match (shape, constant) {
        (VariantShape::Unit(known), Constant::Atom(atom)) => (known == atom).then(TokenStream::new),
        (VariantShape::Tagged(tag, elements), Constant::Tuple(values)) => {
            of_elements(scope, elements, tagged(tag, values)?, depth)
        }
        (VariantShape::Tuple(elements), Constant::Tuple(values)) => {
            of_elements(scope, elements, values, depth)
        }
        (VariantShape::Untagged(ty), constant) => {
            let value = value(scope, ty, constant, depth)?;
            Some(quote!((#value)))
        }
        (VariantShape::Unit(_) | VariantShape::Tagged(..) | VariantShape::Tuple(_), _) => None,
    }
}

/// Returns the elements behind a tag.
fn tagged<'c>(tag: &str, values: &'c [Constant]) -> Option<&'c [Constant]> {
    match values {
        [Constant::Atom(atom), rest @ ..] if atom == tag => Some(rest),
        _ => None,
    }
}

fn of_elements(
    scope: &Scope<'_>,
    elements: &[Element],
    values: &[Constant],
    depth: usize,
) -> Option<TokenStream> {
    if elements.len() != values.len() {
        return None;
    }
    let pairs = elements.iter().zip(values);
    let fields = pairs.map(|(element, one)| value(scope, &element.ty, one, depth));
    let fields: Vec<TokenStream> = fields.collect::<Option<_>>()?;
    Some(with_fields(field_names(elements).as_deref(), fields))
}
