//! The arguments of a method, which determine its callback among those with its name.

use otp_contract::callback::CallbackKind;
use proc_macro2::{TokenStream, TokenTree};
use syn::{FnArg, ImplItemFn, Receiver, ReceiverKind, Type};

use super::description::Callback;
use super::older;

/// Returns which of these callbacks the method implements, by the number of its arguments: an index
/// into them.
pub(super) fn choose(callbacks: &[&Callback], method: &ImplItemFn) -> syn::Result<usize> {
    let given = types(method).count() - usize::from(takes_context(method));
    let found = callbacks
        .iter()
        .position(|callback| callback.plain_arguments().count() == given);
    found.ok_or_else(|| wrong_number(callbacks, method))
}

/// Returns the error of a method with too many or too few arguments.
fn wrong_number(callbacks: &[&Callback], method: &ImplItemFn) -> syn::Error {
    let shapes: Vec<String> = callbacks.iter().map(|callback| written(callback)).collect();
    let (label, erlang) = callbacks.first().map_or_else(Default::default, |callback| {
        (callback.label(), callback.erlang.clone())
    });
    let message = format!(
        "`{label}` takes {} and, if it wants, `cx: &Cx<'_>` at the end\n\n{erlang}",
        shapes.join(" or ")
    );
    let arguments = &method.sig.inputs;
    if arguments.is_empty() {
        syn::Error::new(method.sig.ident.span(), message)
    } else {
        syn::Error::new_spanned(arguments, message)
    }
}

/// Returns the arguments as users write them: `(&mut self, Request)`.
fn written(callback: &Callback) -> String {
    let receiver = callback.has_state().then(|| "&mut self".to_owned());
    let others = callback
        .plain_arguments()
        .map(|argument| argument.name.to_string());
    let all: Vec<String> = receiver.into_iter().chain(others).collect();
    format!("({})", all.join(", "))
}

/// Rejects a method whose `self` differs from that of the callback.
pub(super) fn check_receiver(callback: &Callback, method: &ImplItemFn) -> syn::Result<()> {
    let (label, erlang) = (callback.label(), &callback.erlang);
    match (callback.has_state(), method.sig.receiver()) {
        (true, None) => Err(syn::Error::new(
            method.sig.ident.span(),
            format!(
                "`{label}` works on the state: begin its arguments with `&mut self` or `&self`\n\n{erlang}"
            ),
        )),
        (false, Some(receiver)) if callback.kind == CallbackKind::Change => {
            let form = older::FORM;
            let message = format!(
                "`{label}` takes an older state in place of `self`: leave `self` out; to go back to an older state, write `{form}`\n\n{erlang}"
            );
            Err(syn::Error::new_spanned(receiver, message))
        }
        (false, Some(receiver)) => Err(syn::Error::new_spanned(
            receiver,
            format!("`{label}` takes no state: leave `self` out\n\n{erlang}"),
        )),
        (true, Some(receiver)) if !is_reference(receiver) => Err(syn::Error::new_spanned(
            receiver,
            format!(
                "`{label}` works on the state where it is: write `&mut self`, or `&self` to look at it only\n\n{erlang}"
            ),
        )),
        _ => Ok(()),
    }
}

/// Returns whether this is `&self` or `&mut self`.
fn is_reference(receiver: &Receiver) -> bool {
    matches!(receiver.kind, ReceiverKind::Reference(..))
}

/// Returns the types of the arguments after `self`.
pub(super) fn types(method: &ImplItemFn) -> impl Iterator<Item = &Type> {
    method
        .sig
        .inputs
        .iter()
        .filter_map(|argument| match argument {
            FnArg::Typed(argument) => Some(&*argument.ty),
            FnArg::Receiver(_) => None,
        })
}

/// Returns whether the last argument is the context.
pub(super) fn takes_context(method: &ImplItemFn) -> bool {
    types(method).last().is_some_and(is_context)
}

/// Returns whether the type is `&Cx<'_>`, by any path.
pub(super) fn is_context(ty: &Type) -> bool {
    let Type::Reference(reference) = ty else {
        return false;
    };
    is_named(&reference.elem, "Cx")
}

/// Returns whether the last name of a path is this one.
pub(super) fn is_named(ty: &Type, name: &str) -> bool {
    let Type::Path(path) = ty else {
        return false;
    };
    let last = path.path.segments.last();
    last.is_some_and(|segment| segment.ident == name)
}

/// Returns whether the type is `Term`, by any path.
pub(super) fn is_dynamic(ty: &Type) -> bool {
    let Type::Path(path) = ty else {
        return false;
    };
    let last = path.path.segments.last();
    last.is_some_and(|segment| segment.ident == "Term" && segment.arguments.is_none())
}

/// Returns whether `impl Trait` occurs, which cannot be in the type of a closure.
pub(super) fn mentions_impl(tokens: TokenStream) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(word) => word == "impl",
        TokenTree::Group(group) => mentions_impl(group.stream()),
        TokenTree::Punct(_) | TokenTree::Literal(_) => false,
    })
}
