//! The type of a field, and how derived code reaches its traits

use std::ops::Deref;

use proc_macro2::{Delimiter, Group, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use syn::{Generics, Type};

use crate::lifetimes;

/// The type of a field.
///
/// All of a derive's functions say the same of a field that is not a term, so the compiler says it
/// once.
pub(super) struct FieldType {
    ty: Type,
    by: Trait,
    /// The type with the lifetime `'static`, if it borrows.
    borrowed: Option<Type>,
}

/// The trait by which a field is reached.
#[derive(Clone, Copy)]
enum Trait {
    /// For a type that is written and read.
    IsTerm,
    /// For a type that is only written.
    ToTerm,
    /// For a type that is only written and depends on a parameter: the one that is implemented,
    /// whose bounds the parameter has.
    Same,
    /// The same for a type that is written and read: what there is.
    Part,
    /// For a type that is written, and that borrows when it is read.
    Borrowed,
}

impl FieldType {
    pub(super) fn new(ty: Type) -> Self {
        FieldType {
            ty,
            by: Trait::Same,
            borrowed: None,
        }
    }

    /// Sets what the field is reached by.
    pub(super) fn decide(&mut self, is_read: bool, generics: &Generics) {
        if is_read && lifetimes::has_any(generics) && lifetimes::is_in(&self.ty) {
            self.by = Trait::Borrowed;
            self.borrowed = Some(lifetimes::renamed(&self.ty, "'static"));
            return;
        }
        let mut parameters = generics.type_params();
        let depends = |parameter: &syn::TypeParam| mentions(&self.ty, &parameter.ident);
        self.by = match (parameters.any(depends), is_read) {
            (true, true) => Trait::Part,
            (true, false) => Trait::Same,
            (false, true) => Trait::IsTerm,
            (false, false) => Trait::ToTerm,
        };
    }

    /// Whether it borrows from the term.
    pub(super) fn borrows(&self) -> bool {
        self.borrowed.is_some()
    }

    /// Where the type begins and ends.
    fn ends(&self) -> (Span, Span) {
        let tokens = self.ty.to_token_stream().into_iter();
        let mut spans = tokens.map(|token| token.span());
        let first = spans.next().unwrap_or_else(Span::call_site);
        (first, spans.last().unwrap_or(first))
    }

    /// A call of `function`, where the type is: every error about the type then points at it.
    pub(super) fn call(&self, function: TokenStream, arguments: TokenStream) -> TokenStream {
        let (first, last) = self.ends();
        let function = function.into_iter().map(|mut token| {
            token.set_span(first);
            token
        });
        let mut arguments = Group::new(Delimiter::Parenthesis, arguments);
        arguments.set_span(last);
        quote!(#(#function)* #arguments)
    }

    fn of(&self, item: &TokenStream) -> TokenStream {
        self.of_type(&self.ty, item)
    }

    fn of_type(&self, ty: &impl ToTokens, item: &TokenStream) -> TokenStream {
        let (first, last) = self.ends();
        let item = item.clone().into_iter().map(|mut token| {
            token.set_span(last);
            token
        });
        let start = quote_spanned!(first=> <);
        let end = quote_spanned!(last=> as ::otp_bridge::term::);
        quote!(#start #ty #end #(#item)*)
    }

    /// `Part::<Type>::item`
    fn part(&self, item: &TokenStream) -> TokenStream {
        let ty = &self.ty;
        let (first, last) = self.ends();
        let start = quote_spanned!(first=> ::otp_bridge::term::derived::Part::<);
        let end = quote_spanned!(last=> >::);
        quote!(#start #ty #end #item)
    }

    /// That it is a term, if nothing else says so.
    pub(super) fn assertion(&self) -> Option<TokenStream> {
        let is_term = || self.of(&quote!(IsTerm > ::type_of_term));
        matches!(self.by, Trait::Part).then(is_term)
    }

    /// What reaches it, by each of the traits: `of_both` is that of `IsTerm`, `of_one` that of the
    /// trait which is implemented.
    fn by(&self, of_both: TokenStream, of_one: TokenStream, of_part: TokenStream) -> TokenStream {
        match self.by {
            Trait::IsTerm => self.of(&quote!(IsTerm > ::#of_both)),
            Trait::ToTerm | Trait::Same | Trait::Borrowed => self.of(&of_one),
            Trait::Part => self.part(&of_part),
        }
    }

    /// The same for what reads it.
    fn read_by(
        &self,
        of_both: TokenStream,
        of_one: TokenStream,
        of_part: TokenStream,
        of_borrowed: TokenStream,
    ) -> TokenStream {
        match &self.borrowed {
            Some(borrowed) => self.of_type(borrowed, &quote!(BorrowTerm > ::#of_borrowed)),
            None => self.by(of_both, of_one, of_part),
        }
    }

    /// The function that writes it.
    pub(super) fn to_term(&self) -> TokenStream {
        self.by(
            quote!(write_term),
            quote!(ToTerm > ::to_term),
            quote!(to_term),
        )
    }

    /// The function that reads it.
    pub(super) fn read(&self) -> TokenStream {
        self.read_by(
            quote!(read_part),
            quote!(FromTerm > ::__read),
            quote!(read),
            quote!(borrow),
        )
    }

    /// The function that checks a term before it is read.
    pub(super) fn check(&self) -> TokenStream {
        self.read_by(
            quote!(check_part),
            quote!(FromTerm > ::__check),
            quote!(check),
            quote!(check),
        )
    }

    /// The function that finds the callers in it.
    pub(super) fn watch(&self) -> TokenStream {
        self.read_by(
            quote!(watch_part),
            quote!(FromTerm > ::__watch),
            quote!(watch),
            quote!(watch),
        )
    }

    /// The function that makes the error of a map without its key.
    pub(super) fn missing(&self) -> TokenStream {
        self.read_by(
            quote!(missing_part),
            quote!(FromTerm > ::__missing),
            quote!(missing),
            quote!(missing),
        )
    }

    /// The function that gives its text.
    pub(super) fn erlang_type(&self) -> TokenStream {
        let of_one = match self.by {
            Trait::ToTerm => quote!(ToTerm > ::__erlang_type),
            Trait::IsTerm | Trait::Same | Trait::Part | Trait::Borrowed => {
                quote!(ErlangType > ::erlang_type)
            }
        };
        self.by(quote!(type_of_term), of_one, quote!(erlang_type))
    }

    pub(super) fn kind(&self) -> TokenStream {
        self.read_by(
            quote!(KIND_OF_TERM),
            quote!(FromTerm > ::KIND),
            quote!(KIND),
            quote!(KIND),
        )
    }

    pub(super) fn shape(&self) -> TokenStream {
        self.read_by(
            quote!(SHAPE_OF_TERM),
            quote!(FromTerm > ::SHAPE),
            quote!(SHAPE),
            quote!(SHAPE),
        )
    }

    /// The trait of a map that holds all other keys.
    pub(super) fn rest(&self) -> Option<TokenStream> {
        let rest = || self.of(&quote!(derived::RestField>));
        matches!(self.by, Trait::IsTerm).then(rest)
    }
}

impl Deref for FieldType {
    type Target = Type;

    fn deref(&self) -> &Type {
        &self.ty
    }
}

impl ToTokens for FieldType {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        self.ty.to_tokens(tokens);
    }
}

fn mentions(ty: &Type, name: &syn::Ident) -> bool {
    fn occurs(tokens: TokenStream, name: &syn::Ident) -> bool {
        tokens.into_iter().any(|token| match token {
            TokenTree::Ident(word) => word == *name,
            TokenTree::Group(group) => occurs(group.stream(), name),
            TokenTree::Punct(_) | TokenTree::Literal(_) => false,
        })
    }
    occurs(ty.to_token_stream(), name)
}
