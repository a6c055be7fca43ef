//! What the clauses of a block take, as implementations of the traits that a value with a consequence asks for.

use otp_contract::behaviour::Role;
use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote};
use syn::{Ident, PathArguments, Type};

use super::arguments::is_dynamic;
use super::block::Block;
use super::clause::Clause;
use super::description::Callback;
use super::shapes::shape;
use crate::lifetimes;

/// The implementations.
pub(super) fn implementations(block: &Block<'_>) -> TokenStream {
    let Some(consequences) = &block.description.consequences else {
        return TokenStream::new();
    };
    let (self_type, path) = (block.self_type, &block.description.path);
    let taken = self::taken(block, &format_ident!("Takes"), &consequences.taken_by);
    let message: Vec<Ident> = consequences.message.iter().cloned().collect();
    let messages = self::taken(block, &format_ident!("TakesMessage"), &message);
    let atom = consequences.atom.iter().map(|(method, atom)| {
        let clauses = block.clauses.iter().filter(|(it, _)| it.method == *method);
        let keys = clauses.flat_map(|(_, clauses)| clauses.iter().flat_map(Clause::called_with));
        let shapes = keys.map(|key| shape(&key));
        quote! {
            #[diagnostic::do_not_recommend]
            impl #path::taken::TakesAtom<{
                ::otp_bridge::__private::takes_atom(&[#(#shapes),*], #atom)
            }> for #self_type {}
        }
    });
    quote! {
        const _: () = {
            #[allow(unused_imports)]
            use ::otp_bridge::__private::Unknown as _;
            #taken
            #messages
            #(#atom)*
        };
    }
}

/// The implementations of a trait for what these methods take.
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
            impl<'__r, #(#names),*> #path::taken::#name<#(#types),*> for #self_type {}
        }
    });
    quote!(#(#implementations)*)
}

/// A type, or several.
#[derive(Clone)]
enum Pattern {
    /// Every type.
    Any,
    /// A type, and its tokens.
    Exact(String, TokenStream),
    /// A tuple.
    Tuple(Vec<Pattern>),
}

impl Pattern {
    fn exact(ty: &impl ToTokens) -> Self {
        let tokens = ty.to_token_stream();
        Pattern::Exact(tokens.to_string(), tokens)
    }

    /// The type in Rust. Each parameter in it gets a name.
    fn ty(&self, names: &mut Vec<syn::Ident>) -> TokenStream {
        match self {
            Pattern::Any => {
                let name = format_ident!("T{}", names.len());
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

    /// Whether a type can be of both.
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

    /// What has all types of both.
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

/// Implementations may not overlap. Those that do become one.
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

/// The types that a clause takes: those that it says, and what is sent for them (`&str` for a `String`).
fn patterns(callback: &Callback, clause: &Clause) -> Vec<Vec<Pattern>> {
    let open = callback.arguments.iter().filter(|it| it.role.is_open());
    let mut all: Vec<Vec<Pattern>> = vec![Vec::new()];
    for (argument, ty) in open.zip(clause.keys("'__r")) {
        let alternatives = match argument.role {
            Role::Discriminant => vec![discriminant(&ty)],
            _ => contents(&ty),
        };
        all = all
            .into_iter()
            .flat_map(|before| {
                alternatives.iter().map(move |one| {
                    let mut patterns = before.clone();
                    patterns.push(one.clone());
                    patterns
                })
            })
            .collect();
    }
    all
}

/// What tells clauses apart: an atom, a tuple that begins with one, or a type that has several of them.
fn discriminant(ty: &Type) -> Pattern {
    match ty {
        Type::Tuple(tuple) => {
            let elements = tuple.elems.iter().enumerate();
            let pattern = |(index, ty): (usize, &Type)| match index {
                0 => discriminant(ty),
                _ if is_dynamic(ty) => Pattern::Any,
                _ => Pattern::exact(ty),
            };
            Pattern::Tuple(elements.map(pattern).collect())
        }
        Type::Path(path) => match path.path.segments.last() {
            Some(last) if is_atom(last) => {
                let (name, ident) = (last.ident.to_string(), &last.ident);
                Pattern::Exact(name, quote!(::otp_bridge::atoms::#ident))
            }
            _ => Pattern::Any,
        },
        _ => Pattern::Any,
    }
}

/// Atoms are the types that begin with a lower-case letter.
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
    let borrowed = quote!(&'__r #ty);
    let mut all = vec![Pattern::exact(ty), Pattern::exact(&borrowed)];
    if is_string(ty) {
        all.push(Pattern::exact(&quote!(&'__r str)));
    }
    all
}

/// What is sent for a `&str` or `&[u8]`.
fn of_slice(ty: &Type) -> Vec<Pattern> {
    let is_bytes = matches!(ty, Type::Reference(slice) if matches!(*slice.elem, Type::Slice(_)));
    let owned: Type = match is_bytes {
        true => syn::parse_quote!(::otp_bridge::term::Binary),
        false => syn::parse_quote!(::std::string::String),
    };
    let borrowed = quote!(&'__r #owned);
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
