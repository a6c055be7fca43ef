//! `FromTerm::__watch`: finds the callers in the fields.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Ident, Type};

use super::field_type::FieldType;
use super::model::{Item, TermForm, field, fields};

/// Returns the method, or nothing for a type whose fields cannot have a caller.
pub(super) fn method(item: &Item) -> Option<TokenStream> {
    matched(&item.forms(), &quote!(self)).map(|matched| {
        quote! {
            #[inline]
            fn __watch(&mut self, __otp_watcher: ::otp_bridge::term::Watcher<'_>) {
                #matched
            }
        }
    })
}

/// Returns code that shows the contents of `value` to the watcher, or nothing if the fields cannot
/// have a caller.
pub(super) fn matched(
    forms: &[(TokenStream, &TermForm)],
    value: &TokenStream,
) -> Option<TokenStream> {
    let arms: Vec<TokenStream> = forms.iter().filter_map(arm).collect();
    let other = (arms.len() < forms.len()).then(|| quote!(_ => {}));
    (!arms.is_empty()).then(|| quote!(match #value { #(#arms)* #other }))
}

fn arm((path, form): &(TokenStream, &TermForm)) -> Option<TokenStream> {
    let pattern = form.braced(path);
    let fields = fields(form.members().len());
    let watched: TokenStream = match form {
        TermForm::Map(map) => {
            let entries = map.entries.iter().zip(&fields);
            let entries = entries.filter_map(|(entry, name)| {
                if entry.optional {
                    watch(&entry.ty, name).map(
                    |watch| quote!(if let ::std::option::Option::Some(#name) = #name { #watch }),
                )
                } else {
                    watch(&entry.ty, name)
                }
            });
            let rest = map
                .rest
                .as_ref()
                .map(|rest| watch_rest(&rest.ty, &field(map.entries.len())));
            entries.chain(rest).collect()
        }
        TermForm::Atom(_)
        | TermForm::Tagged(..)
        | TermForm::Tuple(_)
        | TermForm::Transparent(_) => {
            let types = form.types().into_iter().zip(&fields);
            types.filter_map(|(ty, name)| watch(ty, name)).collect()
        }
    };
    (!watched.is_empty()).then(|| {
        quote! {
            #[allow(unused_variables)]
            #pattern => { #watched }
        }
    })
}

fn watch(ty: &FieldType, name: &Ident) -> Option<TokenStream> {
    let watch = ty.watch();
    (!is_primitive(ty)).then(|| quote!(#watch(#name, __otp_watcher);))
}

fn watch_rest(ty: &FieldType, name: &Ident) -> TokenStream {
    let watch = match ty.rest() {
        Some(rest) => quote!(#rest::watch),
        None => ty.watch(),
    };
    quote!(#watch(#name, __otp_watcher);)
}

/// Returns whether the type is one of Rust's primitive types, which most fields of generated types
/// have.
fn is_primitive(ty: &Type) -> bool {
    const PRIMITIVES: [&str; 15] = [
        "bool", "char", "f32", "f64", "i8", "i16", "i32", "i64", "i128", "u8", "u16", "u32", "u64",
        "u128", "usize",
    ];
    let Type::Path(path) = ty else { return false };
    PRIMITIVES.iter().any(|name| path.path.is_ident(name))
}
