//! `&self` in a clause. The method of its trait has `&mut self`, and the body reads the state
//! through a shared reference instead of `self`.
//!
//! ```text
//! fn f(&self) { self.count }          let state = ReadOnly::new(self);  (&*state).count
//! ```
//!
//! A future that holds a `&Self` is `Send` only if threads can share the state, which is not
//! required. A future that holds a `ReadOnly` is `Send` in any case.

use proc_macro2::{Delimiter, Group, Ident, Literal, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote_spanned};
use syn::{Block, ImplItemFn, Lit, Result};

use crate::names::ours;

/// Makes the body borrow the state for reading.
pub(super) fn borrow(method: &mut ImplItemFn, receiver: Span) -> Result<()> {
    let mut body = Body { is_used: false };
    let tokens = body.tokens(method.block.to_token_stream());
    if !body.is_used {
        return Ok(());
    }
    let mut block: Block = syn::parse2(tokens)?;
    let state = state(receiver);
    let borrowed = quote_spanned!(receiver=> ::otp_bridge::__private::ReadOnly::new(self));
    block
        .stmts
        .insert(0, syn::parse_quote!(let #state = #borrowed;));
    method.block = block;
    Ok(())
}

/// Returns the variable that replaces `self`, with the span of `self`.
fn state(span: Span) -> Ident {
    let mut state = ours("state");
    state.set_span(state.span().located_at(span));
    state
}

struct Body {
    is_used: bool,
}

impl Body {
    fn tokens(&mut self, tokens: TokenStream) -> TokenStream {
        let mut tokens = tokens.into_iter().peekable();
        let mut replaced = TokenStream::new();
        // An item has a `self` of its own, or none.
        let mut is_item = false;
        while let Some(token) = tokens.next() {
            match token {
                TokenTree::Ident(word) if word == "self" && !is_path(tokens.peek()) => {
                    self.is_used = true;
                    let state = state(word.span());
                    replaced.extend(quote_spanned!(state.span()=> (&*#state)));
                }
                TokenTree::Ident(word) => {
                    let begins = word == "impl" || word == "trait";
                    is_item |= begins || word == "fn" && is_name(tokens.peek());
                    replaced.extend([TokenTree::Ident(word)]);
                }
                TokenTree::Group(group) => {
                    let is_block = group.delimiter() == Delimiter::Brace;
                    let stays = is_item && is_block;
                    is_item &= !is_block;
                    replaced.extend([TokenTree::Group(if stays {
                        group
                    } else {
                        self.group(&group)
                    })]);
                }
                TokenTree::Literal(literal) => {
                    let named = self.in_text(&literal);
                    replaced.extend([TokenTree::Literal(named.unwrap_or(literal))]);
                }
                TokenTree::Punct(mark) => replaced.extend([TokenTree::Punct(mark)]),
            }
        }
        replaced
    }

    /// Handles `"{self:?}"`, which also names the state.
    fn in_text(&mut self, literal: &Literal) -> Option<Literal> {
        let Lit::Str(text) = Lit::new(literal.clone()) else {
            return None;
        };
        let value = text.value();
        let named = value
            .replace("{self}", "{__otp_state}")
            .replace("{self:", "{__otp_state:");
        if named == value {
            return None;
        }
        self.is_used = true;
        let mut literal = Literal::string(&named);
        literal.set_span(Span::call_site().located_at(text.span()));
        Some(literal)
    }

    fn group(&mut self, group: &Group) -> Group {
        let mut replaced = Group::new(group.delimiter(), self.tokens(group.stream()));
        replaced.set_span(group.span());
        replaced
    }
}

/// Returns whether a path continues: `self::module`.
fn is_path(next: Option<&TokenTree>) -> bool {
    matches!(next, Some(TokenTree::Punct(mark)) if mark.as_char() == ':')
}

fn is_name(next: Option<&TokenTree>) -> bool {
    matches!(next, Some(TokenTree::Ident(_)))
}
