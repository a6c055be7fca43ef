//! The types that a conversion accepts, with type parameters for those that are converted
//! themselves.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::scope::Scope;

/// A type that converts, with the type parameters that it needs.
pub(super) struct Accepted {
    pub(super) generics: Vec<Generic>,
    pub(super) ty: TokenStream,
}

/// A type parameter of a type that converts.
pub(super) struct Generic {
    pub(super) name: Ident,
    /// The union into which it converts; without one, it is any term.
    pub(super) into: Option<TokenStream>,
}

impl Generic {
    /// `Value: rt::ToTerm`
    pub(super) fn bounded(&self, scope: &Scope<'_>) -> TokenStream {
        let (name, bound) = (&self.name, self.bound(scope));
        quote!(#name: #bound)
    }

    /// Returns its bound.
    pub(super) fn bound(&self, scope: &Scope<'_>) -> TokenStream {
        match &self.into {
            Some(union) => {
                let into = scope.standard("Into");
                quote!(#into<#union>)
            }
            None => quote!(rt::ToTerm),
        }
    }
}

/// Returns a tuple of terms.
pub(super) fn any_tuple(scope: &Scope<'_>, size: usize, values: &mut usize) -> Accepted {
    let mut generics = Vec::new();
    for _ in 0..size {
        *values += 1;
        let name = scope.type_parameter(&format!("Value{values}"));
        generics.push(Generic { name, into: None });
    }
    let names = generics.iter().map(|generic| &generic.name);
    let ty = quote!((#(#names,)*));
    Accepted { generics, ty }
}
