//! `derive(Returned)`: generates the conversion of a callback's result into a term.
//!
//! | attribute | meaning |
//! |---|---|
//! | variant `#[returned(atoms::ok, self.0, state)]` | the tuple of an atom, the first field and the process's state |
//! | variant `#[returned(atoms::pair, [self.0, state])]` | a tuple whose second element is a tuple, too |
//! | variant `#[returned(atoms::ignore)]` | the element itself, if it is the only one |
//! | enum `#[new_state(Data, map_data)]` | the type parameter that is the process's state, and the function that replaces it |

use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{
    Attribute, Data, DeriveInput, Error, Expr, Member, Result, Token, Type, Variant, parse_quote,
};

use crate::names::ours;

/// Expands to the implementations for an enum, or to the compile error.
pub(crate) fn derive(input: TokenStream) -> TokenStream {
    implementations(input).unwrap_or_else(Error::into_compile_error)
}

fn implementations(input: TokenStream) -> Result<TokenStream> {
    let input: DeriveInput = syn::parse2(input)?;
    let Data::Enum(declared) = &input.data else {
        return Err(Error::new(input.ident.span(), "not an enum"));
    };
    let variants: Vec<&Variant> = declared.variants.iter().collect();
    let state = attribute(&input.attrs, "new_state").map(|attribute| {
        let names = attribute.parse_args_with(Punctuated::<Ident, Token![,]>::parse_terminated)?;
        let mut names = names.into_iter();
        let pair = names.next().zip(names.next());
        pair.ok_or_else(|| Error::new(attribute.span(), "not a type parameter and a function"))
    });
    let state = state.transpose()?;
    let returned = returned(&input, &variants, state.as_ref().map(|(state, _)| state))?;
    let map = state.map(|(state, function)| map(&input, &variants, &state, &function));
    Ok(quote!(#returned #map))
}

fn attribute<'a>(attributes: &'a [Attribute], name: &str) -> Option<&'a Attribute> {
    attributes.iter().find(|one| one.path().is_ident(name))
}

