//! Parses source into an [`Item`].

use otp_contract::limits::ATOM_CHARACTERS;
use otp_contract::rust::snake_case;
use proc_macro2::Span;
use syn::spanned::Spanned;
use syn::{
    Data, DataEnum, DeriveInput, Error, Fields, GenericArgument, Ident, Index, LitStr, Member,
    PathArguments, Result, Type,
};

use super::attributes::{self, Attributes};
use super::field_type::FieldType;
use super::model::{Atom, Atoms, Entry, Field, Item, Map, StructOrEnum, TermForm, Variant};
use crate::attributes::doc_lines;
use crate::standard::option_content;

pub(super) fn item(input: &DeriveInput) -> Result<Item> {
    let atoms = Atoms::default();
    let shape = match &input.data {
        Data::Struct(data) => {
            let attributes = attributes::read(&input.attrs, attributes::STRUCT)?;
            let form = struct_form(&input.ident, &data.fields, &attributes, &atoms)?;
            StructOrEnum::Struct(Box::new(form))
        }
        Data::Enum(data) => {
            attributes::read(&input.attrs, attributes::ENUM)?;
            StructOrEnum::Enum(variants(data, &atoms)?)
        }
        Data::Union(data) => {
            let message = "a Rust union has no Erlang form: an enum is what Erlang calls a union";
            return Err(Error::new(data.union_token.span(), message));
        }
    };
    Ok(Item {
        name: input.ident.clone(),
        generics: input.generics.clone(),
        reply: reply(&input.attrs)?,
        doc: doc_lines(&input.attrs),
        shape,
        atoms,
    })
}

fn struct_form(
    name: &Ident,
    fields: &Fields,
    attributes: &Attributes,
    atoms: &Atoms,
) -> Result<TermForm> {
    if let Some(span) = attributes.transparent {
        exclude(
            attributes,
            &[
                ("tuple", attributes.tuple),
                ("record", attributes.record),
                ("exact", attributes.exact),
            ],
        )?;
        return only_field(fields, span, "transparent")
            .map(Box::new)
            .map(TermForm::Transparent);
    }
    if matches!(fields, Fields::Named(_))
        && attributes.record.is_none()
        && attributes.tuple.is_none()
    {
        exclude(attributes, &[])?;
        let map = map(fields, attributes.exact.is_some(), atoms)?;
        return match (attributes.exact, &map.rest) {
            (Some(span), Some(_)) => {
                let message = "`exact` contradicts the field with `rest`, which takes every key";
                Err(Error::new(span, message))
            }
            _ => Ok(TermForm::Map(Box::new(map))),
        };
    }
    tuple_or_tagged(name, fields, attributes, atoms)
}

fn variants(data: &DataEnum, atoms: &Atoms) -> Result<Vec<Variant>> {
    let mut variants = Vec::new();
    for variant in &data.variants {
        let attributes = attributes::read(&variant.attrs, attributes::VARIANT)?;
        let form = variant_form(&variant.ident, &variant.fields, &attributes, atoms)?;
        variants.push(Variant {
            name: variant.ident.clone(),
            form,
        });
    }
    Ok(variants)
}

fn variant_form(
    name: &Ident,
    fields: &Fields,
    attributes: &Attributes,
    atoms: &Atoms,
) -> Result<TermForm> {
    if let Some(span) = attributes.untagged {
        exclude(
            attributes,
            &[("tuple", attributes.tuple), ("record", attributes.record)],
        )?;
        return only_field(fields, span, "untagged")
            .map(Box::new)
            .map(TermForm::Transparent);
    }
    if matches!(fields, Fields::Named(_))
        && attributes.record.is_none()
        && attributes.tuple.is_none()
    {
        let message = "a variant whose fields have names needs `#[term(record)]`, which makes it \
                       `{tag, Field1, Field2}`; for a map, give it one `#[term(untagged)]` field \
                       of a struct with these fields";
        return Err(Error::new(name.span(), message));
    }
    tuple_or_tagged(name, fields, attributes, atoms)
}

/// Parses a struct or variant that is an atom or a tuple.
fn tuple_or_tagged(
    name: &Ident,
    fields: &Fields,
    attributes: &Attributes,
    atoms: &Atoms,
) -> Result<TermForm> {
    if let Some(span) = attributes.exact {
        return Err(Error::new(
            span,
            "`exact` is for maps: other forms are exact already",
        ));
    }
    if attributes.tuple.is_some() {
        exclude(attributes, &[("record", attributes.record)])?;
        return plain_fields(fields).map(TermForm::Tuple);
    }
    if let (Some(span), Fields::Unit | Fields::Unnamed(_)) = (attributes.record, fields) {
        let message = "`record` is for fields with names; those without already are `{tag, ...}`";
        return Err(Error::new(span, message));
    }
    let tag = named_atom(atoms, attributes.tag.as_ref(), name)?;
    match fields {
        Fields::Unit => Ok(TermForm::Atom(tag)),
        Fields::Named(_) | Fields::Unnamed(_) => Ok(TermForm::Tagged(tag, plain_fields(fields)?)),
    }
}

/// Rejects attributes that contradict the one that determined the form. All of these forms have no
/// tag.
fn exclude(attributes: &Attributes, others: &[(&str, Option<Span>)]) -> Result<()> {
    let tag = ("tag", attributes.tag.as_ref().map(LitStr::span));
    for (name, span) in others.iter().chain([&tag]) {
        if let Some(span) = span {
            let message = format!("`{name}` has no effect here: this form has no tag");
            let message = if *name == "tag" {
                message
            } else {
                format!("`{name}` contradicts the other attribute")
            };
            return Err(Error::new(*span, message));
        }
    }
    Ok(())
}

