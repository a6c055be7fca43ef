//! `From` of a struct or a variant.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{
    Attribute, DeriveInput, Error, Fields, Generics, Ident, Member, Result, Type, TypeParamBound,
};

use super::attributes::{self, FromOption};
use crate::names::ours;
use crate::standard::vec_element;
use crate::term::model::{Atom, Field, TermForm};

/// Returns the conversions into the form at `path`, `Self` or `Self::Variant`.
pub(super) fn of_form(
    input: &DeriveInput,
    path: &TokenStream,
    form: &TermForm,
    attributes: &[Attribute],
    fields: &Fields,
) -> Result<TokenStream> {
    let options = attributes::read(attributes)?;
    let written = Written { input, path };
    let mut all = TokenStream::new();
    if !options
        .iter()
        .any(|option| matches!(option, FromOption::None))
    {
        all.extend(written.shape(form, &options, fields)?);
    }
    for option in options {
        if let FromOption::Type(ty) = option {
            all.extend(written.through(*ty));
        }
    }
    Ok(all)
}

/// The target of the implementations.
struct Written<'i> {
    input: &'i DeriveInput,
    path: &'i TokenStream,
}

impl Written<'_> {
    /// Converts from the Erlang shape.
    fn shape(
        &self,
        form: &TermForm,
        options: &[FromOption],
        fields: &Fields,
    ) -> Result<TokenStream> {
        let path = self.path;
        let mut more = More::new(&self.input.generics);
        Ok(match form {
            TermForm::Atom(atom) => {
                let atom = named(atom, options, self.span());
                self.implementation(&more, &quote!(atoms::#atom), &quote!(_), &quote!(#path))
            }
            TermForm::Tagged(atom, elements) => {
                let atom = named(atom, options, self.span());
                let (types, pattern, values) = shape(elements, fields, &mut more)?;
                let value = quote!(#path { #values });
                let ty = quote!((atoms::#atom, #types));
                self.implementation(&more, &ty, &quote!((_, #pattern)), &value)
            }
            TermForm::Tuple(elements) => {
                let (types, pattern, values) = shape(elements, fields, &mut more)?;
                let value = quote!(#path { #values });
                self.implementation(&more, &quote!((#types)), &quote!((#pattern)), &value)
            }
            TermForm::Transparent(field) => {
                let (ty, member) = (&field.ty, &field.member);
                let value = quote!(#path { #member: __otp_value });
                let mut all =
                    self.implementation(&more, &quote!(#ty), &quote!(__otp_value), &value);
                if let Some(element) = vec_element(ty) {
                    more.generics
                        .params
                        .push(syn::parse_quote!(const __OTP_COUNT: ::core::primitive::usize));
                    let array = quote!([#element; __OTP_COUNT]);
                    let value = quote!(#path { #member: ::std::vec::Vec::from(__otp_value) });
                    all.extend(self.implementation(&more, &array, &quote!(__otp_value), &value));
                    all.extend(self.slice(ty, element, member));
                }
                all
            }
            TermForm::Map(_) => {
                return Err(Error::new(self.span(), "a map has no such conversion"));
            }
        })
    }

    /// Returns the conversion from a slice, for a `Vec`. There is none from a slice of bytes,
    /// because that could also stand for a binary.
    fn slice(&self, ty: &Type, element: &Type, member: &Member) -> TokenStream {
        if matches!(element, Type::Path(path) if path.path.is_ident("u8")) {
            return TokenStream::new();
        }
        let mut more = More::new(&self.input.generics);
        let bounds = more.generics.make_where_clause();
        // The compiler checks a bound with a lifetime where it is used, so the element type need
        // not have `Clone`.
        let bound = syn::parse_quote!(for<'__otp_slice> #element: ::core::clone::Clone);
        bounds.predicates.push(bound);
        let path = self.path;
        let value = quote!(#path { #member: <#ty>::from(__otp_value) });
        self.implementation(&more, &quote!(&[#element]), &quote!(__otp_value), &value)
    }

    /// Converts from values that convert into the field.
    fn through(&self, ty: Type) -> TokenStream {
        let mut more = More::new(&self.input.generics);
        let ty = more.named(ty);
        let path = self.path;
        let value = quote!(#path(::core::convert::From::from(__otp_value)));
        self.implementation(&more, &quote!(#ty), &quote!(__otp_value), &value)
    }

    fn implementation(
        &self,
        more: &More,
        ty: &TokenStream,
        pattern: &TokenStream,
        value: &TokenStream,
    ) -> TokenStream {
        let name = &self.input.ident;
        let (parameters, _, bounds) = more.generics.split_for_impl();
        let (_, arguments, _) = self.input.generics.split_for_impl();
        quote_spanned! {self.span()=>
            impl #parameters ::core::convert::From<#ty> for #name #arguments #bounds {
                #[inline]
                #[track_caller]
                fn from(#pattern: #ty) -> Self {
                    #value
                }
            }
        }
    }

    /// Returns the span of errors, which is that of the variant.
    fn span(&self) -> Span {
        let last = self.path.clone().into_iter().last();
        last.map_or_else(Span::call_site, |last| match last.to_string().as_str() {
            "Self" => self.input.ident.span(),
            _ => last.span(),
        })
    }
}

/// Returns the Rust name of an atom.
fn named(atom: &Atom, options: &[FromOption], span: Span) -> Ident {
    let given = options.iter().find_map(|option| match option {
        FromOption::Atom(name) => Some(name.clone()),
        _ => None,
    });
    given.unwrap_or_else(|| Ident::new(&atom.text, span))
}

/// Returns types, patterns and values of the elements of a tuple, each with a comma behind it.
fn shape(
    elements: &[Field],
    fields: &Fields,
    more: &mut More,
) -> Result<(TokenStream, TokenStream, TokenStream)> {
    let (mut types, mut pattern, mut values) = <(TokenStream, TokenStream, TokenStream)>::default();
    for (number, (element, field)) in elements.iter().zip(fields).enumerate() {
        let local = ours(&format!("element{number}"));
        let (ty, member) = (&element.ty, &element.member);
        let options = attributes::read(&field.attrs)?;
        let (accepted, value) = match options.first() {
            Some(FromOption::Into) => (
                more.parameter(quote!(::core::convert::Into<#ty>)),
                quote!(::core::convert::Into::into(#local)),
            ),
            Some(FromOption::Any) => (
                more.parameter(quote!(::otp_bridge::ToTerm)),
                quote!(::otp_bridge::Term::of(&#local)),
            ),
            Some(FromOption::Number(Some(number))) => (
                quote!(#number),
                quote!(::otp_bridge::__private::checked::<#ty>(#local)),
            ),
            Some(_) => {
                let message = "an element has `into`, `number = …` or `any`";
                return Err(Error::new(field.span(), message));
            }
            None => (quote!(#ty), quote!(#local)),
        };
        types.extend(quote!(#accepted,));
        pattern.extend(quote!(#local,));
        values.extend(quote!(#member: #value,));
    }
    Ok((types, pattern, values))
}

/// The type's own type parameters, and those of a conversion.
struct More {
    generics: Generics,
    count: usize,
}

impl More {
    fn new(generics: &Generics) -> Self {
        let generics = generics.clone();
        More { generics, count: 0 }
    }

    fn parameter(&mut self, bound: TokenStream) -> TokenStream {
        self.count += 1;
        let name = ours(&format!("Value{}", self.count));
        self.generics.params.push(syn::parse_quote!(#name: #bound));
        quote!(#name)
    }

    /// Returns `ty` with a type parameter for each `impl Trait` in it.
    fn named(&mut self, ty: Type) -> Type {
        match ty {
            Type::ImplTrait(ty) => {
                let bounds: Vec<TypeParamBound> = ty.bounds.into_iter().collect();
                let name = self.parameter(quote!(#(#bounds)+*));
                syn::parse_quote!(#name)
            }
            Type::Tuple(mut tuple) => {
                for element in &mut tuple.elems {
                    *element = self.named(element.clone());
                }
                Type::Tuple(tuple)
            }
            other => other,
        }
    }
}