/// Returns the implementation of the run time's `Returned`.
fn returned(
    input: &DeriveInput,
    variants: &[&Variant],
    state: Option<&Ident>,
) -> Result<TokenStream> {
    let name = &input.ident;
    let mut generics = input.generics.clone();
    for parameter in generics.type_params_mut() {
        if Some(&parameter.ident) != state {
            parameter.bounds.push(parse_quote!(::otp_bridge::ToTerm));
        }
    }
    let (parameters, arguments, _) = generics.split_for_impl();
    let arms = variants.iter().map(|variant| arm(variant));
    let arms = arms.collect::<Result<Vec<_>>>()?;
    let refusals = variants.iter().map(|variant| refusal(variant));
    Ok(quote! {
        impl #parameters ::otp_bridge::module::Returned for #name #arguments {
            #[inline(always)]
            #[allow(unused_variables)]
            fn to_term<__OtpHeap: ::otp_bridge::term::Heap>(
                &self,
                __otp_heap: __OtpHeap,
                __otp_state: __OtpHeap::Term,
            ) -> __OtpHeap::Term {
                match self { #(#arms),* }
            }
            #[inline]
            #[allow(unused_variables)]
            fn refusal(
                &self,
                __otp_module: ::core::option::Option<&::otp_bridge::__private::ModuleEntry>,
            ) -> ::core::option::Option<::std::string::String> {
                #[allow(unused_imports)]
                use ::otp_bridge::__private::{Always as _, ByValue as _};
                match self { #(#refusals),* }
            }
        }
    })
}

/// Returns the match arm of a clause that checks its fields for values that OTP would refuse.
fn refusal(variant: &Variant) -> TokenStream {
    let (name, fields) = (&variant.ident, names(variant));
    let pattern = (!fields.is_empty()).then(|| quote!((#(#fields),*)));
    let refusals = quote!(::core::option::Option::None #(.or_else(|| (&::otp_bridge::__private::ReturnedField(#fields)).refusal(__otp_module)))*);
    quote!(Self::#name #pattern => #refusals)
}

/// Returns the match arm of a clause that builds its term.
fn arm(variant: &Variant) -> Result<TokenStream> {
    let missing = || Error::new(variant.span(), "`#[returned(…)]` is missing");
    let attribute = attribute(&variant.attrs, "returned").ok_or_else(missing)?;
    let elements = attribute.parse_args_with(Punctuated::<Expr, Token![,]>::parse_terminated)?;
    let terms = elements.iter().map(term).collect::<Result<Vec<_>>>()?;
    let term = match terms.as_slice() {
        [one] => one.clone(),
        more => quote!(__otp_heap.tuple([#(#more),*])),
    };
    let (name, fields) = (&variant.ident, names(variant));
    let fields = (!fields.is_empty()).then(|| quote!((#(#fields),*)));
    Ok(quote!(Self::#name #fields => #term))
}

/// Returns names for the fields of a variant.
fn names(variant: &Variant) -> Vec<Ident> {
    (0..variant.fields.len())
        .map(|field| ours(&format!("element{field}")))
        .collect()
}

fn term(element: &Expr) -> Result<TokenStream> {
    Ok(match element {
        Expr::Path(path) if path.path.is_ident("state") => quote!(__otp_state),
        Expr::Path(atom) => quote!(::otp_bridge::ToTerm::to_term(&#atom, __otp_heap)),
        Expr::Field(_) => {
            let value = value(element)?;
            quote!(::otp_bridge::ToTerm::to_term(&#value, __otp_heap))
        }
        Expr::Array(tuple) => {
            let terms = tuple.elems.iter().map(term).collect::<Result<Vec<_>>>()?;
            quote!(__otp_heap.tuple([#(#terms),*]))
        }
        other => return Err(Error::new(other.span(), "not a part of a clause")),
    })
}

/// Returns the value of a path such as `self.0.1`: the fields of the variant are bound to names.
fn value(element: &Expr) -> Result<TokenStream> {
    let Expr::Field(field) = element else {
        return Err(Error::new(element.span(), "not a field"));
    };
    let Member::Unnamed(index) = &field.member else {
        return Err(Error::new(field.span(), "a field has no name"));
    };
    if let Expr::Path(_) = &*field.base {
        let name = ours(&format!("element{}", index.index));
        return Ok(quote!((*#name)));
    }
    let base = value(&field.base)?;
    Ok(quote!(#base.#index))
}

/// Returns a function that replaces the state of the process in the value.
fn map(input: &DeriveInput, variants: &[&Variant], state: &Ident, function: &Ident) -> TokenStream {
    let name = &input.ident;
    let (parameters, arguments, _) = input.generics.split_for_impl();
    let other = ours(&format!("New{state}"));
    let mapped = input.generics.type_params().map(|own| {
        if own.ident == *state {
            &other
        } else {
            &own.ident
        }
    });
    let arms = variants.iter().map(|variant| {
        let (target, names) = (&variant.ident, names(variant));
        let fields = variant.fields.iter().zip(&names);
        let values = fields.map(|(field, name)| replaced(&field.ty, state, &quote!(#name)));
        if names.is_empty() {
            quote!(Self::#target => #name::#target)
        } else {
            quote!(Self::#target(#(#names),*) => #name::#target(#(#values),*))
        }
    });
    let what = function.to_string();
    let what = what.strip_prefix("map_").unwrap_or(&what);
    let doc = format!(" The same value with `map` applied to the {what}.");
    quote! {
        impl #parameters #name #arguments {
            #[doc = #doc]
            pub fn #function<#other>(self, __otp_map: impl ::core::ops::FnOnce(#state) -> #other) -> #name<#(#mapped),*> {
                match self { #(#arms),* }
            }
        }
    }
}

/// Returns `value` with `map` applied to the state in it, which is the value itself, in a tuple, or
/// missing.
fn replaced(ty: &Type, state: &Ident, value: &TokenStream) -> TokenStream {
    match ty {
        Type::Path(path) if path.path.is_ident(state) => quote!(__otp_map(#value)),
        Type::Tuple(tuple) if !tuple.elems.is_empty() => {
            let elements = tuple.elems.iter().enumerate().map(|(index, element)| {
                let index = Literal::usize_unsuffixed(index);
                replaced(element, state, &quote!(#value.#index))
            });
            quote!((#(#elements,)*))
        }
        _ => value.clone(),
    }
}

#[cfg(test)]
mod tests {
    use quote::quote;

    use super::*;

    #[test]
    fn a_tuple_within_a_clause_holds_the_state() {
        let written = derive(quote! {
            #[new_state(Data, map_data)]
            enum Made<Data> {
                #[returned(atoms::pair, [state, self.0.1])]
                Pair((Data, Pid)),
            }
        });
        let written = written.to_string();
        for part in [
            quote!(__otp_heap.tuple([
                __otp_state,
                ::otp_bridge::ToTerm::to_term(&(*__otp_element0).1, __otp_heap)
            ])),
            quote!(Made::Pair((__otp_map(__otp_element0.0), __otp_element0.1,))),
        ] {
            assert!(written.contains(&part.to_string()), "{part} in {written}");
        }
    }

    #[test]
    fn a_clause_without_its_term_is_refused() {
        let written = derive(quote!(
            enum Made {
                Pair(Pid),
            }
        ));
        assert!(written.to_string().contains("is missing"), "{written}");
    }
}
