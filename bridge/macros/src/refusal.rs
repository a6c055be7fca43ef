//! Mistakes that only the compiler can find, by the shapes and sizes of types, with messages from
//! the macro: each is a bound that does not hold and that has a message of its own. A panic in a
//! constant would start with the compiler's own words about evaluation.

use proc_macro2::{Delimiter, Group, Punct, Spacing, Span, TokenStream, TokenTree};
use quote::{quote, quote_spanned};

/// The message of a mistake.
pub(crate) struct Refusal {
    message: String,
    label: String,
    notes: Vec<String>,
}

impl Refusal {
    /// Creates a refusal with this first line, and this label at the span.
    pub(crate) fn new(message: impl Into<String>, label: impl Into<String>) -> Self {
        Refusal {
            message: message.into(),
            label: label.into(),
            notes: Vec::new(),
        }
    }

    /// Adds a note below the program's lines.
    pub(crate) fn with_note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }

    /// Returns an item that does not compile if this constant condition is true. The compiler
    /// points at these spans, and at everything between them.
    pub(crate) fn if_true(
        &self,
        condition: &TokenStream,
        (first, last): (Span, Span),
    ) -> TokenStream {
        let (message, label) = (literal(&self.message), literal(&self.label));
        let notes = self.notes.iter().map(|note| literal(note));
        let count = spanned_group(quote!((#condition) as ::core::primitive::usize), last);
        let mut end = Punct::new('>', Spacing::Alone);
        end.set_span(last);
        let end = TokenTree::Punct(end);
        let mistakes = quote_spanned!(first=> ::otp_bridge::__private::Mistakes<#count #end);
        quote! {
            const _: () = {
                #[diagnostic::on_unimplemented(message = #message, label = #label, #(note = #notes),*)]
                trait __OtpAccepted {
                    const CHECKED: () = ();
                }
                #[diagnostic::do_not_recommend]
                impl __OtpAccepted for ::otp_bridge::__private::Mistakes<0> {}
                <#mistakes as __OtpAccepted>::CHECKED
            };
        }
    }
}

/// Returns the first of these refusals that applies: the constant `which` is its index, or another
/// number if none does.
pub(crate) fn one_of(
    which: &TokenStream,
    refusals: impl IntoIterator<Item = Refusal>,
    span: (Span, Span),
) -> TokenStream {
    let items = refusals.into_iter().enumerate();
    let items = items.map(|(index, refusal)| refusal.if_true(&quote!(__OTP_WHICH == #index), span));
    quote! {
        const _: () = {
            const __OTP_WHICH: ::core::primitive::usize = #which;
            #(#items)*
        };
    }
}

/// Returns the text of a message with escaped braces, which otherwise stand for names.
fn literal(text: &str) -> String {
    text.replace('{', "{{").replace('}', "}}")
}

fn spanned_group(tokens: TokenStream, span: Span) -> Group {
    let mut group = Group::new(Delimiter::Brace, tokens);
    group.set_span(span);
    group
}
