//! Types in Rust.

use proc_macro2::TokenStream;
use quote::quote;

use super::construct;
use super::defaults;
use super::open_maps::OpenMaps;
use super::scope::{Scope, angle, doc, identifier, tokens};
use crate::complete::CLONE;
use crate::ir::{
    Element, Field, Item, ItemKind, Rest, RustType, Variant, VariantShape, field_names,
};
use crate::names::derived_tag;
use crate::writer::TypeWriter;

/// The derives of every struct and enum besides `Term`. A type has `Clone` only if it supports it.
const DERIVES: [&str; 3] = ["Debug", CLONE, "PartialEq"];

/// Writes types as Rust.
pub(super) struct RustTypes<'m> {
    pub(super) scope: Scope<'m>,
    /// The maps that ignore other keys.
    pub(super) open_maps: &'m OpenMaps,
}

impl RustTypes<'_> {
    /// Returns its own derives, and those that the user adds.
    fn derives(&self, item: &Item) -> TokenStream {
        let own = self.scope.complete.derives(item);
        let names = DERIVES
            .iter()
            .filter(|name| **name != CLONE || own.iter().any(|it| it == CLONE));
        let names = names.map(|name| self.scope.standard(name));
        let has_default = matches!(&item.kind, ItemKind::Map { fields, .. } if has_default(fields))
            || defaults::implementation(&self.scope, item).is_some();
        let has =
            |name: &String| DERIVES.contains(&name.as_str()) || (name == "Default" && has_default);
        let more = own.iter().filter(|name| !has(name));
        let more = more.map(|name| tokens(name));
        let construct = construct::is_derived(&self.scope, item).then(|| quote!(, rt::Construct));
        quote!(#[derive(#(#names,)* ::otp_bridge::Term #construct #(, #more)*)])
    }

    fn scope_of(&self, item: &Item) -> Scope<'_> {
        self.scope.with_parameters(&item.parameters)
    }
}

