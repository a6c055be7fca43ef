//! `impl FromTerm`.

use proc_macro2::TokenStream;
use quote::quote;

use super::model::{Entry, Field, Item, Map, TermForm, field};
use super::{check, shape, watch};

pub(super) fn implementation(item: &Item) -> TokenStream {
    let header = item.header(
        &quote!(::otp_bridge::term::FromTerm),
        &[quote!(::otp_bridge::term::FromTerm)],
    );
    let constants = shape::constants(item);
    let forms = in_order(item);
    let has_members = has_members(item);
    let (read, check) = if has_members {
        (
            quote!(::otp_bridge::term::derived::read_union(
                __otp_view,
                __otp_reader
            )),
            quote!(::otp_bridge::term::derived::check_union::<Self, __OtpView>(
                __otp_view,
                __otp_reader
            )),
        )
    } else {
        (read_tagged(&forms), check::tagged(&forms))
    };
    let members = has_members.then(|| members(item, &forms));
    let (read_header, check_header) = (read_header(), check::header());
    let watch = watch::method(item);
    quote! {
        #header {
            #constants

            #[inline]
            fn from_term<'__otp_view, __OtpView: ::otp_bridge::term::View<'__otp_view>>(
                __otp_view: __OtpView,
            ) -> ::std::result::Result<Self, ::otp_bridge::term::DecodeError> {
                ::otp_bridge::term::Reader::start(|__otp_reader| Self::__read(__otp_view, __otp_reader))
            }

            fn __read #read_header {
                let _ = __otp_reader;
                #read
            }

            fn __check #check_header {
                let _ = __otp_reader;
                #check
            }

            #watch
        }

        #members
    }
}

/// Returns whether the type is a union whose members cannot all be distinguished by their tags.
pub(super) fn has_members(item: &Item) -> bool {
    let forms = item.forms();
    forms.len() > 1 && !forms.iter().all(|(_, form)| is_tagged(form))
}

/// Returns the forms with a tag first, then the others in the order of the source.
fn in_order(item: &Item) -> Vec<(TokenStream, &TermForm)> {
    let forms = item.forms();
    let (mut tagged, others): (Vec<_>, Vec<_>) =
        forms.into_iter().partition(|(_, form)| is_tagged(form));
    tagged.extend(others);
    tagged
}

/// Returns whether no other form of the type has the terms of this one.
fn is_tagged(form: &TermForm) -> bool {
    matches!(form, TermForm::Atom(_) | TermForm::Tagged(..))
}

fn read_header() -> TokenStream {
    quote! {
        <'__otp_view, __OtpView: ::otp_bridge::term::View<'__otp_view>>(
            __otp_view: __OtpView,
            __otp_reader: ::otp_bridge::term::Reader<'_>,
        ) -> ::std::result::Result<Self, ::otp_bridge::term::DecodeError>
    }
}

/// Decodes forms if at most one of them can be that of a term: a mistake within the term is then
/// the error.
pub(super) fn read_tagged(forms: &[(TokenStream, &TermForm)]) -> TokenStream {
    if let [(path, form @ TermForm::Transparent(_))] = forms {
        return read(path, form);
    }
    let outer = check::outer(forms);
    let reads = forms
        .iter()
        .map(|(path, form)| check::where_outer(form, outer.is_some(), read(path, form)));
    quote! {
        #outer
        #(#reads)*
        ::std::result::Result::Err(::otp_bridge::term::DecodeError::expected::<Self, __OtpView>(__otp_view))
    }
}

