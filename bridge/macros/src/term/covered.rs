//! Untagged variants that are never read: one above takes all of their terms. Only the compiler
//! knows the types' shapes.

use proc_macro2::TokenStream;
use quote::quote;

use super::model::{Item, StructOrEnum, TermForm};
use crate::refusal::Refusal;

/// The checks, each at its variant.
pub(super) fn checks(item: &Item) -> TokenStream {
    let StructOrEnum::Enum(variants) = &item.shape else {
        return TokenStream::new();
    };
    // Nothing is known of a parameter.
    if !item.generics.params.is_empty() {
        return TokenStream::new();
    }
    let untagged = variants.iter().filter_map(|variant| match &variant.form {
        TermForm::Transparent(field) if is_compared(&field.ty) => Some((&variant.name, &**field)),
        _ => None,
    });
    let untagged: Vec<_> = untagged.collect();
    let shape = |ty: &syn::Type| quote!(<::otp_bridge::__private::Known<#ty>>::SHAPE);
    let mut checks = TokenStream::new();
    for (index, (name, field)) in untagged.iter().enumerate() {
        for (above, other) in &untagged[..index] {
            let (wide, narrow) = (shape(&other.ty), shape(&field.ty));
            let refusal = Refusal::new(
                format!(
                    "`{name}` is never read: `{above}` above it takes every such term; put `{name}` above `{above}`"
                ),
                "never read",
            );
            let condition = quote!(::otp_bridge::__private::is_covered(&#wide, &#narrow));
            checks.extend(refusal.if_true(&condition, (name.span(), name.span())));
        }
    }
    if checks.is_empty() {
        return checks;
    }
    quote! {
        const _: () = {
            #[allow(unused_imports)]
            use ::otp_bridge::__private::Unknown as _;
            #checks
        };
    }
}

/// Types whose shapes the compiler compares at no cost. Unions of hundreds of members would take it
/// minutes.
const COMPARED: [&str; 20] = [
    "Term", "Integer", "u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64",
    "i128", "isize", "f64", "bool", "Atom", "String", "Binary", "Pid",
];

fn is_compared(ty: &syn::Type) -> bool {
    let syn::Type::Path(path) = ty else {
        return false;
    };
    // Types made by `otp-rs gen-types` are named by `rt::`. A union of Erlang's own may say one
    // thing twice, as `module() | atom()` does, and nobody can put it in another order.
    let segments = &path.path.segments;
    if segments.len() > 1 && segments.first().is_some_and(|first| first.ident == "rt") {
        return false;
    }
    let last = segments.last();
    last.is_some_and(|last| COMPARED.iter().any(|it| last.ident == it))
}