impl TypeWriter for RustTypes<'_> {
    type Output = TokenStream;

    fn reexport(&self, item: &Item, path: &str) -> TokenStream {
        let doc = doc(&format!("`{}`", item.erlang));
        let (path, name) = (tokens(path), identifier(&item.name));
        let renamed = path.to_string().rsplit("::").next().map(str::trim) != Some(&item.name);
        let name = renamed.then(|| quote!(as #name));
        quote!(#doc pub use #path #name;)
    }

    fn alias(&self, item: &Item, ty: &RustType) -> TokenStream {
        let doc = doc(&format!("`{}`", item.erlang));
        let (name, parameters) = (identifier(&item.name), declared(item));
        let ty = self.scope_of(item).ty(ty);
        quote!(#doc pub type #name #parameters = #ty;)
    }

    fn newtype(&self, item: &Item, inner: &RustType, opaque: bool) -> TokenStream {
        let doc = doc(&format!("`{}`", item.erlang));
        let derives = self.derives(item);
        let (name, parameters) = (identifier(&item.name), declared(item));
        let inner = self.scope_of(item).ty(inner);
        let visibility = (!opaque).then(|| quote!(pub));
        quote!(#doc #derives #[term(transparent)] pub struct #name #parameters (#visibility #inner);)
    }

    fn tuple(&self, item: &Item, tag: Option<&str>, elements: &[Element]) -> TokenStream {
        let doc = doc(&format!("`{}`", item.erlang));
        let derives = self.derives(item);
        let (name, parameters) = (identifier(&item.name), declared(item));
        let scope = self.scope_of(item);
        let attribute = match tag {
            Some(tag) => {
                let tag = tag_attribute(&item.name, tag);
                let record = has_fields(elements).then(|| quote!(#[term(record)]));
                quote!(#record #tag)
            }
            None => quote!(#[term(tuple)]),
        };
        let is_derived = construct::is_derived(&scope, item);
        let given = is_derived.then(|| construct::of_struct(tag));
        let is_given = match tag {
            Some(_) => is_derived,
            None => is_derived && construct::takes_elements(&scope, item, 0),
        };
        let fields = self::elements(&scope, elements, is_given, &quote!(pub));
        let end = (!has_fields(elements)).then(|| quote!(;));
        let from = construct::written_out(&scope, item);
        quote! {
            #doc #derives #attribute #given
            pub struct #name #parameters #fields #end
            #from
        }
    }

    fn map(&self, item: &Item, fields: &[Field], rest: Option<&Rest>) -> TokenStream {
        let scope = self.scope_of(item);
        let doc = doc(&format!("`{}`", item.erlang));
        let derives = self.derives(item);
        let default = has_default(fields).then(|| {
            let default = scope.standard("Default");
            quote!(#[derive(#default)])
        });
        let (name, parameters) = (identifier(&item.name), declared(item));
        let declared = fields.iter().map(|field| map_field(&scope, field));
        let others = rest.map(|rest| rest_field(&scope, rest));
        let declared = declared.chain(others);
        let module = &self.scope.module.name;
        let is_open = rest.is_some() || self.open_maps.has(module, &item.name);
        let exact = (!is_open).then(|| quote!(#[term(exact)]));
        let made = defaults::implementation(&scope, item);
        quote! {
            #doc #derives #default #exact
            pub struct #name #parameters { #(#declared),* }
            #made
        }
    }

    fn record(&self, item: &Item, tag: &str, fields: &[Field]) -> TokenStream {
        let scope = self.scope_of(item);
        let doc = doc(&format!("`{}`", item.erlang));
        let derives = self.derives(item);
        let (name, parameters) = (identifier(&item.name), declared(item));
        let declared = fields.iter().map(|field| {
            let doc = self::doc(&format!("`{}`", field.erlang));
            let (name, ty) = (identifier(&field.name), scope.ty(&field.ty));
            quote!(#doc pub #name: #ty)
        });
        let attribute = quote!(#[term(record)] #[term(tag = #tag)]);
        let made = defaults::implementation(&scope, item);
        quote!(#doc #derives #attribute pub struct #name #parameters { #(#declared),* } #made)
    }

    fn enumeration(&self, item: &Item, variants: &[Variant]) -> TokenStream {
        let scope = self.scope_of(item);
        let doc = doc(&format!("`{}`", item.erlang));
        let derives = self.derives(item);
        let (name, parameters) = (identifier(&item.name), declared(item));
        let from = construct::of_variants(&scope, item, variants);
        let is_derived = construct::is_derived(&scope, item);
        let written = variants.iter().zip(from);
        let declared = written.enumerate().map(|(index, (written, from))| {
            let is_given = match written.shape {
                VariantShape::Tuple(_) => {
                    is_derived && construct::takes_elements(&scope, item, index)
                }
                _ => is_derived,
            };
            variant(&scope, is_given, written, &from)
        });
        let conversions = construct::written_out(&scope, item);
        quote!(#doc #derives pub enum #name #parameters { #(#declared),* } #conversions)
    }
}

/// Returns the type parameters of an item. Those that may be left out have their default.
fn declared(item: &Item) -> TokenStream {
    let parameter = |parameter: &String| {
        let name = identifier(parameter);
        let default = item
            .defaults
            .contains(parameter)
            .then(|| quote!(= rt::Term));
        quote!(#name #default)
    };
    angle(&item.parameters.iter().map(parameter).collect::<Vec<_>>())
}

/// Returns whether a map without any field is a value of the type.
fn has_default(fields: &[Field]) -> bool {
    !fields.iter().any(|field| field.required)
}

/// Returns a variant of an enum, with the attributes that determine its term.
fn variant(
    scope: &Scope<'_>,
    is_given: bool,
    variant: &Variant,
    from: &TokenStream,
) -> TokenStream {
    let doc = doc(&format!("`{}`", variant.erlang));
    let name = identifier(&variant.name);
    let types: Vec<TokenStream> = variant
        .shape
        .types()
        .iter()
        .map(|ty| scope.ty(ty))
        .collect();
    match &variant.shape {
        VariantShape::Unit(atom) => {
            // The enum's form already describes its names.
            let tag = tag_attribute(&variant.name, atom);
            let doc = tag.is_some().then_some(doc);
            quote!(#doc #tag #from #name)
        }
        VariantShape::Tagged(atom, elements) => {
            let tag = tag_attribute(&variant.name, atom);
            let record = has_fields(elements).then(|| quote!(#[term(record)]));
            let fields = self::elements(scope, elements, is_given, &TokenStream::new());
            quote!(#doc #record #tag #from #name #fields)
        }
        VariantShape::Tuple(elements) => {
            let fields = self::elements(scope, elements, is_given, &TokenStream::new());
            quote!(#doc #[term(tuple)] #from #name #fields)
        }
        VariantShape::Untagged(_) => quote!(#doc #[term(untagged)] #from #name(#(#types),*)),
    }
}

fn has_fields(elements: &[Element]) -> bool {
    field_names(elements).is_some()
}

/// Returns elements of a tuple, in parentheses or, if they have names, in braces.
fn elements(
    scope: &Scope<'_>,
    elements: &[Element],
    is_given: bool,
    visibility: &TokenStream,
) -> TokenStream {
    let given = construct::elements(scope, elements, is_given);
    match field_names(elements) {
        None => {
            let elements = given.map(|(given, ty)| quote!(#given #visibility #ty));
            quote!((#(#elements),*))
        }
        Some(names) => {
            let named = elements.iter().zip(names).zip(given);
            let fields = named.map(|((element, name), (given, ty))| {
                let doc = doc(&format!("`{}`", element.name.as_deref().unwrap_or(name)));
                let name = identifier(name);
                quote!(#doc #given #visibility #name: #ty)
            });
            quote!({ #(#fields),* })
        }
    }
}

/// Returns the tag, if it differs from the derive's default for the name.
fn tag_attribute(name: &str, tag: &str) -> Option<TokenStream> {
    (derived_tag(name).as_deref() != Some(tag)).then(|| quote!(#[term(tag = #tag)]))
}

fn map_field(scope: &Scope<'_>, field: &Field) -> TokenStream {
    let doc = doc(&format!("`{}`", field.erlang));
    let (name, key) = (identifier(&field.name), &field.key);
    let key = (field.name != *key).then(|| quote!(#[term(key = #key)]));
    let (ty, given) = (scope.ty(&field.ty), construct::of_key(scope, field));
    if field.required {
        return quote!(#doc #key #given pub #name: #ty);
    }
    let option = scope.standard("Option");
    quote!(#doc #[term(optional)] #key #given pub #name: #option<#ty>)
}

fn rest_field(scope: &Scope<'_>, rest: &Rest) -> TokenStream {
    let doc = doc(&format!("`{}`", rest.erlang));
    let name = identifier(&rest.name);
    let (key, value) = (scope.ty(&rest.key), scope.ty(&rest.value));
    quote!(#doc #[term(rest)] pub #name: rt::Map<#key, #value>)
}