/// Returns `impl Members`.
fn members(item: &Item, forms: &[(TokenStream, &TermForm)]) -> TokenStream {
    let header = item.header(
        &quote!(::otp_bridge::term::derived::Members),
        &[quote!(::otp_bridge::term::FromTerm)],
    );
    let count = forms.len();
    let kinds = forms.iter().map(|(_, form)| shape::kind(form));
    let reads = forms.iter().enumerate().map(|(number, (path, form))| {
        let read = read(path, form);
        let end = match form {
            TermForm::Transparent(_) => None,
            _ => Some(quote!(::std::result::Result::Err(
                ::otp_bridge::term::DecodeError::expected::<Self, __OtpView>(__otp_view)
            ))),
        };
        quote!(#number => { #read #end })
    });
    let checks = forms.iter().enumerate().map(|(number, (_, form))| {
        let check = check::form(form);
        quote!(#number => { #check })
    });
    let (check_header, nowhere) = (check::member_header(), check::nowhere());
    quote! {
        #header {
            const COUNT: ::core::primitive::usize = #count;
            const KINDS: &'static [::otp_bridge::term::Shape] = &[#(#kinds),*];

            fn read_member<'__otp_view, __OtpView: ::otp_bridge::term::View<'__otp_view>>(
                __otp_member: ::core::primitive::usize,
                __otp_view: __OtpView,
                __otp_reader: ::otp_bridge::term::Reader<'_>,
            ) -> ::std::result::Result<Self, ::otp_bridge::term::DecodeError> {
                match __otp_member {
                    #(#reads)*
                    _ => ::std::result::Result::Err(
                        ::otp_bridge::term::DecodeError::expected::<Self, __OtpView>(__otp_view)
                    ),
                }
            }

            fn check_member #check_header {
                match __otp_member {
                    #(#checks)*
                    _ => #nowhere,
                }
            }
        }
    }
}

/// Returns the value, or the error of a part, if the term has the outer shape of the form.
fn read(path: &TokenStream, form: &TermForm) -> TokenStream {
    let construct = construct(path, form);
    if let TermForm::Transparent(_) = form {
        return quote!(::std::result::Result::Ok(#construct));
    }
    let inner = check::has_parts(form).then(|| quote!(let __otp_reader = __otp_reader.inner()?;));
    check::within_shape(
        form,
        quote! {
            #inner
            return ::std::result::Result::Ok(#construct);
        },
    )
}

/// Returns an expression for the value, with `?` for parts that may not have their types.
fn construct(path: &TokenStream, form: &TermForm) -> TokenStream {
    let members = form.members();
    let values: Vec<TokenStream> = match form {
        TermForm::Atom(_) => Vec::new(),
        // Positions in the tuple: the tag is at 0.
        TermForm::Tagged(_, elements) => numbered(elements).map(|it| element(it, 1)).collect(),
        TermForm::Tuple(elements) => numbered(elements).map(|it| element(it, 0)).collect(),
        TermForm::Transparent(field) => {
            let read = field.ty.read();
            vec![quote!(#read(__otp_view, __otp_reader)?)]
        }
        TermForm::Map(map) => {
            let rest = map.rest.iter().map(|_| rest(map));
            map.entries.iter().map(value).chain(rest).collect()
        }
    };
    let built = quote!(#path { #(#members: #values),* });
    match form {
        TermForm::Map(map) if map.exact => {
            let known = map.known_keys();
            quote!({
                let __otp_value = #built;
                ::otp_bridge::term::derived::refuse_other_keys(__otp_view, #known)?;
                __otp_value
            })
        }
        _ => built,
    }
}

fn numbered(elements: &[Field]) -> impl Iterator<Item = (usize, &Field)> {
    elements.iter().enumerate()
}

fn element((number, element): (usize, &Field), first: usize) -> TokenStream {
    let (name, position) = (field(number), first + number);
    let read = element.ty.read();
    quote!(#read(#name, __otp_reader).map_err(::otp_bridge::term::derived::at_element(#position))?)
}

/// Returns all keys that have no field of their own.
fn rest(map: &Map) -> TokenStream {
    let known = map.known_keys();
    match map.rest.as_ref().and_then(|field| field.ty.rest()) {
        Some(rest) => quote!(#rest::read(__otp_view, #known, __otp_reader)?),
        None => quote!(::otp_bridge::term::derived::read_rest(__otp_view, #known, __otp_reader)?),
    }
}

fn value(entry: &Entry) -> TokenStream {
    let place = &entry.key.place;
    let read = entry.ty.read();
    if entry.optional {
        let call = entry.ty.call(
            quote!(::otp_bridge::term::derived::read_optional_key),
            quote!(__otp_view, &#place, __otp_reader, #read),
        );
        quote!(#call?)
    } else {
        let missing = entry.ty.missing();
        let call = entry.ty.call(
            quote!(::otp_bridge::term::derived::read_key),
            quote!(__otp_view, &#place, __otp_reader, #read, #missing),
        );
        quote!(#call?)
    }
}
