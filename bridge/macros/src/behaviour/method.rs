//! Converts the method that users write into that of the callback's trait.
//!
//! ```text
//! fn f(&self, a: &A) -> R { … }        fn f(&mut self, a: A, _: &Cx<'_>) -> Plain<R> { Plain::run(move || -> R { … }) }
//!                                      (`self` in it only reads: `read_only`)
//! async fn f(&mut self) -> R { … }     as it is
//! #[dirty(cpu)] fn f() -> R { … }      fn f() -> impl Work<Output = R> { dirty_cpu(async move { … }) }
//! ```

use proc_macro2::{Ident, Span};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{
    FnArg, GenericArgument, ImplItemFn, Lifetime, PathArguments, ReceiverKind, ReturnType, Stmt,
    Type,
};

use super::arguments::{mentions_impl, takes_context};
use super::{borrowed, read_only};
use crate::names::ours;
use crate::{attributes, lifetimes};

/// Converts the method into one of the trait. `may_borrow` tells which of its arguments may borrow.
pub(super) fn adapt(method: &mut ImplItemFn, may_borrow: &[bool]) -> syn::Result<()> {
    let dirty = attributes::take_dirty(&mut method.attrs)?;
    let waits = dirty.is_some() || method.sig.asyncness.is_some();
    share_the_state(method)?;
    borrowed::name(method, may_borrow, waits)?;
    lend_arguments(method)?;
    if !takes_context(method) {
        method
            .sig
            .inputs
            .push(syn::parse_quote!(_: &::otp_bridge::Cx<'_>));
    }
    name_lifetime(method);
    match (dirty, method.sig.asyncness) {
        (Some(dirty), _) => run_dirty(method, &dirty),
        (None, None) => run_at_once(method),
        (None, Some(_)) => run_later(method),
    }
    Ok(())
}

/// Turns `cx: &Cx<'_>` into `cx: &'call Cx<'call>`: with two lifetimes, a context that escapes its
/// call would give two errors.
fn name_lifetime(method: &mut ImplItemFn) {
    let Some(FnArg::Typed(argument)) = method.sig.inputs.last_mut() else {
        return;
    };
    let Type::Reference(reference) = &mut *argument.ty else {
        return;
    };
    let span = reference.and_token.span;
    let lifetime = Lifetime::new("'call", span);
    if let Type::Path(path) = &mut *reference.elem
        && let Some(last) = path.path.segments.last_mut()
        && reference.lifetime.is_none()
        && is_elided(&last.arguments)
    {
        reference.lifetime = Some(lifetime.clone());
        last.arguments =
            PathArguments::AngleBracketed(syn::parse_quote_spanned!(span=> <#lifetime>));
        method.sig.generics = syn::parse_quote_spanned!(span=> <#lifetime>);
    }
}

/// Returns whether there are no arguments, or only `<'_>`.
fn is_elided(arguments: &PathArguments) -> bool {
    match arguments {
        PathArguments::None => true,
        PathArguments::AngleBracketed(arguments) => arguments.args.iter().all(
            |argument| matches!(argument, GenericArgument::Lifetime(name) if name.ident == "_"),
        ),
        PathArguments::Parenthesized(_) => false,
    }
}

/// Expands `async fn f() -> T { … }` by hand: the compiler's own expansion of `async` has other
/// spans, and would report the written type twice.
fn run_later(method: &mut ImplItemFn) {
    let (output, first, last) = output(method);
    let whole = quote_spanned!(first=> impl ::core::future::Future<Output = #output);
    let end = quote_spanned!(last=> >);
    method.sig.output = syn::parse_quote!(-> #whole #end);
    method.sig.asyncness = None;
    let body = &method.block;
    method.block = syn::parse_quote_spanned!(body.span()=> { async move #body });
}

/// Makes `fn f() -> T { … }` return its value at once; `return` and `?` in it keep their meaning.
fn run_at_once(method: &mut ImplItemFn) {
    let (output, first, last) = output(method);
    // The type starts and ends where the written type does, so that an error points at all of it.
    let whole = quote_spanned!(first=> ::otp_bridge::__private::Plain<#output);
    let end = quote_spanned!(last=> >);
    method.sig.output = syn::parse_quote!(-> #whole #end);
    // The compiler infers a closure's type from the call only afterwards, too late for coercions.
    let known = (!mentions_impl(output.to_token_stream())).then(|| quote!(-> #output));
    let body = &method.block;
    method.block = syn::parse_quote_spanned! {body.span()=>
        { ::otp_bridge::__private::Plain::run(move || #known #body) }
    };
}

/// Runs the whole body on a dirty scheduler.
fn run_dirty(method: &mut ImplItemFn, function: &Ident) {
    let (output, first, last) = output(method);
    let whole = quote_spanned!(first=> impl ::otp_bridge::__private::Work<Output = #output);
    let end = quote_spanned!(last=> >);
    method.sig.output = syn::parse_quote!(-> #whole #end);
    method.sig.asyncness = None;
    let body = &method.block;
    method.block = syn::parse_quote_spanned! {body.span()=>
        { ::otp_bridge::__private::#function(async move #body) }
    };
}

/// Returns the type that the method returns, and the spans of its start and end.
fn output(method: &ImplItemFn) -> (Type, Span, Span) {
    let output: Type = match &method.sig.output {
        // An error about it points at the method's name.
        ReturnType::Default => syn::parse_quote_spanned!(method.sig.ident.span()=> ()),
        ReturnType::Type(_, output) => (**output).clone(),
    };
    let (first, last) = ends_of(&output);
    (output, first, last)
}

/// Returns the spans of the start and the end of a return type.
pub(super) fn ends(output: &ReturnType) -> (Span, Span) {
    match output {
        ReturnType::Default => (Span::call_site(), Span::call_site()),
        ReturnType::Type(_, output) => ends_of(&**output),
    }
}

pub(super) fn ends_of(tokens: &impl ToTokens) -> (Span, Span) {
    let mut spans = tokens.to_token_stream().into_iter().map(|it| it.span());
    let first = spans.next().unwrap_or_else(Span::call_site);
    let last = spans.last().unwrap_or(first);
    (first, last)
}

/// Turns `&self` into the trait's `&mut self`. A future with `&self` is `Send` only if threads can
/// share the state. The body can still only read the state.
fn share_the_state(method: &mut ImplItemFn) -> syn::Result<()> {
    if let Some(FnArg::Receiver(receiver)) = method.sig.inputs.first_mut()
        && let ReceiverKind::Reference(_, _, mutability @ None) = &mut receiver.kind
    {
        let span = receiver.self_token.span;
        *mutability = Some(syn::Token![mut](span));
        return read_only::borrow(method, span);
    }
    Ok(())
}

/// Turns an argument `pattern: &T` into a `T` that the method owns and that its body borrows.
fn lend_arguments(method: &mut ImplItemFn) -> syn::Result<()> {
    let count = method.sig.inputs.len() - usize::from(takes_context(method));
    let mut loans: Vec<Stmt> = Vec::new();
    for (index, argument) in method.sig.inputs.iter_mut().take(count).enumerate() {
        let FnArg::Typed(argument) = argument else {
            continue;
        };
        let Type::Reference(reference) = &*argument.ty else {
            continue;
        };
        if lifetimes::is_slice(&argument.ty) {
            continue;
        }
        if reference.mutability.is_some() {
            let message = "an argument is taken by value (`mut name: Type`) or by `&Type`";
            return Err(syn::Error::new_spanned(&argument.ty, message));
        }
        let owned = ours(&format!("argument{index}"));
        let (pattern, ty) = (&argument.pat, &argument.ty);
        loans.push(syn::parse_quote_spanned!(ty.span()=> let #pattern: #ty = &#owned;));
        let ty = reference.elem.clone();
        *argument.pat = syn::parse_quote!(#owned);
        argument.ty = ty;
    }
    method.block.stmts.splice(..0, loans);
    Ok(())
}
