//! Stand-ins for the implementations of a wrong derive.

use proc_macro2::TokenStream;
use quote::quote;
use syn::spanned::Spanned;
use syn::{Data, DeriveInput, Error, Field, Fields, Result, Type};

use super::attributes;

/// Returns implementations for a type whose derive is wrong. They are compiled but never run.
pub(super) fn of(input: &DeriveInput, is_read: bool) -> TokenStream {
    let name = &input.ident;
    let (parameters, arguments, bounds) = input.generics.split_for_impl();
    let header = |implemented: TokenStream| quote!(impl #parameters #implemented for #name #arguments #bounds);
    let erlang_type = header(quote!(::otp_bridge::term::ErlangType));
    let to_term = header(quote!(::otp_bridge::term::ToTerm));
    let read = is_read.then(|| {
        let borrows = input.generics.lifetimes().count() == 1 && input.generics.params.len() == 1;
        let reading = if borrows {
            borrowing(input)
        } else {
            owning(&header(quote!(::otp_bridge::term::FromTerm)))
        };
        let request = request(input, &header(quote!(::otp_bridge::Request)));
        quote!(#reading #request)
    });
    quote! {
        const _: () = {
            #erlang_type {
                fn erlang_type() -> ::std::string::String {
                    ::core::unreachable!()
                }
            }
            #to_term {
                fn to_term<__OtpHeap: ::otp_bridge::term::Heap>(&self, _: __OtpHeap) -> __OtpHeap::Term {
                    ::core::unreachable!()
                }
            }
            #read
        };
    }
}

fn owning(header: &TokenStream) -> TokenStream {
    quote! {
        #header {
            fn from_term<'__otp_view, __OtpView: ::otp_bridge::term::View<'__otp_view>>(
                _: __OtpView,
            ) -> ::std::result::Result<Self, ::otp_bridge::term::DecodeError> {
                ::core::unreachable!()
            }
        }
    }
}

/// Returns the implementation for a type with one lifetime.
fn borrowing(input: &DeriveInput) -> TokenStream {
    let name = &input.ident;
    quote! {
        impl ::otp_bridge::term::BorrowTerm for #name<'static> {
            type Of<'__otp_view> = #name<'__otp_view>;

            const KIND: ::otp_bridge::term::Shape =
                ::otp_bridge::term::Shape::Some(&::otp_bridge::term::Shape::Any);

            fn borrow<'__otp_view, __OtpView: ::otp_bridge::term::View<'__otp_view>>(
                _: __OtpView,
                _: ::otp_bridge::term::Reader<'_>,
            ) -> ::std::result::Result<#name<'__otp_view>, ::otp_bridge::term::DecodeError> {
                ::core::unreachable!()
            }

            fn check<'__otp_view, __OtpView: ::otp_bridge::term::View<'__otp_view>>(
                _: __OtpView,
                _: ::otp_bridge::term::Reader<'_>,
            ) -> ::std::result::Result<(), ::otp_bridge::term::Misfit> {
                ::core::unreachable!()
            }
        }
    }
}

/// Returns the implementation for a type with `#[reply(Type)]`.
fn request(input: &DeriveInput, header: &TokenStream) -> Option<TokenStream> {
    let reply = attributes::reply(&input.attrs).ok()??;
    Some(quote!(#header { type Reply = #reply; }))
}

/// Rejects fields that are references, because they cannot be decoded.
pub(super) fn refuse_references(input: &DeriveInput) -> Result<()> {
    let borrowed = |field: &&Field| matches!(field.ty, Type::Reference(_));
    match fields(input).into_iter().find(borrowed) {
        Some(field) => Err(Error::new(
            field.ty.span(),
            "a type without a lifetime has to own its data: write `String` for `&str`, `Binary` for `&[u8]`; or \
             borrow by a type `Type<'a>`; or write `#[derive(ToTerm)]` if the type is only encoded",
        )),
        None => Ok(()),
    }
}

fn fields(input: &DeriveInput) -> Vec<&Field> {
    let all: Vec<&Fields> = match &input.data {
        Data::Struct(data) => vec![&data.fields],
        Data::Enum(data) => data.variants.iter().map(|one| &one.fields).collect(),
        Data::Union(_) => Vec::new(),
    };
    all.into_iter().flatten().collect()
}
