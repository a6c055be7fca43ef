//! Names for the fields of a form, in patterns and constructors

use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote};
use syn::{Ident, Member};

use super::field_type::FieldType;
use super::model::Form;

impl Form {
    /// The fields, in the order of the source.
    pub(super) fn members(&self) -> Vec<&Member> {
        match self {
            Form::Atom(_) => Vec::new(),
            Form::Tagged(_, fields) | Form::Tuple(fields) => {
                fields.iter().map(|field| &field.member).collect()
            }
            Form::Transparent(field) => vec![&field.member],
            Form::Map(map) => {
                let rest = map.rest.iter().map(|field| &field.member);
                let entries = map.entries.iter().map(|entry| &entry.member);
                entries.chain(rest).collect()
            }
        }
    }

    /// Their types, in the same order; of an optional key, what is in the `Option`.
    pub(super) fn types(&self) -> Vec<&FieldType> {
        match self {
            Form::Atom(_) => Vec::new(),
            Form::Tagged(_, fields) | Form::Tuple(fields) => {
                fields.iter().map(|field| &field.ty).collect()
            }
            Form::Transparent(field) => vec![&field.ty],
            Form::Map(map) => {
                let rest = map.rest.iter().map(|field| &field.ty);
                let entries = map.entries.iter().map(|entry| &entry.ty);
                entries.chain(rest).collect()
            }
        }
    }

    /// The same, to be changed.
    pub(super) fn types_mut(&mut self) -> Vec<&mut FieldType> {
        match self {
            Form::Atom(_) => Vec::new(),
            Form::Tagged(_, fields) | Form::Tuple(fields) => {
                fields.iter_mut().map(|field| &mut field.ty).collect()
            }
            Form::Transparent(field) => vec![&mut field.ty],
            Form::Map(map) => {
                let rest = map.rest.iter_mut().map(|field| &mut field.ty);
                let entries = map.entries.iter_mut().map(|entry| &mut entry.ty);
                entries.chain(rest).collect()
            }
        }
    }

    /// `Path { 0: field_0, 1: field_1, .. }`, a pattern for every kind of struct, whatever it skips.
    pub(super) fn braced(&self, path: &TokenStream) -> TokenStream {
        let members = self.members();
        let names = (0..members.len()).map(field);
        quote!(#path { #(#members: #names,)* .. })
    }
}

/// The local variable of a field.
pub(super) fn field(number: usize) -> Ident {
    format_ident!("field_{}", number, span = Span::mixed_site())
}

/// The local variables of so many fields.
pub(super) fn fields(count: usize) -> Vec<Ident> {
    (0..count).map(field).collect()
}
