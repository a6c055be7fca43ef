//! `impl ToTerm`.

use proc_macro2::TokenStream;
use quote::quote;
use syn::Ident;

use super::field_type::FieldType;
use super::model::{Entry, Item, TermForm, fields};

pub(super) fn implementation(item: &Item) -> TokenStream {
    let header = item.header(
        &quote!(::otp_bridge::term::ToTerm),
        &[quote!(::otp_bridge::term::ToTerm)],
    );
    let forms = item.forms();
    let arms = forms.iter().map(|(path, form)| {
        let pattern = form.braced(path);
        let build = build(form);
        quote!(#pattern => #build,)
    });
    let body = if forms.is_empty() {
        quote! {
            let _ = __otp_heap;
            match *self {}
        }
    } else {
        quote!(match self { #(#arms)* })
    };
    quote! {
        #header {
            fn to_term<__OtpHeap: ::otp_bridge::term::Heap>(&self, __otp_heap: __OtpHeap) -> __OtpHeap::Term {
                #body
            }
        }
    }
}

/// Returns an expression that builds the term of a form whose fields are bound.
fn build(form: &TermForm) -> TokenStream {
    let fields = fields(form.members().len());
    let terms = fields.iter().zip(form.types()).map(term);
    match form {
        TermForm::Atom(tag) => {
            let place = &tag.place;
            quote!(__otp_heap.atom(&#place))
        }
        TermForm::Tagged(tag, _) => {
            let place = &tag.place;
            quote!(__otp_heap.tuple([__otp_heap.atom(&#place), #(#terms),*]))
        }
        TermForm::Tuple(_) => quote!(__otp_heap.tuple([#(#terms),*])),
        TermForm::Transparent(_) => terms.collect(),
        TermForm::Map(map) => {
            let associations = map.entries.iter().zip(&fields).map(association);
            match &map.rest {
                None => quote!(__otp_heap.map([#(#associations),*])),
                Some(field) => {
                    let rest = fields.last();
                    let write = match field.ty.rest() {
                        Some(of_type) => quote!(#of_type::write),
                        None => quote!(::otp_bridge::term::derived::map_with_rest),
                    };
                    quote!(#write(__otp_heap, [#(#associations),*], #rest))
                }
            }
        }
    }
}

fn term((field, ty): (&Ident, &FieldType)) -> TokenStream {
    let to_term = ty.to_term();
    quote!(#to_term(#field, __otp_heap))
}

fn association((entry, field): (&Entry, &Ident)) -> TokenStream {
    let place = &entry.key.place;
    let value = term((field, &entry.ty));
    if entry.optional {
        quote!(#field.as_ref().map(|#field| (__otp_heap.atom(&#place), #value)))
    } else {
        quote!(::std::option::Option::Some((__otp_heap.atom(&#place), #value)))
    }
}
