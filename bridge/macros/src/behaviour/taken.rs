//! Implements, for the clauses of a block, the traits that values with an effect require.

use std::collections::BTreeSet;

use otp_contract::behaviour::Role;
use otp_contract::callback::CallbackKind;
use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote};
use syn::{GenericArgument, Ident, PathArguments, Type};

use super::arguments::is_dynamic;
use super::block::Block;
use super::clause::ClauseMethod;
use super::description::{Callback, Effects};
use super::shapes::shape;
use crate::lifetimes;
use crate::names::ours;

pub(super) fn implementations(block: &Block<'_>) -> TokenStream {
    let Some(effects) = &block.description.effects else {
        return TokenStream::new();
    };
    let (self_type, path) = (block.self_type, &block.description.path);
    let taken = self::taken(block, &format_ident!("Takes"), &effects.taken_by);
    let message: Vec<Ident> = effects.message.iter().cloned().collect();
    let messages = self::taken(block, &format_ident!("TakesMessage"), &message);
    let atom = effects.atom.iter().map(|(method, atom)| {
        let clauses = block.clauses.iter().filter(|(it, _)| it.method == *method);
        let keys =
            clauses.flat_map(|(_, clauses)| clauses.iter().flat_map(ClauseMethod::called_with));
        let shapes = keys.map(|key| shape(&key));
        quote! {
            #[diagnostic::do_not_recommend]
            impl #path::taken::TakesAtom<{
                ::otp_bridge::__private::takes_atom(&[#(#shapes),*], #atom)
            }> for #self_type {}
        }
    });
    let later = later(block, effects);
    quote! {
        const _: () = {
            #[allow(unused_imports)]
            use ::otp_bridge::__private::Unknown as _;
            #taken
            #messages
            #(#atom)*
            #later
        };
    }
}

/// Returns the implementations for messages that arrive after the methods which the block calls.
fn later(block: &Block<'_>, effects: &Effects) -> TokenStream {
    let self_type = block.self_type;
    let clauses = message_clauses(block);
    let shapes = clauses.iter().map(|(_, clause)| {
        let shapes = clause.called_with();
        let shapes = shapes.iter().map(shape);
        quote!(&[#(#shapes),*])
    });
    let shapes: Vec<TokenStream> = shapes.collect();
    let info = block
        .has_events()
        .then(|| quote!(::otp_bridge::term::Shape::Atom("info"),));
    let takes = |message: &TokenStream| {
        let terms = quote!(#info <::otp_bridge::__private::Known<#message>>::SHAPE);
        quote!(::otp_bridge::__private::takes_terms(&[#(#shapes),*], &[#terms]))
    };
    let called = effects.later.iter();
    let called = called.filter(|(method, ..)| block.names.contains(&method.to_string()));
    let messages: BTreeSet<&Ident> = called.flat_map(|(_, _, messages)| messages).collect();
    let implementations = messages.into_iter().map(|message| {
        let message_type = quote!(::otp_bridge::messages::#message);
        // A process without a clause for any message may trap exits in order to run `terminate`:
        // OTP drops messages then.
        let takes = if message == "ExitSignal" && clauses.is_empty() && !block.has_events() {
            quote!(true)
        } else {
            takes(&message_type)
        };
        quote! {
            #[diagnostic::do_not_recommend]
            impl ::otp_bridge::__private::TakesLater<#message_type, { #takes }> for #self_type {}
        }
    });
    let timer = block.names.contains("start_timer").then(|| {
        let any = quote!(::otp_bridge::messages::TimerTimeout);
        timers(block, &clauses, &takes(&any))
    });
    quote!(#(#implementations)* #timer)
}

/// Returns the clauses for messages from other processes: for all of them, or for events of several
/// types.
fn message_clauses<'b>(block: &'b Block<'_>) -> Vec<(&'b Callback, &'b ClauseMethod)> {
    let of_messages = block.clauses.iter().filter(|(callback, _)| {
        let is_event = callback
            .arguments
            .iter()
            .any(|it| it.role == Role::Discriminant);
        callback.kind == CallbackKind::Info || is_event
    });
    let clauses =
        of_messages.flat_map(|(callback, clauses)| clauses.iter().map(move |it| (*callback, it)));
    clauses.collect()
}

/// Returns the implementations for the messages of timers. If a clause has the type
/// `TimerTimeout<Message>`, it determines the message; otherwise a clause that may match such
/// messages matches any.
fn timers(
    block: &Block<'_>,
    clauses: &[(&Callback, &ClauseMethod)],
    any: &TokenStream,
) -> TokenStream {
    let self_type = block.self_type;
    let contents_of = |(_, clause): &(&Callback, &ClauseMethod)| {
        let keys = clause.keys("'__otp_r");
        keys.last().map(timer_contents).unwrap_or_default()
    };
    let all: Vec<Vec<Pattern>> = clauses
        .iter()
        .flat_map(contents_of)
        .map(|it| vec![it])
        .collect();
    if all.is_empty() {
        return quote! {
            #[diagnostic::do_not_recommend]
            impl<M> ::otp_bridge::__private::TakesTimer<M, { #any }> for #self_type {}
        };
    }
    let implementations = apart(all).into_iter().flatten().map(|pattern| {
        let mut names = Vec::new();
        let ty = pattern.ty(&mut names);
        quote! {
            #[diagnostic::do_not_recommend]
            impl<'__otp_r, #(#names),*> ::otp_bridge::__private::TakesTimer<#ty, true> for #self_type {}
        }
    });
    quote!(#(#implementations)*)
}

/// Returns the messages that a clause with the type `TimerTimeout<Message>`, or with any term,
/// matches.
fn timer_contents(ty: &Type) -> Vec<Pattern> {
    if is_dynamic(ty) {
        return vec![Pattern::Any];
    }
    let ty = match ty {
        Type::Reference(reference) => &*reference.elem,
        other => other,
    };
    let Type::Path(path) = ty else {
        return Vec::new();
    };
    let Some(last) = path
        .path
        .segments
        .last()
        .filter(|it| it.ident == "TimerTimeout")
    else {
        return Vec::new();
    };
    match &last.arguments {
        PathArguments::AngleBracketed(arguments) => match arguments.args.first() {
            Some(GenericArgument::Type(message)) => contents(message),
            _ => vec![Pattern::Any],
        },
        _ => vec![Pattern::Any],
    }
}

/// Returns the implementations of a trait for the arguments of these methods.
fn taken(block: &Block<'_>, name: &Ident, methods: &[Ident]) -> TokenStream {
    let (self_type, path) = (block.self_type, &block.description.path);
    let mut all: Vec<Vec<Pattern>> = Vec::new();
    for (callback, clauses) in &block.clauses {
        if methods.contains(&callback.method) {
            all.extend(clauses.iter().flat_map(|clause| patterns(callback, clause)));
        }
    }
    let implementations = apart(all).into_iter().map(|patterns| {
        let mut names = Vec::new();
        let types: Vec<TokenStream> = patterns.iter().map(|it| it.ty(&mut names)).collect();
        quote! {
            #[diagnostic::do_not_recommend]
            impl<'__otp_r, #(#names),*> #path::taken::#name<#(#types),*> for #self_type {}
        }
    });
    quote!(#(#implementations)*)
}

/// A type, or several.
#[derive(Clone)]
enum Pattern {
    /// All types.
    Any,
    /// A type, with its text and its tokens.
    Exact(String, TokenStream),
    Tuple(Vec<Pattern>),
}

impl Pattern {
    fn exact(ty: &impl ToTokens) -> Self {
        let tokens = ty.to_token_stream();
        Pattern::Exact(tokens.to_string(), tokens)
    }

    /// Returns the type in Rust. Each parameter in it gets a name.
    fn ty(&self, names: &mut Vec<syn::Ident>) -> TokenStream {
        match self {
            Pattern::Any => {
                let name = ours(&format!("T{}", names.len()));
                names.push(name.clone());
                quote!(#name)
            }
            Pattern::Exact(_, tokens) => tokens.clone(),
            Pattern::Tuple(elements) => {
                let elements = elements.iter().map(|element| element.ty(names));
                quote!((#(#elements,)*))
            }
        }
    }

    /// Returns whether both patterns match a common type.
    fn overlaps(&self, other: &Pattern) -> bool {
        match (self, other) {
            (Pattern::Any, _) | (_, Pattern::Any) => true,
            (Pattern::Tuple(one), Pattern::Tuple(other)) => overlap(one, other),
            (Pattern::Exact(one, _), Pattern::Exact(other, _)) => one == other,
            (Pattern::Exact(..), Pattern::Tuple(_)) | (Pattern::Tuple(_), Pattern::Exact(..)) => {
                false
            }
        }
    }

    /// Returns a pattern that matches all types of both.
    fn joined(&self, other: &Pattern) -> Pattern {
        match (self, other) {
            (Pattern::Tuple(one), Pattern::Tuple(other)) if one.len() == other.len() => {
                Pattern::Tuple(join(one, other))
            }
            (Pattern::Exact(text, _), Pattern::Exact(other, _)) if text == other => self.clone(),
            _ => Pattern::Any,
        }
    }
}

fn overlap(one: &[Pattern], other: &[Pattern]) -> bool {
    let mut pairs = one.iter().zip(other);
    one.len() == other.len() && pairs.all(|(one, other)| one.overlaps(other))
}

fn join(one: &[Pattern], other: &[Pattern]) -> Vec<Pattern> {
    let pairs = one.iter().zip(other);
    pairs.map(|(one, other)| one.joined(other)).collect()
}

/// Joins patterns that overlap, because implementations may not overlap.
fn apart(all: Vec<Vec<Pattern>>) -> Vec<Vec<Pattern>> {
    let mut apart: Vec<Vec<Pattern>> = Vec::new();
    for mut patterns in all {
        while let Some(index) = apart.iter().position(|it| overlap(it, &patterns)) {
            patterns = join(&apart.remove(index), &patterns);
        }
        apart.push(patterns);
    }
    apart
}

/// Returns the types of a clause: those in its signature, and those that are encoded as the same
/// term (`&str` for a `String`).
fn patterns(callback: &Callback, clause: &ClauseMethod) -> Vec<Vec<Pattern>> {
    let open = callback.arguments.iter().filter(|it| it.role.is_open());
    let mut all: Vec<Vec<Pattern>> = vec![Vec::new()];
    for (argument, ty) in open.zip(clause.keys("'__otp_r")) {
        let alternatives = match argument.role {
            Role::Discriminant => discriminants(&ty),
            _ => contents(&ty),
        };
        all = product(&all, &alternatives);
    }
    all
}

/// Returns the patterns that distinguish clauses: an atom, a tuple with an atom in front, or a type
/// that includes several of them. A name in the tuple matches all types that are encoded as it is.
fn discriminants(ty: &Type) -> Vec<Pattern> {
    match ty {
        Type::Tuple(tuple) => {
            let mut all = vec![Vec::new()];
            for (index, ty) in tuple.elems.iter().enumerate() {
                let alternatives = match index {
                    0 => discriminants(ty),
                    _ => contents(ty),
                };
                all = product(&all, &alternatives);
            }
            all.into_iter().map(Pattern::Tuple).collect()
        }
        Type::Path(path) => match path.path.segments.last() {
            Some(last) if is_atom(last) => {
                let (name, ident) = (last.ident.to_string(), &last.ident);
                vec![Pattern::Exact(name, quote!(::otp_bridge::atoms::#ident))]
            }
            _ => vec![Pattern::Any],
        },
        _ => vec![Pattern::Any],
    }
}

/// Returns each of these, followed by each alternative.
fn product(all: &[Vec<Pattern>], alternatives: &[Pattern]) -> Vec<Vec<Pattern>> {
    let followed = |before: &Vec<Pattern>| -> Vec<Vec<Pattern>> {
        let one = |one: &Pattern| [before.as_slice(), std::slice::from_ref(one)].concat();
        alternatives.iter().map(one).collect()
    };
    all.iter().flat_map(followed).collect()
}

/// Returns whether this is an atom: a type that starts with a lower-case letter.
fn is_atom(segment: &syn::PathSegment) -> bool {
    let name = segment.ident.to_string();
    let lower = name.chars().next().is_some_and(char::is_lowercase);
    lower && matches!(segment.arguments, PathArguments::None)
}

fn contents(ty: &Type) -> Vec<Pattern> {
    if is_dynamic(ty) {
        return vec![Pattern::Any];
    }
    if lifetimes::is_slice(ty) {
        return of_slice(ty);
    }
    let borrowed = quote!(&'__otp_r #ty);
    let mut all = vec![Pattern::exact(ty), Pattern::exact(&borrowed)];
    if is_string(ty) {
        all.push(Pattern::exact(&quote!(&'__otp_r str)));
    }
    all
}

/// Returns the types that are encoded like a `&str` or `&[u8]`.
fn of_slice(ty: &Type) -> Vec<Pattern> {
    let is_bytes = matches!(ty, Type::Reference(slice) if matches!(*slice.elem, Type::Slice(_)));
    let owned: Type = if is_bytes {
        syn::parse_quote!(::otp_bridge::term::Binary)
    } else {
        syn::parse_quote!(::std::string::String)
    };
    let borrowed = quote!(&'__otp_r #owned);
    vec![
        Pattern::exact(ty),
        Pattern::exact(&owned),
        Pattern::exact(&borrowed),
    ]
}

fn is_string(ty: &Type) -> bool {
    let Type::Path(path) = ty else { return false };
    let last = path.path.segments.last();
    last.is_some_and(|last| last.ident == "String")
}
