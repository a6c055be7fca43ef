//! The type of a field, and the code with which a derive uses its traits.

use std::ops::Deref;

use proc_macro2::{Delimiter, Group, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use syn::{Generics, Type};

use crate::lifetimes;

/// The type of a field.
///
/// If a field is not a term, all functions of a derive have the same error, which the compiler
/// therefore reports only once.
pub(super) struct FieldType {
    ty: Type,
    by: Trait,
    /// The type with the lifetime `'static`, if it borrows.
    borrowed: Option<Type>,
}

/// The trait with which a field is used.
#[derive(Clone, Copy)]
enum Trait {
    /// For a type that is encoded and decoded.
    IsTerm,
    /// For a type that is only encoded.
    ToTerm,
    /// For a type that is only encoded and depends on a parameter: the trait that the derive
    /// implements, which is also the bound of the parameter.
    Same,
    /// For a type that is encoded and decoded and depends on a parameter: the functions of `Part`,
    /// which exist for any type and use the traits that are implemented.
    Part,
    /// For a type that is encoded, and that borrows when it is decoded.
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

    /// Sets the trait with which the field is used.
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

    /// Returns whether it borrows from the term.
    pub(super) fn borrows(&self) -> bool {
        self.borrowed.is_some()
    }

    /// Returns the spans of the start and the end of the type.
    fn ends(&self) -> (Span, Span) {
        let tokens = self.ty.to_token_stream().into_iter();
        let mut spans = tokens.map(|token| token.span());
        let first = spans.next().unwrap_or_else(Span::call_site);
        (first, spans.last().unwrap_or(first))
    }

    /// Returns a call of `function` with the span of the type, so that every error about the type
    /// points at it.
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

    /// Returns `Part::<Type>::item`.
    fn part(&self, item: &TokenStream) -> TokenStream {
        let ty = &self.ty;
        let (first, last) = self.ends();
        let start = quote_spanned!(first=> ::otp_bridge::term::derived::Part::<);
        let end = quote_spanned!(last=> >::);
        quote!(#start #ty #end #item)
    }

    /// Returns an assertion that the type is a term, if no other code asserts it.
    pub(super) fn assertion(&self) -> Option<TokenStream> {
        let is_term = || self.of(&quote!(IsTerm > ::type_of_term));
        matches!(self.by, Trait::Part).then(is_term)
    }

    /// Returns the function for the field's trait: `of_both` belongs to `IsTerm`, `of_one` to the
    /// trait that is implemented.
    fn by(&self, of_both: TokenStream, of_one: TokenStream, of_part: TokenStream) -> TokenStream {
        match self.by {
            Trait::IsTerm => self.of(&quote!(IsTerm > ::#of_both)),
            Trait::ToTerm | Trait::Same | Trait::Borrowed => self.of(&of_one),
            Trait::Part => self.part(&of_part),
        }
    }

    /// Returns the function that decodes the field, for its trait.
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

    /// Returns the function that encodes the field.
    pub(super) fn to_term(&self) -> TokenStream {
        self.by(
            quote!(write_term),
            quote!(ToTerm > ::to_term),
            quote!(to_term),
        )
    }

    /// Returns the function that decodes the field.
    pub(super) fn read(&self) -> TokenStream {
        self.read_by(
            quote!(read_part),
            quote!(FromTerm > ::__read),
            quote!(read),
            quote!(borrow),
        )
    }

    /// Returns the function that checks a term before it is decoded.
    pub(super) fn check(&self) -> TokenStream {
        self.read_by(
            quote!(check_part),
            quote!(FromTerm > ::__check),
            quote!(check),
            quote!(check),
        )
    }

    /// Returns the function that finds the callers in the field.
    pub(super) fn watch(&self) -> TokenStream {
        self.read_by(
            quote!(watch_part),
            quote!(FromTerm > ::__watch),
            quote!(watch),
            quote!(watch),
        )
    }

    /// Returns the function that builds the error of a map without the field's key.
    pub(super) fn missing(&self) -> TokenStream {
        self.read_by(
            quote!(missing_part),
            quote!(FromTerm > ::__missing),
            quote!(missing),
            quote!(missing),
        )
    }

    /// Returns the function for the text of the field's type.
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

    /// Returns the trait of a map that holds all other keys.
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
