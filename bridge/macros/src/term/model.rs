//! The derive's model of a type.

use std::cell::RefCell;

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Generics, Ident, Member, Type};

use super::field_type::FieldType;
use crate::names::ours;

/// A type with a derive.
pub(super) struct Item {
    pub(super) name: Ident,
    pub(super) generics: Generics,
    pub(super) reply: Option<Type>,
    /// The lines of its documentation.
    pub(super) doc: Vec<String>,
    pub(super) shape: StructOrEnum,
    pub(super) atoms: Atoms,
}

pub(super) enum StructOrEnum {
    Struct(Box<TermForm>),
    Enum(Vec<Variant>),
}

pub(super) struct Variant {
    pub(super) name: Ident,
    pub(super) form: TermForm,
}

/// The Erlang form of a struct or a variant.
pub(super) enum TermForm {
    /// `tag`
    Atom(Atom),
    /// `{tag, F1, F2}`
    Tagged(Atom, Vec<Field>),
    /// `{F1, F2}`
    Tuple(Vec<Field>),
    /// The form of the field itself.
    Transparent(Box<Field>),
    /// `#{key := F1, key => F2}`
    Map(Box<Map>),
}

pub(super) struct Field {
    pub(super) member: Member,
    pub(super) ty: FieldType,
}

/// A map with atom keys.
pub(super) struct Map {
    pub(super) entries: Vec<Entry>,
    /// The field that holds all other keys.
    pub(super) rest: Option<Field>,
    /// Whether other keys are refused; otherwise they are ignored.
    pub(super) exact: bool,
}

pub(super) struct Entry {
    pub(super) key: Atom,
    pub(super) member: Member,
    /// The type of the value; for an optional key, the type in the `Option`.
    pub(super) ty: FieldType,
    pub(super) optional: bool,
}

/// An atom of the type, stored in a `static` of the generated code.
#[derive(Clone)]
pub(super) struct Atom {
    pub(super) text: String,
    /// The name of the `static`.
    pub(super) place: Ident,
}

/// All atoms of a type, each declared once.
#[derive(Default)]
pub(super) struct Atoms {
    texts: RefCell<Vec<String>>,
}

impl Atoms {
    pub(super) fn atom(&self, text: &str) -> Atom {
        let mut texts = self.texts.borrow_mut();
        let number = texts.iter().position(|own| own == text).unwrap_or_else(|| {
            texts.push(text.to_owned());
            texts.len() - 1
        });
        Atom {
            text: text.to_owned(),
            place: atom_constant(number),
        }
    }

