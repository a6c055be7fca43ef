//! One method of the block: a clause of a callback.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{FnArg, ImplItemFn, Type};

use super::description::{Callback, Role};

/// A method, checked against its callback and brought into the trait's form.
pub(crate) struct Clause {
    /// The function's name in Erlang, where the callback stands for any.
    pub(crate) function: Option<String>,
    /// Types of the open and start arguments, in order.
    pub(crate) keys: Vec<Type>,
    /// The method: `async`, with the `cx` argument.
    pub(crate) method: ImplItemFn,
}

impl Clause {
    pub(crate) fn new(
        callback: &Callback,
        function: Option<String>,
        mut method: ImplItemFn,
    ) -> syn::Result<Self> {
        check_receiver(callback, &method)?;
        check_arguments(callback, &method)?;
        if callback.looks {
            look(&mut method);
        }
        if !takes_cx(&method) {
            method
                .sig
                .inputs
                .push(syn::parse_quote!(_: &::otp_bridge::Cx));
        }
        if method.sig.asyncness.is_none() {
            into_future(&mut method);
        }
        let keys = callback
            .plain_arguments()
            .zip(typed_arguments(&method))
            .filter(|(argument, _)| argument.role == Role::Open)
            .map(|(_, ty)| ty.clone())
            .collect();
        method.sig.ident = syn::Ident::new(&callback.method.to_string(), method.sig.ident.span());
        Ok(Clause {
            function,
            keys,
            method,
        })
    }
}

/// `fn f() -> T { … }` becomes what `async fn` stands for, so that a wrong return is one error.
fn into_future(method: &mut ImplItemFn) {
    let output: Type = match &method.sig.output {
        syn::ReturnType::Default => syn::parse_quote!(()),
        syn::ReturnType::Type(_, output) => (**output).clone(),
    };
    // The future's type begins and ends where the written type does: an error points at all of it.
    let spans: Vec<Span> = output
        .to_token_stream()
        .into_iter()
        .map(|token| token.span())
        .collect();
    let first = spans.first().copied().unwrap_or_else(Span::call_site);
    let last = spans.last().copied().unwrap_or(first);
    let future = quote_spanned!(first=> -> impl ::core::future::Future<Output = #output>);
    let send = quote_spanned!(last=> + ::core::marker::Send);
    method.sig.output = syn::parse_quote!(#future #send);
    let body = &method.block;
    method.block = syn::parse_quote_spanned!(body.span()=> { async move #body });
}

fn check_receiver(callback: &Callback, method: &ImplItemFn) -> syn::Result<()> {
    let label = callback.label();
    match (callback.has_state(), method.sig.receiver()) {
        (true, Some(receiver)) if callback.looks && is_shared(receiver) => Ok(()),
        (true, receiver) if callback.looks => Err(syn::Error::new(
            receiver.map_or_else(|| method.sig.ident.span(), Spanned::span),
            format!(
                "`{label}` looks at the state and gives none back: begin its arguments with `&self`\n\n{}",
                callback.erlang
            ),
        )),
        (true, None) => Err(syn::Error::new(
            method.sig.ident.span(),
            format!("`{label}` takes the state: begin its arguments with `self` or `mut self`"),
        )),
        (false, Some(receiver)) => Err(syn::Error::new(
            receiver.span(),
            format!(
                "`{label}` takes no state: leave `self` out\n\n{}",
                callback.erlang
            ),
        )),
        (true, Some(receiver)) if is_reference(receiver) => Err(syn::Error::new(
            receiver.span(),
            format!(
                "`{label}` takes the state by value and returns the next one: write `self` or `mut self`"
            ),
        )),
        _ => Ok(()),
    }
}

/// `&self`
fn is_shared(receiver: &syn::Receiver) -> bool {
    is_reference(receiver) && receiver.mutability.is_none()
}

/// `&self` becomes the trait's `&mut self`, since a future that holds the one is `Send` only if the
/// state can be shared between threads.
fn look(method: &mut ImplItemFn) {
    if let Some(receiver @ FnArg::Receiver(_)) = method.sig.inputs.first_mut() {
        *receiver = syn::parse_quote_spanned!(receiver.span()=> &mut self);
    }
}

/// `&self`, `&mut self`
fn is_reference(receiver: &syn::Receiver) -> bool {
    receiver
        .to_token_stream()
        .into_iter()
        .next()
        .is_some_and(|first| first.to_string() == "&")
}

fn check_arguments(callback: &Callback, method: &ImplItemFn) -> syn::Result<()> {
    let expected: Vec<String> = callback
        .plain_arguments()
        .map(|argument| argument.name.to_string())
        .collect();
    let given = typed_arguments(method).count() - usize::from(takes_cx(method));
    if given == expected.len() {
        return Ok(());
    }
    let own = if callback.has_state() { "self, " } else { "" };
    Err(syn::Error::new(
        method.sig.inputs.span(),
        format!(
            "`{}` takes ({own}{}) and, if it wants, `cx: &Cx` at the end\n\n{}",
            callback.label(),
            expected.join(", "),
            callback.erlang
        ),
    ))
}

fn typed_arguments(method: &ImplItemFn) -> impl Iterator<Item = &Type> {
    method
        .sig
        .inputs
        .iter()
        .filter_map(|argument| match argument {
            FnArg::Typed(argument) => Some(&*argument.ty),
            FnArg::Receiver(_) => None,
        })
}

/// Whether the last argument is the context, a `&Cx`.
fn takes_cx(method: &ImplItemFn) -> bool {
    let Some(Type::Reference(reference)) = typed_arguments(method).last() else {
        return false;
    };
    let Type::Path(path) = &*reference.elem else {
        return false;
    };
    path.path
        .segments
        .last()
        .is_some_and(|segment| segment.ident == "Cx")
}

/// The `compile_error!` for a callback that is missing.
pub(crate) fn missing(
    callback: &Callback,
    behaviour: &str,
    type_name: &str,
    span: Span,
) -> TokenStream {
    let message = format!(
        "`{type_name}` has no `{}`, a callback that `{behaviour}` requires\n\n{}",
        callback.label(),
        callback.erlang
    );
    quote_spanned!(span=> ::core::compile_error!(#message);)
}

/// The `<A, B>` after a trait or function name; nothing when there is none.
pub(crate) fn generics(types: &[TokenStream]) -> TokenStream {
    if types.is_empty() {
        TokenStream::new()
    } else {
        quote!(<#(#types),*>)
    }
}
