//! Checks that need the shapes of types, which only the compiler knows: that each clause can be
//! reached, and that functions of any name are named like the values of the chosen type.

use otp_contract::behaviour::{Flag, Role};
use proc_macro2::{Delimiter, Group, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::{ImplItem, Type};

use super::block::Block;
use super::clause::ClauseMethod;
use super::description::Callback;
use super::everywhere;
use super::method::ends_of;
use crate::refusal::{self, Refusal};

pub(super) fn checks(block: &Block<'_>, refuses: bool) -> TokenStream {
    let (reached, functions) = (reached(block), functions(block));
    let everywhere = everywhere::checks(block, refuses);
    quote! {
        const _: () = {
            #[allow(unused_imports)]
            use ::otp_bridge::__private::Unknown as _;
            #reached
            #functions
            #everywhere
        };
    }
}

pub(super) fn shape(ty: &Type) -> TokenStream {
    quote!(<::otp_bridge::__private::Known<#ty>>::SHAPE)
}

/// Returns a clause as the run time's checks see it.
pub(super) fn taken(callback: &Callback, clause: &ClauseMethod) -> TokenStream {
    let message = clause.message();
    let mut open = callback.arguments.iter().filter(|it| it.role.is_open());
    let discriminant = match open.position(|it| it.role == Role::Discriminant) {
        Some(index) => quote!(::core::option::Option::Some(#index)),
        None => quote!(::core::option::Option::None),
    };
    let keys = clause.called_with();
    let shapes = keys.iter().map(shape);
    quote!(::otp_bridge::__private::Taken { message: #message, shapes: &[#(#shapes),*], discriminant: #discriminant })
}

/// Checks that no clause is behind others that match all its terms.
fn reached(block: &Block<'_>) -> TokenStream {
    let mut checks = TokenStream::new();
    for (callback, clauses) in same_name(block) {
        for (index, clause) in clauses.iter().enumerate() {
            let above = clauses[..index]
                .iter()
                .filter(|above| above.function == clause.function)
                .copied();
            let above: Vec<&ClauseMethod> = above.collect();
            let keys = clause.keys("'_");
            if above.is_empty() || keys.is_empty() {
                continue;
            }
            checks.extend(reached_below(callback, clause, &above, ends_of_all(&keys)));
        }
    }
    checks
}

/// Checks that neither this clause as a whole nor a variant of it is behind those above it.
fn reached_below(
    callback: &Callback,
    clause: &ClauseMethod,
    above: &[&ClauseMethod],
    span: (Span, Span),
) -> TokenStream {
    let (label, form) = (label(callback, clause), &callback.erlang);
    let (message, shapes) = (clause.message(), taken(callback, clause));
    let all_above = above.iter().map(|above| taken(callback, above));
    let arguments = quote!(&#shapes, &[#(#all_above),*]);
    let refusals = above.iter().map(|above| {
        let above = above.message();
        Refusal::new(format!(
            "`{label}` never runs its clause for `{message}`: the clause for `{above}` above it takes every such term"
        ), "never run").with_note(form)
    });
    let first = quote!(::otp_bridge::__private::first_above(#arguments));
    let mut checks = refusal::one_of(&first, refusals, span);
    checks.extend(check(
        "check_variants",
        span,
        quote!(#arguments, #label, #form),
    ));
    checks
}

/// Returns `handle_call/3`, or `off/3` for a function of any name.
fn label(callback: &Callback, clause: &ClauseMethod) -> String {
    match &clause.function {
        Some(function) => format!("{function}/{}", callback.arity),
        None => callback.label(),
    }
}

/// Returns the clauses that users write with one name, in the order of the source, with a callback
/// of that name.
fn same_name<'b>(block: &'b Block<'_>) -> Vec<(&'b Callback, Vec<&'b ClauseMethod>)> {
    let mut groups: Vec<(&Callback, Vec<&ClauseMethod>)> = Vec::new();
    for (callback, clauses) in &block.clauses {
        let known = groups
            .iter_mut()
            .find(|(known, _)| known.written == callback.written);
        match known {
            Some((_, group)) => group.extend(clauses),
            None => groups.push((callback, clauses.iter().collect())),
        }
    }
    for (_, group) in &mut groups {
        group.sort_by_key(|clause| clause.index);
    }
    groups
}

/// Returns `const _: () = check(arguments);`. The compiler points at these spans, and at everything
/// between them.
pub(super) fn check(
    name: &str,
    (first, last): (Span, Span),
    arguments: TokenStream,
) -> TokenStream {
    let name = syn::Ident::new(name, first);
    let mut arguments = Group::new(Delimiter::Parenthesis, arguments);
    arguments.set_span(last);
    let call = quote_spanned!(first=> ::otp_bridge::__private::#name);
    quote!(const _: () = #call #arguments;)
}

/// Returns the span of the first type's start and of the last type's end.
pub(super) fn ends_of_all(types: &[Type]) -> (Span, Span) {
    let ends = |ty: Option<&Type>| ty.map_or((Span::call_site(), Span::call_site()), ends_of);
    (ends(types.first()).0, ends(types.last()).1)
}

/// Checks that the functions of any name and the values of the chosen type correspond.
fn functions(block: &Block<'_>) -> TokenStream {
    let clauses = block.clauses.iter();
    let named = clauses.filter(|(callback, _)| callback.has(Flag::AnyName));
    let all: Vec<(&Callback, &ClauseMethod)> = named
        .flat_map(|(callback, clauses)| clauses.iter().map(move |clause| (*callback, clause)))
        .collect();
    let (Some((callback, _)), Some(chosen)) = (all.first(), chosen(block)) else {
        return TokenStream::new();
    };
    let mut names: Vec<&str> = block.functions_of_any_name().collect();
    names.sort_unstable();
    names.dedup();
    let (of, shape) = (super::clause::text(chosen), shape(chosen));
    let (attribute, form) = (callback.written.to_string(), &callback.erlang);
    let functions = quote! {
        &::otp_bridge::__private::Functions {
            of: #of, shape: #shape, names: &[#(#names),*], attribute: #attribute, form: #form,
        }
    };
    let of_any_atom = Refusal::new(
        format!(
            "`{of}` has to be an enum of variants without fields: functions under `#[{attribute}]` have the names of its values"
        ),
        "not such an enum",
    )
    .with_note(form);
    let condition = quote!(!::otp_bridge::__private::are_atoms(&#shape));
    let mut seen = Vec::new();
    let mut checks = of_any_atom.if_true(&condition, ends_of(chosen));
    checks.extend(check("check_functions", ends_of(chosen), functions));
    for (_, clause) in all {
        if let Some(name) = clause
            .function
            .as_deref()
            .filter(|name| !seen.contains(name))
        {
            seen.push(name);
            let span = (clause.name_span, clause.name_span);
            let refusal = Refusal::new(
                format!(
                    "`{of}` has no value `{name}`: functions under `#[{attribute}]` have the names of its values"
                ),
                format!("not a value of `{of}`"),
            )
            .with_note(form);
            let condition = quote!(::otp_bridge::__private::has_other_atoms(&#shape, #name));
            checks.extend(refusal.if_true(&condition, span));
        }
    }
    checks
}

/// Returns the type that the implementation chooses: `type State = …`.
fn chosen<'b>(block: &'b Block<'_>) -> Option<&'b Type> {
    let name = block.description.chosen.as_ref()?;
    block.associated.iter().find_map(|item| match item {
        ImplItem::Type(item) if item.ident == *name => Some(&item.ty),
        _ => None,
    })
}