    pub(super) fn declarations(&self) -> TokenStream {
        let texts = self.texts.borrow();
        let places = (0..texts.len()).map(atom_constant);
        quote! {
            #(static #places: ::otp_bridge::term::StaticAtom =
                ::otp_bridge::term::StaticAtom::new(#texts);)*
        }
    }
}

fn atom_constant(number: usize) -> Ident {
    ours(&format!("ATOM_{number}"))
}

impl Map {
    /// Returns the keys that have a field of their own.
    pub(super) fn known_keys(&self) -> TokenStream {
        let places = self.entries.iter().map(|entry| &entry.key.place);
        quote!(&[#(&#places),*])
    }
}

impl Item {
    /// Returns `impl<T: Bound> Trait for Name<T> where …`, with each type parameter bound by
    /// `bounds`.
    pub(super) fn header(&self, implemented: &TokenStream, bounds: &[TokenStream]) -> TokenStream {
        let name = &self.name;
        let generics = self.bound(bounds);
        let (parameters, _, where_clause) = generics.split_for_impl();
        let (_, arguments, _) = self.generics.split_for_impl();
        quote!(#[diagnostic::do_not_recommend] impl #parameters #implemented for #name #arguments #where_clause)
    }

    /// Returns the generic parameters, with each type bound by `bounds`.
    pub(super) fn bound(&self, bounds: &[TokenStream]) -> Generics {
        let mut generics = self.generics.clone();
        for parameter in generics.type_params_mut() {
            for bound in bounds {
                parameter.bounds.push(syn::parse_quote!(#bound));
            }
        }
        generics
    }

    /// Sets the traits with which the fields are used. `is_read`: whether the type is also decoded.
    pub(super) fn decide(&mut self, is_read: bool) {
        let forms: Vec<&mut TermForm> = match &mut self.shape {
            StructOrEnum::Struct(form) => vec![form],
            StructOrEnum::Enum(variants) => variants.iter_mut().map(|one| &mut one.form).collect(),
        };
        for ty in forms.into_iter().flat_map(TermForm::types_mut) {
            ty.decide(is_read, &self.generics);
        }
    }

    /// Returns the forms with the paths that construct them: `Self`, or `Self::Variant`.
    pub(super) fn forms(&self) -> Vec<(TokenStream, &TermForm)> {
        self.forms_of(&quote!(Self))
    }

    /// Returns the forms, with another path of the type.
    pub(super) fn forms_of(&self, path: &TokenStream) -> Vec<(TokenStream, &TermForm)> {
        match &self.shape {
            StructOrEnum::Struct(form) => vec![(path.clone(), form)],
            StructOrEnum::Enum(variants) => variants
                .iter()
                .map(|Variant { name, form }| (quote!(#path::#name), form))
                .collect(),
        }
    }
}

impl TermForm {
    /// Returns the fields, in the order of the source.
    pub(super) fn members(&self) -> Vec<&Member> {
        match self {
            TermForm::Atom(_) => Vec::new(),
            TermForm::Tagged(_, fields) | TermForm::Tuple(fields) => {
                fields.iter().map(|field| &field.member).collect()
            }
            TermForm::Transparent(field) => vec![&field.member],
            TermForm::Map(map) => {
                let rest = map.rest.iter().map(|field| &field.member);
                let entries = map.entries.iter().map(|entry| &entry.member);
                entries.chain(rest).collect()
            }
        }
    }

    /// Returns their types, in this order; for an optional key, the type in the `Option`.
    pub(super) fn types(&self) -> Vec<&FieldType> {
        match self {
            TermForm::Atom(_) => Vec::new(),
            TermForm::Tagged(_, fields) | TermForm::Tuple(fields) => {
                fields.iter().map(|field| &field.ty).collect()
            }
            TermForm::Transparent(field) => vec![&field.ty],
            TermForm::Map(map) => {
                let rest = map.rest.iter().map(|field| &field.ty);
                let entries = map.entries.iter().map(|entry| &entry.ty);
                entries.chain(rest).collect()
            }
        }
    }

    /// Returns their types, to be changed.
    pub(super) fn types_mut(&mut self) -> Vec<&mut FieldType> {
        match self {
            TermForm::Atom(_) => Vec::new(),
            TermForm::Tagged(_, fields) | TermForm::Tuple(fields) => {
                fields.iter_mut().map(|field| &mut field.ty).collect()
            }
            TermForm::Transparent(field) => vec![&mut field.ty],
            TermForm::Map(map) => {
                let rest = map.rest.iter_mut().map(|field| &mut field.ty);
                let entries = map.entries.iter_mut().map(|entry| &mut entry.ty);
                entries.chain(rest).collect()
            }
        }
    }

    /// Returns `Path { 0: field_0, 1: field_1, .. }`, a pattern for every kind of struct, including
    /// those with skipped fields.
    pub(super) fn braced(&self, path: &TokenStream) -> TokenStream {
        let members = self.members();
        let names = (0..members.len()).map(field);
        quote!(#path { #(#members: #names,)* .. })
    }
}

/// Returns the local variable of a field.
pub(super) fn field(number: usize) -> Ident {
    ours(&format!("field_{number}"))
}

/// Returns the local variables of `count` fields.
pub(super) fn fields(count: usize) -> Vec<Ident> {
    (0..count).map(field).collect()
}
