//! What only the compiler can find, by the shapes and sizes of types, and what the macro can say of
//! it: a bound that does not hold has a message of its own. A panic in a constant would begin with
//! the words of the compiler's evaluation.

use proc_macro2::{Delimiter, Group, Punct, Spacing, Span, TokenStream, TokenTree};
use quote::{quote, quote_spanned};

/// A mistake's message.
pub(crate) struct Refusal {
    message: String,
    label: String,
    notes: Vec<String>,
}

impl Refusal {
    /// A refusal with this first line, and this text beside the place.
    pub(crate) fn new(message: impl Into<String>, label: impl Into<String>) -> Self {
        Refusal {
            message: message.into(),
            label: label.into(),
            notes: Vec::new(),
        }
    }

    /// The same with one more line below the program's.
    pub(crate) fn with_note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }

    /// An item that does not compile if this constant condition is true. The compiler points at
    /// these spans, and at what is between them.
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

/// The first of these refusals that applies: the constant `which` is its index, or another number
/// if none does.
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

/// The text of a message, in which braces are for names.
fn literal(text: &str) -> String {
    text.replace('{', "{{").replace('}', "}}")
}

fn spanned_group(tokens: TokenStream, span: Span) -> Group {
    let mut group = Group::new(Delimiter::Brace, tokens);
    group.set_span(span);
    group
}
