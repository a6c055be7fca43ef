//! `impl ErlangType`.

use super::field_type::FieldType;
use super::model::{Atom, Field, Item, Map, TermForm};
use otp_contract::erlang::quote_atom;
use otp_contract::rust::snake_case;
use proc_macro2::TokenStream;
use quote::quote;

pub(super) fn implementation(item: &Item) -> TokenStream {
    let header = item.header(
        &quote!(::otp_bridge::term::ErlangType),
        &[quote!(::otp_bridge::term::ErlangType)],
    );
    let name = snake_case(&item.name.to_string());
    let forms = item.forms();
    let mut text = Text::default();
    if forms.is_empty() {
        text.push("none()");
    }
    for (number, (_, form)) in forms.iter().enumerate() {
        if number > 0 {
            text.push(" | ");
        }
        text.form(form);
    }
    let pieces = text.pieces();
    let doc = &item.doc;
    quote! {
        #header {
            #[inline]
            fn erlang_type() -> ::std::string::String {
                ::otp_bridge::term::derived_type(
                    ::core::any::type_name::<Self>(), #name, &[#(#pieces),*], &[#(#doc),*],
                )
            }
        }
    }
}

/// The pieces of a type's text.
#[derive(Default)]
struct Text {
    pieces: Vec<TokenStream>,
    /// Text that has not become a piece yet.
    open: String,
}

impl Text {
    fn push(&mut self, text: &str) {
        self.open.push_str(text);
    }

    fn close(&mut self) {
        if !self.open.is_empty() {
            let text = std::mem::take(&mut self.open);
            self.pieces
                .push(quote!(::otp_bridge::term::Piece::Text(#text)));
        }
    }

    fn pieces(mut self) -> Vec<TokenStream> {
        self.close();
        self.pieces
    }

    fn atom(&mut self, atom: &Atom) {
        self.push(&quote_atom(&atom.text));
    }

    fn ty(&mut self, ty: &FieldType) {
        self.close();
        let text = ty.erlang_type();
        self.pieces
            .push(quote!(::otp_bridge::term::Piece::Type(#text)));
    }

    fn form(&mut self, form: &TermForm) {
        match form {
            TermForm::Atom(tag) => self.atom(tag),
            TermForm::Tagged(tag, fields) => self.tuple(Some(tag), fields),
            TermForm::Tuple(fields) => self.tuple(None, fields),
            TermForm::Transparent(field) => self.ty(&field.ty),
            TermForm::Map(form) => self.map(form),
        }
    }

    fn tuple(&mut self, tag: Option<&Atom>, fields: &[Field]) {
        self.push("{");
        if let Some(tag) = tag {
            self.atom(tag);
        }
        for (number, field) in fields.iter().enumerate() {
            if tag.is_some() || number > 0 {
                self.push(", ");
            }
            self.ty(&field.ty);
        }
        self.push("}");
    }

    fn map(&mut self, map: &Map) {
        self.push("#{");
        for (number, entry) in map.entries.iter().enumerate() {
            if number > 0 {
                self.push(", ");
            }
            self.atom(&entry.key);
            self.push(if entry.optional { " => " } else { " := " });
            self.ty(&entry.ty);
        }
        if let Some(field) = &map.rest {
            if !map.entries.is_empty() {
                self.push(", ");
            }
            self.close();
            let ty = &field.ty;
            let text = match ty.rest() {
                Some(rest) => quote!(#rest::text),
                None => quote!(::otp_bridge::term::derived::associations_text::<#ty>),
            };
            self.pieces
                .push(quote!(::otp_bridge::term::Piece::Type(#text)));
        }
        self.push("}");
    }
}
