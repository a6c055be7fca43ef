//! Arguments of a clause that borrow from the terms of its call.
//!
//! ```text
//! fn handle_cast(&mut self, Put { key, value }: Put<'_>) -> HandleCast { … }
//!
//! impl<'borrowed> HandleCast<Put<'borrowed>> for Store {
//!     fn handle_cast<'call>(&mut self, Put { key, value }: Put<'borrowed>, _: &'call Cx<'call>) -> Plain<HandleCast> { … }
//! }
//! impl HandleCast<BorrowedArgument<Put<'static>>> for Store {                   // the method that is called
//!     fn handle_cast<'call>(&mut self, argument0: BorrowedArgument<Put<'static>>, …) -> Plain<HandleCast> {
//!         argument0.with(|argument0| <Self as HandleCast<Put<'_>>>::handle_cast(self, argument0, …))
//!     }
//! }
//! ```

use proc_macro2::TokenStream;
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Error, FnArg, ImplItemFn, PatType, Result, ReturnType, Type};

use super::arguments::{is_context, is_named, mentions_impl};
use crate::lifetimes;
use crate::names::ours;

/// The lifetime of borrowed arguments.
pub(super) const BORROWED: &str = "'borrowed";

/// Sets this lifetime in the types of arguments that borrow. `may_borrow` tells which arguments
/// may.
pub(super) fn name(method: &mut ImplItemFn, may_borrow: &[bool], waits: bool) -> Result<()> {
    let output = method.sig.output.clone();
    let typed = method.sig.inputs.iter_mut().filter_map(typed);
    for (argument, may_borrow) in typed.zip(may_borrow) {
        let Some(named) = borrowing(&argument.ty) else {
            continue;
        };
        let ty = &mut *argument.ty;
        let owned = "this argument is owned: write `Binary` or `Bytes`, `String`, or a type without a lifetime";
        let opaque = "a clause that borrows names the type that it returns, such as `HandleCast`";
        let refused = match &output {
            _ if waits => Some((ty.to_token_stream(), lifetimes::BORROWED_ACROSS_AWAIT)),
            _ if !may_borrow => Some((ty.to_token_stream(), owned)),
            ReturnType::Type(_, output) if mentions_impl(output.to_token_stream()) => {
                Some((output.to_token_stream(), opaque))
            }
            _ => None,
        };
        if let Some((what, message)) = refused {
            return Err(Error::new_spanned(what, message));
        }
        *ty = named;
    }
    Ok(())
}

fn typed(argument: &mut FnArg) -> Option<&mut PatType> {
    match argument {
        FnArg::Typed(argument) => Some(argument),
        FnArg::Receiver(_) => None,
    }
}

/// Returns the type of an argument that borrows, with the lifetime. An argument borrows only if its
/// type has a written lifetime: `Put` alone may be any type.
fn borrowing(ty: &Type) -> Option<Type> {
    if lifetimes::is_slice(ty) || has_lifetime(ty) {
        return Some(lifetimes::renamed(ty, BORROWED));
    }
    let Type::Reference(reference) = ty else {
        return None;
    };
    let mut reference = reference.clone();
    if reference.mutability.is_some() || !has_lifetime(&reference.elem) {
        return None;
    }
    *reference.elem = lifetimes::renamed(&reference.elem, BORROWED);
    Some(Type::Reference(reference))
}

fn has_lifetime(ty: &Type) -> bool {
    matches!(ty, Type::Path(_)) && !is_named(ty, "Cx") && lifetimes::is_in(ty)
}

/// Returns the type of the stored argument: `BorrowedArgument<Put<'static>>` for `Put<'borrowed>`.
pub(super) fn key(ty: &Type) -> Type {
    if lifetimes::is_in(ty) {
        let (borrowed, span) = (lifetimes::renamed(ty, "'static"), ty.span());
        Type::Verbatim(quote_spanned!(span=> ::otp_bridge::__private::BorrowedArgument<#borrowed>))
    } else {
        ty.clone()
    }
}

/// Returns the method that is called. It calls `method` of the trait `of` with the borrowed values.
pub(super) fn call(method: &ImplItemFn, of: &TokenStream) -> TokenStream {
    let (mut inputs, mut given, mut borrowed) = (Vec::new(), Vec::new(), Vec::new());
    for (index, input) in method.sig.inputs.iter().enumerate() {
        let argument = match input {
            FnArg::Typed(argument) => argument,
            FnArg::Receiver(receiver) => {
                inputs.push(quote!(#input));
                let own = &receiver.self_token;
                given.push(quote!(#own));
                continue;
            }
        };
        let name = ours(&format!("argument{index}"));
        let ty = if is_context(&argument.ty) {
            (*argument.ty).clone()
        } else {
            key(&argument.ty)
        };
        if ty != *argument.ty {
            borrowed.push(name.clone());
        }
        inputs.push(quote!(#name: #ty));
        given.push(quote!(#name));
    }
    let (name, output) = (&method.sig.ident, &method.sig.output);
    let generics = &method.sig.generics;
    let called = quote!(<Self as #of>::#name(#(#given),*));
    let body = borrowed
        .iter()
        .fold(called, |called, name| quote!(#name.with(|#name| #called)));
    quote!(fn #name #generics(#(#inputs),*) #output { #body })
}