fn only_field(fields: &Fields, span: Span, attribute: &str) -> Result<Field> {
    let mut plain = plain_fields(fields)?;
    match (plain.pop(), plain.len()) {
        (Some(field), 0) => Ok(field),
        _ => {
            let message = format!("`{attribute}` needs exactly one field, whose term is the whole");
            Err(Error::new(span, message))
        }
    }
}

/// Returns fields that are elements of a tuple, which have no attributes.
fn plain_fields(fields: &Fields) -> Result<Vec<Field>> {
    let mut plain = Vec::new();
    for (member, field) in members(fields) {
        let attributes = attributes::read(&field.attrs, attributes::FIELD)?;
        let key = attributes.key.as_ref().map(LitStr::span);
        if let Some(span) = key.or(attributes.optional).or(attributes.rest) {
            return Err(Error::new(span, "only the fields of a map have keys"));
        }
        plain.push(Field {
            member,
            ty: field_type(&field.ty)?,
        });
    }
    Ok(plain)
}

/// Parses a struct whose fields are the keys of a map, except for one that may hold all others.
fn map(fields: &Fields, exact: bool, atoms: &Atoms) -> Result<Map> {
    let (mut entries, mut rest) = (Vec::new(), None);
    for (member, field) in members(fields) {
        let attributes = attributes::read(&field.attrs, attributes::FIELD)?;
        let Some(span) = attributes.rest else {
            entries.push(entry(member, field, &attributes, atoms)?);
            continue;
        };
        if attributes.optional.is_some() || attributes.key.is_some() {
            let message = "`rest` is for the keys that no other field has: it has none of its own";
            return Err(Error::new(span, message));
        }
        let ty = FieldType::new(field.ty.clone());
        if rest.replace(Field { member, ty }).is_some() {
            return Err(Error::new(span, "another field is `rest` already"));
        }
    }
    Ok(Map {
        entries,
        rest,
        exact,
    })
}

fn entry(
    member: Member,
    field: &syn::Field,
    attributes: &Attributes,
    atoms: &Atoms,
) -> Result<Entry> {
    let ty = match attributes.optional {
        Some(span) => option_content(&field.ty).ok_or_else(|| {
            let message = "an `optional` field is an `Option`: `None` leaves out the key";
            Error::new(span, message)
        })?,
        None => &field.ty,
    };
    let key = match &member {
        Member::Named(name) => named_atom(atoms, attributes.key.as_ref(), name)?,
        Member::Unnamed(_) => return Err(Error::new(field.span(), "a map needs field names")),
    };
    Ok(Entry {
        key,
        member,
        ty: field_type(ty)?,
        optional: attributes.optional.is_some(),
    })
}

/// Returns the type of a field.
///
/// # Errors
/// Two of its values would have the same term.
fn field_type(ty: &Type) -> Result<FieldType> {
    check_options(ty)?;
    Ok(FieldType::new(ty.clone()))
}

/// Returns the type of a request's reply.
///
/// # Errors
/// Two of its values would have the same term.
fn reply(attributes: &[syn::Attribute]) -> Result<Option<Type>> {
    let reply = attributes::reply(attributes)?;
    reply.iter().try_for_each(check_options)?;
    Ok(reply)
}

/// Rejects an `Option` in an `Option`, also inside of types that have terms as their content.
fn check_options(ty: &Type) -> Result<()> {
    if option_content(ty).and_then(option_content).is_some() {
        return Err(Error::new(
            ty.span(),
            "`None` and `Some(None)` would both be the atom `undefined`: remove one `Option`, or use an enum with a variant \
             for each meaning",
        ));
    }
    match ty {
        Type::Tuple(tuple) => tuple.elems.iter().try_for_each(check_options),
        Type::Array(array) => check_options(&array.elem),
        _ => contents(ty).into_iter().try_for_each(check_options),
    }
}

/// Types whose parameters are the types of their contents.
const HOLDING: [&str; 7] = [
    "Option", "Result", "Vec", "VecDeque", "Box", "HashMap", "BTreeMap",
];

fn contents(ty: &Type) -> Vec<&Type> {
    let Type::Path(path) = ty else {
        return Vec::new();
    };
    let last = path.path.segments.last();
    let holding = last.filter(|it| HOLDING.iter().any(|name| it.ident == name));
    let Some(PathArguments::AngleBracketed(given)) = holding.map(|it| &it.arguments) else {
        return Vec::new();
    };
    let types = given.args.iter().filter_map(|argument| match argument {
        GenericArgument::Type(ty) => Some(ty),
        _ => None,
    });
    types.collect()
}

fn members(fields: &Fields) -> impl Iterator<Item = (Member, &syn::Field)> {
    fields.iter().enumerate().map(|(index, field)| {
        let member = match &field.ident {
            Some(name) => Member::Named(name.clone()),
            None => Member::Unnamed(Index::from(index)),
        };
        (member, field)
    })
}

/// Returns the atom of a name, or the text in an attribute that replaces it.
fn named_atom(atoms: &Atoms, text: Option<&LitStr>, name: &Ident) -> Result<Atom> {
    let Some(literal) = text else {
        return Ok(atoms.atom(&snake_case(&name.to_string())));
    };
    let text = literal.value();
    match text.chars().count() {
        0..=ATOM_CHARACTERS => Ok(atoms.atom(&text)),
        characters => {
            let message = format!(
                "an atom has at most {ATOM_CHARACTERS} characters, this text has {characters}"
            );
            Err(Error::new(literal.span(), message))
        }
    }
}
