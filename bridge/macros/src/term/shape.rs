//! The constants of `impl FromTerm`: the outer shapes of a type's terms.

use proc_macro2::TokenStream;
use quote::quote;

use super::model::{Atom, Entry, Field, Item, Map, TermForm};

/// Returns `const KIND` and `const SHAPE`.
pub(super) fn constants(item: &Item) -> TokenStream {
    let forms = item.forms();
    let kinds = forms.iter().map(|(_, form)| kind(form));
    let shapes = forms.iter().map(|(_, form)| shape(form));
    let (kind, shape) = match forms.len() {
        1 => (quote!(#(#kinds)*), quote!(#(#shapes)*)),
        _ => (
            quote!(::otp_bridge::term::Shape::Union(&[#(#kinds),*])),
            quote!(::otp_bridge::term::Shape::Union(&[#(#shapes),*])),
        ),
    };
    quote! {
        const KIND: ::otp_bridge::term::Shape = #kind;
        const SHAPE: ::otp_bridge::term::Shape = #shape;
    }
}

/// Returns the outer shape of a form's terms, without their contents.
pub(super) fn kind(form: &TermForm) -> TokenStream {
    match form {
        TermForm::Atom(tag) => atom(tag),
        TermForm::Tagged(_, elements) => tuples(elements.len() + 1),
        TermForm::Tuple(elements) => tuples(elements.len()),
        TermForm::Transparent(field) => field.ty.kind(),
        TermForm::Map(_) => quote! {
            ::otp_bridge::term::Shape::Some(&::otp_bridge::term::Shape::Maps)
        },
    }
}

fn shape(form: &TermForm) -> TokenStream {
    match form {
        TermForm::Atom(tag) => atom(tag),
        TermForm::Tagged(tag, fields) => {
            let tag = atom(tag);
            let kinds = fields.iter().map(field_kind);
            quote!(::otp_bridge::term::Shape::Elements(&[#tag, #(#kinds),*]))
        }
        TermForm::Tuple(fields) => {
            let kinds = fields.iter().map(field_kind);
            quote!(::otp_bridge::term::Shape::Elements(&[#(#kinds),*]))
        }
        TermForm::Transparent(field) => field.ty.shape(),
        TermForm::Map(map) => map_shape(map),
    }
}

fn atom(atom: &Atom) -> TokenStream {
    let text = &atom.text;
    quote!(::otp_bridge::term::Shape::Atom(#text))
}

fn tuples(arity: usize) -> TokenStream {
    quote!(::otp_bridge::term::Shape::Some(&::otp_bridge::term::Shape::Tuples(#arity)))
}

fn field_kind(field: &Field) -> TokenStream {
    field.ty.kind()
}

fn map_shape(map: &Map) -> TokenStream {
    let keys = map.entries.iter().map(key);
    let others = !map.exact;
    let keys = quote! {
        ::otp_bridge::term::Shape::Keys { keys: &[#(#keys),*], others: #others }
    };
    match map.rest {
        // The type of the other keys is not examined.
        Some(_) => quote!(::otp_bridge::term::Shape::Some(&#keys)),
        None => keys,
    }
}

fn key(entry: &Entry) -> TokenStream {
    let (text, is_optional, kind) = (&entry.key.text, entry.optional, entry.ty.kind());
    quote! {
        ::otp_bridge::term::KeyShape {
            key: #text,
            is_optional: #is_optional,
            value: #kind,
        }
    }
}
