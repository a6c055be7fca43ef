//! `impl FromTerm`

use proc_macro2::TokenStream;
use quote::quote;

use super::form::{field, fields};
use super::model::{Entry, Field, Form, Item, Map};
use super::shape;

pub(super) fn implementation(item: &Item) -> TokenStream {
    let header = item.header(
        &quote!(::otp_bridge::term::FromTerm),
        &[quote!(::otp_bridge::term::FromTerm)],
    );
    let forms = item.forms();
    let body = match forms.as_slice() {
        [(path, form)] => only(path, form),
        forms => union(forms),
    };
    let constants = shape::constants(item);
    quote! {
        #header {
            #constants

            fn from_term<'__view, __View: ::otp_bridge::term::View<'__view>>(
                view: __View,
            ) -> ::std::result::Result<Self, ::otp_bridge::term::DecodeError> {
                #body
            }
        }
    }
}

/// A type of one form: what is wrong within it is the error.
fn only(path: &TokenStream, form: &Form) -> TokenStream {
    let construct = construct(path, form);
    if let Form::Transparent(_) = form {
        return quote!(::std::result::Result::Ok(#construct));
    }
    let read = within_shape(form, quote!(return ::std::result::Result::Ok(#construct);));
    quote! {
        #read
        ::std::result::Result::Err(::otp_bridge::term::DecodeError::expected::<Self, __View>(view))
    }
}

/// Several forms: those with a tag first, then the others in the order of the source.
fn union(forms: &[(TokenStream, &Form)]) -> TokenStream {
    let is_tagged = |form: &Form| matches!(form, Form::Atom(_) | Form::Tagged(..));
    let (tagged, untagged): (Vec<_>, Vec<_>) = forms.iter().partition(|(_, form)| is_tagged(form));
    if untagged.is_empty() {
        let tries = tagged.iter().map(|(path, form)| {
            let construct = construct(path, form);
            within_shape(form, quote!(return ::std::result::Result::Ok(#construct);))
        });
        return quote! {
            #(#tries)*
            ::std::result::Result::Err(
                ::otp_bridge::term::DecodeError::expected::<Self, __View>(view)
            )
        };
    }
    let tries = tagged
        .iter()
        .chain(&untagged)
        .map(|(path, form)| attempt(path, form));
    quote! {
        ::otp_bridge::term::derived::read_union(
            |attempts| {
                #(#tries)*
                ::std::option::Option::None
            },
            || ::otp_bridge::term::DecodeError::expected::<Self, __View>(view),
        )
    }
}

/// One form of a union that has another to try when this one fails.
fn attempt(path: &TokenStream, form: &Form) -> TokenStream {
    let construct = construct(path, form);
    if let Form::Atom(_) = form {
        return within_shape(
            form,
            quote!(return ::std::option::Option::Some(#construct);),
        );
    }
    let read = quote! {
        let read = || ::std::result::Result::<Self, ::otp_bridge::term::DecodeError>::Ok(#construct);
        if let ::std::option::Option::Some(value) = attempts.add(read()) {
            return ::std::option::Option::Some(value);
        }
    };
    within_shape(form, read)
}

/// Runs `body` where the term has the outer shape of the form, whose parts are then bound.
///
/// No `let` chains: derived code is compiled in the edition of its user.
fn within_shape(form: &Form, body: TokenStream) -> TokenStream {
    match form {
        Form::Atom(tag) => {
            let place = &tag.place;
            quote!(if view.is_atom(&#place) { #body })
        }
        Form::Tagged(tag, elements) => {
            let place = &tag.place;
            let size = elements.len() + 1;
            let names = fields(elements.len());
            quote! {
                if let ::std::option::Option::Some([tag, #(#names),*]) = view.tuple::<#size>() {
                    if tag.is_atom(&#place) { #body }
                }
            }
        }
        Form::Tuple(elements) => {
            let size = elements.len();
            let names = fields(size);
            quote! {
                if let ::std::option::Option::Some([#(#names),*]) = view.tuple::<#size>() { #body }
            }
        }
        Form::Transparent(_) => quote!({ #body }),
        Form::Map(_) => quote!(if view.map_size().is_some() { #body }),
    }
}

/// An expression for the value, with `?` where a part may not be of its type.
fn construct(path: &TokenStream, form: &Form) -> TokenStream {
    let members = form.members();
    let values: Vec<TokenStream> = match form {
        Form::Atom(_) => Vec::new(),
        // Positions in the tuple: the tag is at 0.
        Form::Tagged(_, elements) => numbered(elements).map(|it| element(it, 1)).collect(),
        Form::Tuple(elements) => numbered(elements).map(|it| element(it, 0)).collect(),
        Form::Transparent(field) => {
            let from_term = field.ty.from_term();
            vec![quote!(#from_term(view)?)]
        }
        Form::Map(map) => {
            let rest = map.rest.iter().map(|_| rest(map));
            map.entries.iter().map(value).chain(rest).collect()
        }
    };
    let built = quote!(#path { #(#members: #values),* });
    match form {
        Form::Map(map) if map.exact => {
            let known = known_keys(map);
            quote!({
                let value = #built;
                ::otp_bridge::term::derived::refuse_other_keys(view, #known)?;
                value
            })
        }
        _ => built,
    }
}

fn numbered(elements: &[Field]) -> impl Iterator<Item = (usize, &Field)> {
    elements.iter().enumerate()
}

fn element((number, element): (usize, &Field), first: usize) -> TokenStream {
    let (name, position, ty) = (field(number), first + number, &element.ty);
    ty.checked(quote!(::otp_bridge::term::derived::read_element::<#ty, _>(#name, #position)?))
}

fn known_keys(map: &Map) -> TokenStream {
    let places = map.entries.iter().map(|entry| &entry.key.place);
    quote!(&[#(&#places),*])
}

/// All keys that have no field of their own.
fn rest(map: &Map) -> TokenStream {
    let known = known_keys(map);
    match map.rest.as_ref().and_then(|field| field.ty.rest()) {
        Some(rest) => quote!(#rest::read(view, #known)?),
        None => quote!(::otp_bridge::term::derived::read_rest(view, #known)?),
    }
}

fn value(entry: &Entry) -> TokenStream {
    let (place, ty) = (&entry.key.place, &entry.ty);
    ty.checked(if entry.optional {
        quote!(::otp_bridge::term::derived::read_optional_key::<#ty, _>(view, &#place)?)
    } else {
        quote!(::otp_bridge::term::derived::read_key::<#ty, _>(view, &#place)?)
    })
}
